/**
 * Each bench at its smallest: it must still measure something. Its numbers tell nothing here, and no budget is looked at. One
 * that replaces a module by its name, and no longer finds it, would hold all its budgets.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { BenchName } from '../../bench/run.ts';
import type { Row } from '../../bench/table.ts';
import { ROOT } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { onlyInWhole } from '../support/whole.ts';

/** By bench, the variables of bench/README.md that make it short. */
const SHORTEST: Record<BenchName, NodeJS.ProcessEnv> = {
  budgets: {},
  patience: {},
  footprint: {},
  describe: {},
  harness: { CLONE_PROF_PROCESSES: '1' },
  aa: { CLONE_PROF_RUNS: '1' },
  advice: { ADVICE_ONLY: 'languages' },
  'time-spent': { SPENT_ONLY: 'petstore' },
  'advice-busy': { ADVICE_ONLY: 'languages' },
  codecs: { CODECS: '1' },
  'codec-costs': {},
  patches: {},
  peers: {
    PEERS_RUNTIMES: 'node,bun,deno,chromium',
    PEERS_ONLY: 'languages',
    PEERS_PROCESSES: '1',
    PEERS_MS: '100',
  },
  statistics: { CLONE_PROF_TRIALS: '2' },
  gate: { GATE_RUNS: '1' },
  'gate-busy': { GATE_RUNS: '1' },
  launches: { LAUNCHES: '3', LAUNCHES_BROWSERS: 'chromium' },
  record: { CLONE_PROF_RUNS: '1' },
  'record-bytes': { RECORD_BYTES_ONLY: 'dictionary' },
  pages: {},
  studies: { STUDIES_BROWSERS: 'chromium', STUDIES_PAGES: '1', STUDIES_BUDGET: '1s' },
  extension: { EXTENSION_BROWSERS: '1', EXTENSION_ROUNDS: '1' },
  'known-costs': {},
};

const folder = tempFolder('bench');
const MINUTE = 60_000;

/** Exit codes: every budget held, or some missed. */
const MEASURED = [0, 1];

function bench(name: string, variables: NodeJS.ProcessEnv = {}) {
  const file = join(folder, `${name}.json`);
  const args = ['--import', 'tsx', 'bench/run.ts', name];
  const env = { ...process.env, ...variables, BENCH_RESULTS: file };
  const { status, stderr } = spawnSync(process.execPath, args, {
    ...{ cwd: ROOT, env, encoding: 'utf8', timeout: 10 * MINUTE },
  });
  return { status, stderr, file };
}

describe('benches', () => {
  for (const [name, variables] of Object.entries(SHORTEST)) {
    it(`${name} measures something in each row`, { skip: onlyInWhole }, () => {
      const { status, stderr, file } = bench(name, variables);
      assert.ok(MEASURED.includes(status ?? Number.NaN), `exit code ${status}\n${stderr}`);
      const { rows } = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, { rows: Row[] }>)[name]!;
      assert.ok(rows.length > 0);
      // What is not finite is null in JSON.
      const empty = rows.filter(({ value }) => value === null).map(({ what }) => what);
      assert.deepEqual(empty, [], stderr);
    });
  }
});
