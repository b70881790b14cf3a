/**
 * The whole measuring pipeline against known truths: the payload against itself (any answer but "unsure" or "none" is
 * false), and against itself made 5, 10 and 30 % larger. All in the same runs, as remedies are, with the default
 * budget; every second run is a race, which ends when nothing can be advised. `CLONE_PROF_RUNS=200` for the full run; 10 by default, about 5 s each.
 * `AA_GROUP=held-out`: instead one race of each payload of the group against itself three times, on Node and Bun.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { provision } from '../src/runtimes/provision/provision.ts';
import { groupsOf, writeRealData } from './advice/real-data.ts';
import { medianOf } from './interleave.ts';
import { replacedModule } from './replaced-module.ts';
import { type AaAsked, type AaPair, type AaResult, isRace } from './rivals/races.ts';
import type { Row } from './table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.cache', 'bench', 'aa');
const { AA_GROUP } = process.env;
const RUNS = Number(process.env.CLONE_PROF_RUNS ?? 10);
const SEED = Number(process.env.CLONE_PROF_SEED ?? 1);
/** The default. */
const BUDGET_MS = 5000;
const ROWS = 1500;

/**
 * The real guest with a few more remedies: those of `rivals/planted.ts`. The host takes the guests of the nearest package above
 * its own file: here a bundle of it with these.
 */
async function bundle(): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  const common: BuildOptions = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    external: ['bun:*', 'v8-profiler-next', 'esbuild'],
    logLevel: 'error',
  };
  const guest = (name: string) => join(root, 'src', 'guest', 'entries', 'process', `${name}.ts`);
  await build({
    ...common,
    entryPoints: [guest('main'), guest('peer')],
    outdir: join(folder, 'dist', 'guest'),
    plugins: [replacedModule(root, 'codec/remedies/texts.ts', 'planted.ts')],
  });
  await build({ ...common, entryPoints: [join(root, 'bench', 'rivals', 'aa-run.ts')], outdir: folder });
}

export async function aa(): Promise<Row[]> {
  mkdirSync(folder, { recursive: true });
  await bundle();
  if (AA_GROUP) return pairRows(await resultsOf(await pairsOf(AA_GROUP), 1));
  const file = join(folder, 'rows.json');
  const rows = Array.from({ length: ROWS }, (_, id) => ({
    id,
    name: `row ${id}`,
    value: id / 7,
    on: id % 2 === 0,
  }));
  writeFileSync(file, JSON.stringify(rows));
  return rowsOf(await resultsOf([{ file, runtime: 'node' }], RUNS));
}

async function pairsOf(group: string): Promise<AaPair[]> {
  const bun = (await provision('bun@1.4.5')).binary;
  const pairs: AaPair[] = [];
  for (const one of groupsOf(group))
    for (const file of Object.values(await writeRealData(join(folder, one), one)))
      pairs.push({ file, runtime: 'node' }, { file, runtime: bun });
  return pairs;
}

async function resultsOf(pairs: AaPair[], runs: number): Promise<AaResult[]> {
  const asked: AaAsked = { pairs, runs, budgetMs: BUDGET_MS, seed: SEED };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, 'aa-run.mjs'), JSON.stringify(asked)],
    { timeout: runs * pairs.length * 30_000 + 60_000, maxBuffer: 2 ** 28 },
  );
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AaResult);
}

/** A pair is false if any of the copies is told faster. */
function pairRows(results: AaResult[]): Row[] {
  const isFalse = (one: AaResult) => Object.values(one).some(({ outcome }) => outcome === 'faster');
  const value = results.filter(isFalse).length;
  const unit = `of ${results.length}`;
  return [
    { what: 'payloads told faster than themselves', value, unit, budget: 0, held: value === 0, raw: results },
  ];
}

const isAnswer = (outcome: string | undefined) => outcome === 'faster' || outcome === 'slower';

function rowsOf(results: AaResult[]): Row[] {
  const falseAnswers = results.filter((result) => isAnswer(result.same?.outcome)).length;
  // A race drops what is no faster, before it is proven slower.
  const each = results.filter((_, run) => !isRace(run));
  const races = results.filter((_, run) => isRace(run));
  const missed = (name: string) => each.filter((result) => result[name]?.outcome !== 'slower').length;
  const advised = races.filter((one) =>
    Object.values(one).some(({ outcome }) => outcome === 'faster'),
  ).length;
  return [
    row('false answers, a payload against itself', 'same', falseAnswers, 0, results),
    ...(races.length > 0 ? [row('races that call any faster', 'same', advised, 0, races)] : []),
    row('5 % more not found', 'larger-5', missed('larger-5'), null, each),
    row('10 % more not found', 'larger-10', missed('larger-10'), 5, each),
    row('30 % more not found', 'larger-30', missed('larger-30'), 0, each),
  ];
}

function row(what: string, name: string, count: number, budget: number | null, results: AaResult[]): Row {
  const value = (100 * count) / results.length;
  const ratio = medianOf(results.flatMap((result) => result[name]?.ratio ?? []));
  return {
    what,
    value,
    unit: '%',
    budget,
    held: budget === null ? null : value <= budget && ratio > 0,
    note: `${count} of ${results.length}; median ratio ${ratio.toFixed(3)}`,
    raw: results.map((result) => result[name] ?? null),
  };
}
