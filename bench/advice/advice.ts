/**
 * Advice for real payloads: whole runs with the default budget, on Node and Bun. `CLONE_PROF_DIST=../a/dist,../b/dist`
 * compares builds of the tool, interleaved run by run; by default this checkout's own. Then mitata and tinybench on
 * the same rewrites (rivals.ts); `ADVICE_RIVALS=0` omits them. `ADVICE_ONLY=cldr`: payloads with this in their names.
 */
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RatioEstimate } from '../../src/model/report/report.ts';
import { provision } from '../../src/runtimes/provision/provision.ts';
import { medianOf } from '../interleave.ts';
import type { Row } from '../table.ts';
import { bundle } from './bundle.ts';
import { type AdviceRun, advisedGain, isOpen, runOf, widthOf } from './one-run.ts';
import { writeRealData } from './real-data.ts';
import { rivals } from './rivals.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.cache', 'bench', 'advice');
const { CLONE_PROF_DIST, CLONE_PROF_SEED, ADVICE_ONLY = '', ADVICE_RIVALS } = process.env;
const BUILDS = (CLONE_PROF_DIST ?? join(root, 'dist')).split(',').map((dist) => resolve(dist));
const SEED = Number(CLONE_PROF_SEED ?? 1);

const MEAN_SECONDS = 4.5;
const OPEN_SHARE = 1 / 24;
const WIDTH = 1.25;

export async function advice(): Promise<Row[]> {
  await bundle(root, folder);
  const runs = await allRuns();
  const rows = BUILDS.flatMap((dist) =>
    rowsOf(
      nameOf(dist),
      runs.filter((run) => run.dist === dist),
    ),
  );
  return ADVICE_RIVALS === '0' ? rows : [...rows, ...(await rivals(runs, folder, SEED))];
}

async function allRuns(): Promise<AdviceRun[]> {
  const files = Object.entries(await writeRealData(join(folder, 'payloads')));
  const runtimes = [
    { name: 'node', binary: process.execPath },
    { name: 'bun', binary: (await provision('bun@1.4.5')).binary },
  ];
  const runs: AdviceRun[] = [];
  for (const [payload, file] of files.filter(([name]) => name.includes(ADVICE_ONLY)))
    for (const runtime of runtimes)
      for (const dist of BUILDS) runs.push(await runOf({ dist, payload, file, runtime }, folder, SEED));
  return runs;
}

/** The folder of the checkout. */
const nameOf = (dist: string) => basename(dirname(dist));

const limited = (row: Omit<Row, 'held'>): Row => ({ ...row, held: row.value <= (row.budget ?? 0) });

function rowsOf(name: string, runs: AdviceRun[]): Row[] {
  const seconds = runs.map(({ wholeMs }) => wholeMs / 1000);
  const open = runs.filter(isOpen);
  const widths = runs.flatMap((run) => advisedGain(run) ?? []).map(widthOf);
  return [
    ...runs.map((run) => runRow(name, run)),
    limited({
      what: `${name}: mean of whole runs`,
      value: seconds.reduce((sum, one) => sum + one, 0) / runs.length,
      unit: 's',
      budget: MEAN_SECONDS,
    }),
    limited({
      what: `${name}: advice not decided`,
      value: open.length,
      unit: `of ${runs.length}`,
      budget: Math.floor(OPEN_SHARE * runs.length),
      note: open.map(({ payload, runtime }) => `${payload} on ${runtime.name}`).join(', '),
    }),
    limited({
      what: `${name}: width of the advised ratio's interval, median of ${widths.length}`,
      value: widths.length > 0 ? medianOf(widths) : Number.POSITIVE_INFINITY,
      unit: 'x',
      budget: WIDTH,
    }),
  ];
}

const short = ({ ratio, ci }: RatioEstimate) =>
  `${ratio.toFixed(3)} [${ci.map((end) => end.toFixed(3)).join(', ')}]`;

function runRow(name: string, one: AdviceRun): Row {
  const { advice: told, measurement, trials } = one.run;
  const gain = advisedGain(one);
  const trip = ((measurement?.roundTrip.median ?? 0) / 1e6).toFixed(2);
  return {
    what: `${name}: ${one.payload} on ${one.runtime.name}`,
    value: one.wholeMs / 1000,
    unit: 's',
    budget: null,
    held: null,
    note: `${gain ? `${told?.remedy} ${short(gain)}` : told?.action}; ${trip} ms a trip x ${measurement?.roundTrip.samples}`,
    raw: { measuredMs: one.measuredMs, advice: told, trials },
  };
}
