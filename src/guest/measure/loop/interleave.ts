import type { MeasureAsk, TellProgress } from '../measure.ts';
import { now } from './clock.ts';
import { Pace } from './pace.ts';
import type { Schedule } from './schedule.ts';
import type { PreparedVariants } from './variants.ts';

const MS = 1e6;

/** Asked after each turn. */
export type StopWhen = (now: number) => boolean;

/** One way of timing all variants in turns. */
export interface TimedLoop {
  /** Samples count from here on; before, they are warm-up. */
  keeping: boolean;
  readonly schedule: Schedule;
  /** Takes turns until `stop` says so, or nobody is left. Nothing is under way when it ends. */
  run(stop: StopWhen): Promise<void>;
}

/**
 * Trips and takes alternate in blocks this long: short against drift, long against the change itself (the first trips
 * after a change are slower; blocks of 16 rounds raised the median of the lightest message on Bun by 6 %).
 */
const BLOCK_ROUNDS = 128;
const BLOCK_NS = 10 * MS;
const PROGRESS_NS = 250 * MS;

/**
 * Warm-up, then the two kinds of timing in alternating blocks until the pace says that it is enough. The slower a trip,
 * the fewer rounds a block has, down to one. Returns the complete rounds of trips that count.
 */
export async function interleave(
  ask: MeasureAsk,
  variants: PreparedVariants,
  trips: TimedLoop,
  takes: TimedLoop | null,
  progress: TellProgress,
): Promise<number> {
  await warmUp(ask, variants, trips, takes);
  trips.keeping = true;
  if (takes) takes.keeping = true;
  const warm = trips.schedule.rounds;
  const done = () => trips.schedule.rounds - warm;
  const pace = new Pace(ask, now());
  const over: StopWhen = (at) => pace.over(done(), !trips.schedule.atStart, at);
  let told = now();
  let taken = false;
  for (let end = false; !end; ) {
    const before = done();
    await trips.run(any(over, blockOf(trips.schedule, BLOCK_ROUNDS)));
    end = trips.schedule.empty || over(now());
    if (takes && (!end || !taken)) {
      await follow(variants, trips, takes, Math.ceil((done() - before) / 2));
      taken = true;
    }
    if (now() - told > PROGRESS_NS) {
      told = now();
      progress(done(), ask.maxRounds, 'rounds');
    }
  }
  return done();
}

/** At least one round of each: nobody's first message is a warm sample. */
async function warmUp(
  { warmupMs, sliceMs }: MeasureAsk,
  variants: PreparedVariants,
  trips: TimedLoop,
  takes: TimedLoop | null,
): Promise<void> {
  const began = now();
  await trips.run((at) => trips.schedule.atStart && at - began >= warmupMs * MS);
  // A payload this slow has nothing to gain from being taken twice.
  if (takes && now() - began < (warmupMs + sliceMs) * MS) await follow(variants, trips, takes, 1);
}

/** A block of takes, without those that failed since. */
async function follow(
  variants: PreparedVariants,
  trips: TimedLoop,
  takes: TimedLoop,
  rounds: number,
): Promise<void> {
  dropFailed(variants, takes.schedule);
  await takes.run(blockOf(takes.schedule, Math.max(1, rounds)));
  dropFailed(variants, trips.schedule);
}

function dropFailed({ samples: tallies }: PreparedVariants, schedule: Schedule): void {
  for (const [index, tally] of tallies.entries()) if (tally.error !== null) schedule.drop(index);
}

/** Ends between two rounds, after so many of them or when the time of a block has passed. */
function blockOf(schedule: Schedule, rounds: number): StopWhen {
  const first = schedule.rounds;
  const began = now();
  return (at) => schedule.atStart && (schedule.rounds - first >= rounds || at - began >= BLOCK_NS);
}

const any =
  (one: StopWhen, other: StopWhen): StopWhen =>
  (at) =>
    one(at) || other(at);
