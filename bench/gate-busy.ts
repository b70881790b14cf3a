/** `check --base` beside four busy processes: a growth beyond the limit never passes, an equal payload never fails. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { besideBusy } from './busy.ts';
import type { Row } from './table.ts';

const bin = fileURLToPath(new URL('../bin/clone-prof.js', import.meta.url));
/** GATE_RUNS=5 for a quick run. */
const RUNS = Number(process.env.GATE_RUNS ?? 20);
const BUSY_PROCESSES = 4;
const ROWS = 1000;
/** The round trip grows with the rows. */
const GROWTH = 1.3;

const rows = (count: number, turn: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, id) => ({ id, name: `name ${(id + turn) % 100}`, tags: ['a', 'b'] })),
  );

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd });

function makeProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-gate-busy-'));
  const limits = { class: 'off', maxBytes: 'off', maxNodes: 'off', time: '+10%' };
  writeFileSync(join(folder, 'rows.json'), rows(ROWS, 0));
  writeFileSync(join(folder, 'clone-prof.config.json'), JSON.stringify({ limits, payloads: ['rows.json'] }));
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'base');
  return folder;
}

const exitCode = (cwd: string) =>
  new Promise<{ code: number; stdout: string }>((done) => {
    execFile(process.execPath, [bin, 'check', '--base', 'HEAD'], { cwd }, (error, stdout) =>
      done({ code: error ? Number(error.code ?? 99) : 0, stdout }),
    );
  });

/** Interleaved, so that both see the same load. */
export async function gateBusy(): Promise<Row[]> {
  const folder = makeProject();
  const [grown, equal]: [string[], string[]] = [[], []];
  const codes = { grown: [0, 0, 0, 0], equal: [0, 0, 0, 0] };
  const turns = async (): Promise<void> => {
    for (let turn = 1; turn <= RUNS; turn++) {
      writeFileSync(join(folder, 'rows.json'), rows(ROWS * GROWTH, turn));
      const more = await exitCode(folder);
      codes.grown[more.code]!++;
      if (more.code === 0) grown.push(more.stdout);
      writeFileSync(join(folder, 'rows.json'), rows(ROWS, turn));
      const same = await exitCode(folder);
      codes.equal[same.code]!++;
      if (same.code === 1) equal.push(same.stdout);
    }
  };
  try {
    await besideBusy(BUSY_PROCESSES, turns);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    rowOf(`+30 %, limit +10 %: passed (exit codes 0-3: ${codes.grown.join(', ')})`, grown),
    rowOf(`equal: failed (exit codes 0-3: ${codes.equal.join(', ')})`, equal),
  ];
}

const rowOf = (what: string, wrong: string[]): Row => ({
  ...{ what, value: wrong.length, unit: `of ${RUNS}`, budget: 0, held: wrong.length === 0, raw: wrong },
});
