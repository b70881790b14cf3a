/**
 * mitata and tinybench, used by hand for the question that `analyze` answered: which of these rewrites, and by how much?
 * They have neither intervals of ratios nor a rule to stop, so all three get those of `analyze` over their own samples
 * (certainty.ts), and time until these tell the winner that `analyze` advised, as narrowly as its own samples did in the end,
 * or 1.25x where these were narrower. What counts is the time from the start of the first process that times the rewrites,
 * which are given to all three, until the last sample that was needed; computing intervals is not counted.
 *
 * Processes are fresh, three or more, so that an interval holds for other processes too: that is the certainty that `analyze`
 * gives. By hand means with the library's own settings; slices of 100 ms are what a hand could choose that knew how little is
 * enough, and have no budget. One process alone, as benchmarks are usually run, has another certainty: the note says how
 * many of its intervals miss what fresh processes found.
 */
import { medianOf } from '../interleave.ts';
import type { Row } from '../table.ts';
import { ratioOf, type Samples, tells } from './certainty.ts';
import { analyzed, type Contest } from './contest.ts';
import type { AdviceRun } from './one-run.ts';
import { openRival } from './rival-process.ts';

const RIVALS = ['mitata', 'tinybench'] as const;
/** Null: the library's own settings. */
const SLICES = [null, 100] as const;
const FRESH_PROCESSES = 3;
/** Who has not told by then counts with this time. */
const PATIENCE_MS = 20_000;
/** We must tell before both in 20 of 24. */
const BEHIND_SHARE = 4 / 24;

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

/** Until enough processes told, and what the first one alone would have told. */
async function inFreshProcesses(
  rival: string,
  contest: Contest,
  folder: string,
  sliceMs: number | null,
): Promise<{ one: Told; fresh: Told }> {
  const processes: number[][][] = [];
  let one: Told | null = null;
  for (let ms = 0; ; ) {
    const process = await openRival(rival, contest, folder);
    try {
      processes.push(await process.slice(sliceMs));
    } finally {
      await process.end();
    }
    ms += process.ms();
    one ??= judged(contest, processes, ms);
    if (processes.length < FRESH_PROCESSES) continue;
    const told = judged(contest, processes, ms);
    if (told.told || ms > PATIENCE_MS) return { one, fresh: patient(told) };
  }
}

/** For each run whose advice is a rewrite. `folder` holds the bundles. */
export async function rivals(runs: readonly AdviceRun[], folder: string, seed: number): Promise<Row[]> {
  const contests: Contest[] = [];
  for (const run of runs) contests.push(...(await analyzed(run, folder, seed)));
  if (contests.length === 0) return [];
  const ours = contests.map((contest) => byAnalyze(contest, FRESH_PROCESSES));
  const rows: Row[] = [];
  for (const sliceMs of SLICES) {
    const fastest: number[] = contests.map(() => Number.POSITIVE_INFINITY);
    for (const rival of RIVALS) {
      const told: { one: Told; fresh: Told }[] = [];
      for (const contest of contests) told.push(await inFreshProcesses(rival, contest, folder, sliceMs));
      for (const [i, { fresh }] of told.entries()) fastest[i] = Math.min(fastest[i]!, fresh.ms);
      rows.push(rivalRow(`${rival}, ${nameOf(sliceMs)}`, contests, ours, told));
    }
    rows.push(behindRow(sliceMs, contests, ours, fastest));
  }
  return rows;
}

const nameOf = (sliceMs: number | null) =>
  sliceMs === null ? 'its own settings' : `slices of ${sliceMs} ms`;

/** Intervals that do not hold what fresh processes found: of true 95 % intervals, few. */
const strays = (told: readonly { one: Told; fresh: Told }[]) =>
  told.filter(({ one, fresh }) => fresh.ratio < one.ci[0] || fresh.ratio > one.ci[1]).length;

function rivalRow(
  rival: string,
  contests: readonly Contest[],
  ours: readonly Told[],
  told: readonly { one: Told; fresh: Told }[],
): Row {
  const theirs = told.map(({ fresh }) => fresh);
  const seconds = (of: readonly Told[]) => (medianOf(of.map(({ ms }) => ms)) / 1000).toFixed(1);
  const never = (of: readonly Told[]) => of.filter((one) => !one.told).length;
  return {
    what: `clone-prof / ${rival}: time to the same winner, median of ${contests.length}`,
    value: medianOf(ours.map(({ ms }, i) => ms / theirs[i]!.ms)),
    ...{ unit: 'x', budget: null, held: null },
    note: `${seconds(ours)} s and ${seconds(theirs)} s; not told: ${never(ours)} and ${never(theirs)}; ${strays(told)} of its first processes miss the ratio of all`,
    raw: contests.map(({ payload, runtime, width }, i) => ({
      ...{ payload, runtime: runtime.name, width },
      ...{ ours: ours[i], rival: theirs[i], one: told[i]!.one },
    })),
  };
}

/** Contests in which one of them tells first. */
function behindRow(
  sliceMs: number | null,
  contests: readonly Contest[],
  ours: readonly Told[],
  fastest: readonly number[],
): Row {
  const behind = contests.filter((_, i) => ours[i]!.ms >= fastest[i]!);
  const budget = sliceMs === null ? Math.floor(BEHIND_SHARE * contests.length) : null;
  return {
    what: `mitata or tinybench, ${nameOf(sliceMs)}: before clone-prof`,
    ...{ value: behind.length, unit: `of ${contests.length}`, budget },
    held: budget === null ? null : behind.length <= budget,
    note: behind.map(({ payload, runtime }) => `${payload} on ${runtime.name}`).join(', '),
  };
}
