/**
 * Cost of describing and classifying a payload, as a guest does for a JSON file, against structuredClone of the same
 * value in the same process, interleaved. Cold is the first time in a process, as in `analyze`, where most of it
 * is compiling; warm is the median of the rest. From 100 kB on the budget is a ratio, below it a time.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeJson } from './budgets.ts';
import { medianOf } from './interleave.ts';
import type { Row } from './table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.cache', 'bench', 'describe');
const PROCESSES = 3;
const RATIO_BUDGET = 1.2;
const SMALL_BYTES = 100_000;
const SMALL_BUDGET_MS = 6;
const FIXTURES = ['orders', 'rows', 'store', 'telemetry', 'districts'];
const MEGABYTES = [0.1, 1, 20];

interface Times {
  cloning: number[];
  describing: number[];
}

export async function describing(): Promise<Row[]> {
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, 'describing.mjs');
  await build({
    entryPoints: [join(root, 'bench', 'rivals', 'describing.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['bun:*'],
    logLevel: 'error',
  });
  const fixtures = FIXTURES.map((name) => ({
    name: `fixtures/${name}.json`,
    file: join(root, 'fixtures', `${name}.json`),
    turns: 40,
  }));
  const generated = MEGABYTES.map((megabytes) => {
    const file = join(folder, `${megabytes}.json`);
    writeJson(file, megabytes);
    return { name: `${megabytes} MB of records`, file, turns: megabytes > 5 ? 6 : 30 };
  });
  return [...fixtures, ...generated].flatMap(({ name, file, turns }) => {
    const runs = Array.from({ length: PROCESSES }, (): Times => {
      const options = { encoding: 'utf8', timeout: 120_000, maxBuffer: 2 ** 26 } as const;
      return JSON.parse(
        execFileSync(process.execPath, [outfile, JSON.stringify({ file, turns })], options),
      ) as Times;
    });
    return [warm(name, statSync(file).size < SMALL_BYTES, runs), cold(name, runs)];
  });
}

function warm(name: string, isSmall: boolean, runs: Times[]): Row {
  const ratios = runs.map(
    ({ cloning, describing }) => medianOf(describing.slice(1)) / medianOf(cloning.slice(1)),
  );
  const ratio = medianOf(ratios);
  const ms = medianOf(runs.flatMap(({ describing }) => describing.slice(1)));
  const [value, unit, budget] = isSmall ? [ms, 'ms', SMALL_BUDGET_MS] : [ratio, 'x', RATIO_BUDGET];
  return {
    what: `describe + classify / structuredClone: ${name}`,
    value,
    unit,
    budget,
    held: value <= budget,
    note: isSmall ? `${ratio.toPrecision(3)} x` : `${ms.toPrecision(3)} ms`,
    raw: runs,
  };
}

function cold(name: string, runs: Times[]): Row {
  const ratios = runs.map(({ cloning, describing }) => (describing[0] ?? 0) / (cloning[0] ?? 1));
  const ms = medianOf(runs.map(({ describing }) => describing[0] ?? 0));
  return {
    what: `  the first time in a process: ${name}`,
    value: medianOf(ratios),
    unit: 'x',
    budget: null,
    held: null,
    note: `${ms.toPrecision(3)} ms`,
  };
}
