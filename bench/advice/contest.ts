import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Trial } from '../../src/model/documents/trial.ts';
import { withoutSchema } from '../../src/model/rules/remedy.ts';
import type { Rewrite } from '../rivals/rewrites.ts';
import type { TracedAnalyze } from '../rivals/traced-analyze.ts';
import type { Traced } from '../rivals/traced-guest.ts';
import { ratioOf } from './certainty.ts';
import { type AdviceRun, type Asked, advisedGain, widthOf } from './one-run.ts';

const WIDTH = 1.25;

/** What is asked of a benchmark: the original at 0, then the rewrites; `winner` is the index of the advised one. */
export interface Contest extends Asked {
  rewrites: Rewrite[];
  winner: number;
  /** The interval of its ratio must be as narrow, high over low: as that of all samples of `analyze`. */
  width: number;
  /** Samples of each rewrite, process by process, and when each process ended, ms since the first was started. */
  traced: { at: number; samples: number[][] }[];
}

const isSafe = ({ equality, losses, outcome }: Trial) =>
  equality === 'equal' && losses.length === 0 && outcome !== 'refused';

/** `analyze` once more, with its samples; none where it advises no rewrite. */
export async function analyzed(run: AdviceRun, folder: string, seed: number): Promise<Contest[]> {
  const ask = JSON.stringify({ file: run.file, runtime: run.runtime.binary, seed });
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'traced-analyze.mjs'), ask], {
    maxBuffer: 2 ** 30,
    timeout: 120_000,
  });
  const { report, traced } = JSON.parse(stdout) as TracedAnalyze;
  const again = { ...run, run: report.payloads[0]!.runs[0]! };
  if (advisedGain(again) === null) return [];
  const { advice, trials, schema } = again.run;
  const timed = trials.filter(isSafe);
  const wanted = [null, ...timed];
  const winner = 1 + timed.findIndex(({ withConversion }) => withConversion?.ratio === advice?.gain?.ratio);
  const ours = traced.map((process) => ({
    at: process.at,
    samples: wanted.map((trial) => samplesIn(process, trial)),
  }));
  const of = (index: number) => ours.map(({ samples }) => samples[index]!);
  return [
    {
      ...run,
      rewrites: [
        null,
        ...timed.map(({ remedy, plan }) => ({ remedy, plan: { ...plan, ...(schema && { schema }) } })),
      ],
      winner,
      width: Math.max(WIDTH, widthOf(ratioOf(of(winner), of(0), 1))),
      traced: ours,
    },
  ];
}

/** Round trips with conversion, ns; none where it was not timed in this process. Null: the original. */
function samplesIn({ variants, measured }: Traced, trial: Trial | null): number[] {
  const variant = variants.find(({ mode, remedy, plan }) =>
    trial === null
      ? mode === 'original'
      : mode === 'with-conversion' &&
        remedy === trial.remedy &&
        plan !== null &&
        JSON.stringify(withoutSchema(plan)) === JSON.stringify(trial.plan),
  );
  return measured.sets.find((set) => set.variant === variant?.id)?.roundTrip ?? [];
}
