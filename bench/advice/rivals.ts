/**
 * mitata and tinybench on the rewrites that `analyze` timed, over the same round trips: how long until their samples tell
 * the same winner with the same certainty. They have neither intervals of ratios nor a rule to stop, so all three get
 * those of `analyze` over their own samples (certainty.ts), and time until these tell the winner that `analyze` advised, as
 * narrowly as it did, or 1.25x where it was narrower. What counts is the time from the start of the first process that times
 * the rewrites, which are given to all three, until the last sample that was needed; computing intervals is not counted.
 *
 * In fresh processes (three or more, a slice each) the interval holds for other processes too: that is the certainty that
 * `analyze` gives. In one process (slices that double), as benchmarks are usually run, it does not: the row says how many of
 * the intervals miss what fresh processes found, and has no budget.
 */
import { medianOf } from '../interleave.ts';
import type { Row } from '../table.ts';
import { ratioOf, type Samples, tells } from './certainty.ts';
import { analyzed, type Contest } from './contest.ts';
import type { AdviceRun } from './one-run.ts';
import { openRival } from './rival-process.ts';

const RIVALS = ['mitata', 'tinybench'] as const;
const FIRST_SLICE_MS = 100;
const FRESH_PROCESSES = 3;
/** Who has not told by then counts with this time. */
const PATIENCE_MS = 20_000;

interface Told {
  ms: number;
  told: boolean;
  /** Of the winner over the original. */
  ratio: number;
  ci: [number, number];
}

/** Samples of each rewrite in each process: [process][rewrite]. */
type Processes = readonly number[][][];

function judged({ winner, width }: Contest, processes: Processes, ms: number): Told {
  const of = (index: number): Samples => processes.map((samples) => samples[index]!);
  const ratios = processes[0]!.map((_, index) => ratioOf(of(index), of(0), 1));
  const others = ratios.filter((_, index) => index !== 0 && index !== winner);
  return { ms, told: tells(ratios[winner]!, others, width), ...ratios[winner]! };
}

const patient = (told: Told): Told => (told.told ? told : { ...told, ms: PATIENCE_MS });

/** When the samples that `analyze` took would have told. */
function byAnalyze(contest: Contest, least: number): Told {
  const { traced } = contest;
  const after = (count: number) =>
    judged(
      contest,
      traced.slice(0, count).map(({ samples }) => samples),
      traced[count - 1]!.at,
    );
  for (let count = least; count < traced.length; count++) {
    const told = after(count);
    if (told.told) return told;
  }
  return patient(after(traced.length));
}

async function inOneProcess(rival: string, contest: Contest, folder: string): Promise<Told> {
  const process = await openRival(rival, contest, folder);
  try {
    let samples: number[][] = contest.rewrites.map(() => []);
    for (let sliceMs = FIRST_SLICE_MS; ; sliceMs *= 2) {
      const more = await process.slice(sliceMs);
      samples = samples.map((known, index) => [...known, ...more[index]!]);
      const told = judged(contest, [samples], process.ms());
      if (told.told || told.ms > PATIENCE_MS) return patient(told);
    }
  } finally {
    await process.end();
  }
}

async function inFreshProcesses(rival: string, contest: Contest, folder: string): Promise<Told> {
  const processes: number[][][] = [];
  for (let ms = 0; ; ) {
    const process = await openRival(rival, contest, folder);
    try {
      processes.push(await process.slice(FIRST_SLICE_MS));
    } finally {
      await process.end();
    }
    ms += process.ms();
    if (processes.length < FRESH_PROCESSES) continue;
    const told = judged(contest, processes, ms);
    if (told.told || ms > PATIENCE_MS) return patient(told);
  }
}

/** For each run whose advice is a rewrite. `folder` holds the bundles. */
export async function rivals(runs: readonly AdviceRun[], folder: string, seed: number): Promise<Row[]> {
  const contests: Contest[] = [];
  for (const run of runs) contests.push(...(await analyzed(run, folder, seed)));
  const rows: Row[] = [];
  for (const rival of contests.length > 0 ? RIVALS : []) {
    const [one, fresh]: [Told[], Told[]] = [[], []];
    for (const contest of contests) {
      one.push(await inOneProcess(rival, contest, folder));
      fresh.push(await inFreshProcesses(rival, contest, folder));
    }
    const lone = row(`${rival} in one process`, contests, one, 1);
    const missed = `; ${strays(one, fresh)} of ${contests.length} intervals miss the ratio of fresh processes`;
    rows.push(
      { ...lone, budget: null, held: null, note: `${lone.note}${missed}` },
      row(`${rival} in fresh processes`, contests, fresh, FRESH_PROCESSES),
    );
  }
  return rows;
}

/** Intervals that do not hold what fresh processes found: of true 95 % intervals, few. */
const strays = (one: readonly Told[], fresh: readonly Told[]) =>
  one.filter(({ ci }, i) => fresh[i]!.ratio < ci[0] || fresh[i]!.ratio > ci[1]).length;

function row(rival: string, contests: readonly Contest[], told: readonly Told[], least: number): Row {
  const ours = contests.map((contest) => byAnalyze(contest, least));
  const value = medianOf(ours.map(({ ms }, i) => ms / told[i]!.ms));
  const seconds = (of: readonly Told[]) => (medianOf(of.map(({ ms }) => ms)) / 1000).toFixed(1);
  const never = (of: readonly Told[]) => of.filter((one) => !one.told).length;
  return {
    what: `clone-prof / ${rival}: time to the same winner, median of ${contests.length}`,
    value,
    unit: 'x',
    budget: 1,
    held: value <= 1,
    note: `${seconds(ours)} s and ${seconds(told)} s; not told: ${never(ours)} and ${never(told)}`,
    raw: contests.map(({ payload, runtime }, i) => ({
      payload,
      runtime: runtime.name,
      ours: ours[i],
      rival: told[i],
    })),
  };
}
