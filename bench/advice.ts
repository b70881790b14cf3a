/**
 * Advice for real payloads: whole runs with the default budget, on Node and Bun. `CLONE_PROF_DIST=../a/dist,../b/dist`
 * compares builds of the tool, interleaved run by run; by default this checkout's own.
 */
import { execFile } from 'node:child_process';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Advice, RatioEstimate, Run } from '../src/model/report/report.ts';
import { provision } from '../src/runtimes/provision/provision.ts';
import { medianOf } from './interleave.ts';
import { writeRealData } from './real-data.ts';
import type { TimedAnalyze } from './rivals/timed-analyze.ts';
import type { Row } from './table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.cache', 'bench', 'advice');
const BUILDS = (process.env.CLONE_PROF_DIST ?? join(root, 'dist')).split(',').map((dist) => resolve(dist));
const SEED = Number(process.env.CLONE_PROF_SEED ?? 1);
/** Only payloads whose names have this in them. */
const ONLY = process.env.ADVICE_ONLY ?? '';

/** Means over all runs; of 24 runs one may stay undecided. */
const MEAN_SECONDS = 4.5;
const UNDECIDED_SHARE = 1 / 24;
const WIDTH = 1.25;

/** One run of one build. */
export interface AdviceRun {
  build: string;
  payload: string;
  file: string;
  runtime: { name: string; binary: string };
  /** ms from the start of the process: all of it, and until the last message was timed. */
  wholeMs: number;
  measuredMs: number;
  run: Run;
}

export async function advice(): Promise<Row[]> {
  await build({
    entryPoints: [join(root, 'bench', 'rivals', 'timed-analyze.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const files = await writeRealData(join(folder, 'payloads'));
  const runtimes = [
    { name: 'node', binary: process.execPath },
    { name: 'bun', binary: (await provision('bun@1.4.5')).binary },
  ];
  const runs: AdviceRun[] = [];
  for (const [payload, file] of Object.entries(files).filter(([name]) => name.includes(ONLY)))
    for (const runtime of runtimes)
      for (const dist of BUILDS) runs.push(await once({ build: nameOf(dist), payload, file, runtime }, dist));
  return BUILDS.map(nameOf).flatMap((name) =>
    rowsOf(
      name,
      runs.filter((run) => run.build === name),
    ),
  );
}

/** The folder of the checkout. */
const nameOf = (dist: string) => basename(dirname(dist));

type Asked = Omit<AdviceRun, 'wholeMs' | 'measuredMs' | 'run'>;

async function once(asked: Asked, dist: string): Promise<AdviceRun> {
  const library = pathToFileURL(join(dist, 'index.js')).href;
  const ask = JSON.stringify({ library, file: asked.file, runtime: asked.runtime.binary, seed: SEED });
  const began = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'timed-analyze.mjs'), ask], {
    maxBuffer: 2 ** 28,
    timeout: 120_000,
  });
  const wholeMs = performance.now() - began;
  const { report, measuredAt } = JSON.parse(stdout) as TimedAnalyze;
  const run = report.payloads[0]?.runs[0];
  if (!run?.advice) throw new Error(`${asked.payload} on ${asked.runtime.name}: ${run?.error?.message}`);
  return { ...asked, wholeMs, measuredMs: measuredAt, run };
}

/** High over low: 1.25 is about 12 % to each side. */
export const widthOf = ({ ci }: RatioEstimate): number => ci[1] / ci[0];

const isOpen = ({ action }: Advice) => action === 'unsure' || action === 'not-tried';

/** What is advised and gains time: its interval is judged. Nothing can be said to be wide where nothing is advised. */
export const advisedGain = ({ run: { advice: told } }: AdviceRun): RatioEstimate | null =>
  told?.action === 'apply' ? told.gain : null;

function rowsOf(name: string, runs: AdviceRun[]): Row[] {
  const seconds = runs.map(({ wholeMs }) => wholeMs / 1000);
  const mean = seconds.reduce((sum, one) => sum + one, 0) / runs.length;
  const open = runs.filter(({ run }) => isOpen(run.advice!));
  const widths = runs.flatMap((run) => advisedGain(run) ?? []).map(widthOf);
  const width = medianOf(widths);
  const most = Math.floor(UNDECIDED_SHARE * runs.length);
  const limited = (row: Omit<Row, 'held'>): Row => ({ ...row, held: row.value <= (row.budget ?? 0) });
  return [
    ...runs.map(runRow),
    limited({
      what: `${name}: mean of whole runs`,
      value: mean,
      unit: 's',
      budget: MEAN_SECONDS,
      raw: seconds,
    }),
    limited({
      what: `${name}: advice not decided`,
      value: open.length,
      unit: `of ${runs.length}`,
      budget: most,
      note: open.map(({ payload, runtime }) => `${payload} on ${runtime.name}`).join(', '),
    }),
    limited({
      what: `${name}: width of the advised ratio's interval, median of ${widths.length}`,
      value: width,
      unit: 'x',
      budget: WIDTH,
      raw: widths,
    }),
  ];
}

const short = ({ ratio, ci }: RatioEstimate) =>
  `${ratio.toFixed(3)} [${ci.map((end) => end.toFixed(3)).join(', ')}]`;

function runRow(one: AdviceRun): Row {
  const { action, remedy } = one.run.advice!;
  const gain = advisedGain(one);
  const { measurement, trials } = one.run;
  const trip = ((measurement?.roundTrip.median ?? 0) / 1e6).toFixed(2);
  return {
    what: `${one.build}: ${one.payload} on ${one.runtime.name}`,
    value: one.wholeMs / 1000,
    unit: 's',
    budget: null,
    held: null,
    note: `${gain ? `${remedy} ${short(gain)}` : action}; ${trip} ms a trip x ${measurement?.roundTrip.samples}`,
    raw: { measuredMs: one.measuredMs, advice: one.run.advice, trials },
  };
}
