import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { budgetUsed, missedRegressions, REGRESSIONS } from './gate-regressions.ts';
import { type Row, ratioRow } from './table.ts';

const bin = fileURLToPath(new URL('../bin/clone-prof.js', import.meta.url));

/** GATE_RUNS=20 for a quick run. */
const RUNS = Number(process.env.GATE_RUNS ?? 200);
/** A comparison of times takes seconds, so there are fewer of them. */
const RUNS_PER_COMPARISON = 5;
const BUSY_PROCESSES = 2;
/** Share of the budget after which a clear comparison has ended, the rest of the command included. */
const USED = 0.6;

interface Answer {
  code: number;
  stdout: string;
  /** stdout and stderr. */
  said: string;
}

function check(folder: string, ...args: string[]): Promise<Answer> {
  return new Promise((done) => {
    execFile(process.execPath, [bin, ...args], { cwd: folder, timeout: 120_000 }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 99) : 0, stdout, said: stdout + stderr });
    });
  });
}

const row = (i: number, turn: number) => ({
  id: i,
  name: `customer ${(i + turn) % 100}`,
  tags: ['a', 'b'],
  geo: { lat: i / 7, lon: (i + turn) / 3 },
});

/** Each turn gives other values of the same shape and size: equal code, though not the same payload. */
function writePayloads(folder: string, turn: number): void {
  const rows = Array.from({ length: 200 }, (_, i) => row(i, turn));
  writeFileSync(join(folder, 'rows.json'), JSON.stringify(rows));
  writeFileSync(join(folder, 'flat.json'), JSON.stringify({ task: turn % 10, text: 'x'.repeat(500) }));
}

function writeProject(folder: string): void {
  writePayloads(folder, 0);
  const text = "export const text = () => 'y'.repeat(4096);\nexport const sparse = () => [1, , 3];\n";
  writeFileSync(join(folder, 'made.mjs'), text);
  const config = {
    extends: 'strict',
    // Only payloads that JSON can express have a copy in the baseline.
    payloads: ['rows.json', 'flat.json', { input: 'made.mjs', limits: { time: 'off' } }],
    limits: { time: '+10%', maxBytes: '+5%', maxNodes: '+0%', lossy: 'off' },
  };
  writeFileSync(join(folder, 'clone-prof.config.json'), JSON.stringify(config));
}

/** How many of `runs` reported a broken limit, or one that could not be checked; a comparison may stay undecided. */
async function alarms(
  runs: number,
  run: (turn: number) => Promise<Answer>,
  allowed: readonly number[] = [0],
) {
  const said: string[] = [];
  for (let turn = 1; turn <= runs; turn++) {
    const { code, said: text } = await run(turn);
    if (!allowed.includes(code)) said.push(`run ${turn}, exit ${code}: ${text}`);
  }
  return said;
}

function rowOf(what: string, runs: number, said: readonly string[]): Row {
  return { what, value: said.length, unit: `of ${runs}`, budget: 0, held: said.length === 0, raw: said };
}

const UNDECIDED = [0, 3];

const busy = (): ChildProcess => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });

/** Regressions that the gate misses, and its false alarms on a machine that is busy with something else all the time. */
export async function gate(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-gate-'));
  const others: ChildProcess[] = [];
  try {
    writeProject(folder);
    const { code, said } = await check(folder, 'baseline', '--samples');
    if (code !== 0) throw new Error(said);
    const missed = await missedRegressions(folder, check);
    const early = await budgetUsed(folder, check);
    for (let i = 0; i < BUSY_PROCESSES; i++) others.push(busy());
    const unchanged = await alarms(RUNS, () => check(folder, 'check'));
    const comparisons = Math.ceil(RUNS / RUNS_PER_COMPARISON);
    const equal = await alarms(
      comparisons,
      (turn) => {
        writePayloads(folder, turn);
        return check(folder, 'check', 'rows', '-b', '2s', '--seed', String(turn));
      },
      UNDECIDED,
    );
    return [
      rowOf('regressions of time and memory not found', REGRESSIONS.length, missed),
      ratioRow('time of a kept limit of time / its budget', early.kept, USED),
      ratioRow('time of a broken one / its budget', early.broken, USED),
      rowOf('false alarms of check, nothing changed, two busy processes', RUNS, unchanged),
      rowOf('false alarms of time +10 %, other values of equal cost, two busy processes', comparisons, equal),
    ];
  } finally {
    for (const other of others) other.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}
