import type { RequestOf } from '../../model/wire/wire.ts';
import { type Random, seeded, shuffle } from '../../stats/intervals/random.ts';
import { isCandidate } from '../../stats/intervals/variant-samples.ts';
import { filter, flatMap } from '../../value/read/lists.ts';
import { now } from '../platform/common/clock.ts';
import { thrownMessage } from '../user-code/user-code.ts';
import type { PreparedVariant } from './variants.ts';

const NONE_REPEATED = { index: -1, turns: 1 };

/**
 * Decides whose turn it is. In each round every remaining variant has one turn, in a new random order, so that drift
 * (clock frequency, heap, other processes) affects all alike. A repeated variant never has two turns in succession:
 * caches that are warm from itself would make it faster than the others.
 */
export class Schedule {
  rounds = 0;
  /** False while other variants have their turn in this round. */
  atStart = true;
  /** Once each, the repeated one included. */
  #variants: readonly number[];
  /** Turns that are left in this round. */
  #turns: number[] = [];
  #latest = -1;
  readonly #random: Random;
  readonly #repeated: { index: number; turns: number };

  /** `first` has the first turn of the first round: see `firstVariant`. */
  constructor(variants: readonly number[], seed: number, first?: number, repeated = NONE_REPEATED) {
    this.#random = seeded(seed);
    this.#variants = variants;
    this.#repeated = repeated;
    this.#beginRound();
    const at = first === undefined ? -1 : this.#turns.indexOf(first);
    if (at > 0) [this.#turns[0], this.#turns[at]] = [this.#turns[at] as number, this.#turns[0] as number];
  }

  get empty(): boolean {
    return this.#variants.length === 0;
  }

  /** Index of the variant that has its turn, unless `empty`. */
  get current(): number {
    return this.#turns[0] as number;
  }

  advance(): void {
    this.#latest = this.current;
    this.#turns.shift();
    this.atStart = false;
    this.#closeRound();
  }

  drop(index: number): void {
    this.#variants = filter(this.#variants, (one) => one !== index);
    this.#turns = filter(this.#turns, (one) => one !== index);
    this.#closeRound();
  }

  #closeRound(): void {
    if (this.#turns.length > 0) return;
    this.atStart = true;
    if (this.empty) return;
    this.rounds++;
    this.#beginRound();
  }

  #beginRound(): void {
    const { index, turns } = this.#repeated;
    this.#turns = [...this.#variants];
    // At least two others for each of its turns: else each of them would always follow the repeated one.
    const most = this.#variants.includes(index) ? Math.floor((this.#variants.length - 1) / 2) : 0;
    for (let turn = 1; turn < Math.min(turns, most); turn++) this.#turns.push(index);
    const isTwice = (one: number, at: number) => one === index && this.#turns[at] === index;
    do shuffle(this.#turns, this.#random);
    while (this.#turns.length > this.#variants.length && [this.#latest, ...this.#turns].some(isTwice));
  }
}

/**
 * Index of the variant that sends the very first message of the process, the cold one. An even seed selects the
 * original, odd seeds the others in turn: two neighbouring seeds measure the original's cold start once, and a run of
 * 2 x (variants - 1) seeds that of every variant.
 */
export function firstVariant(modes: readonly string[], seed: number): number {
  const original = Math.max(0, modes.indexOf('original'));
  const others = flatMap(modes, (_, index) => (index === original ? [] : [index]));
  const at = Math.abs(seed);
  return at % 2 === 1 && others.length > 0 ? others[Math.floor(at / 2) % others.length]! : original;
}

const MS = 1e6;

/** Sampling of a slow payload stops after this many times its slice, also before the minimum of rounds. */
const MAX_SLICES = 3;

/** True if sampling ends; checked after each turn. `midRound`: other variants have their turn in this round. */
export function isSampled(
  { sliceMs, minRounds, maxRounds }: Pick<Limits, 'sliceMs' | 'minRounds' | 'maxRounds'>,
  rounds: number,
  midRound: boolean,
  elapsedNs: number,
): boolean {
  // Comparing needs at least one sample of each variant.
  if (rounds < 1) return false;
  if (elapsedNs >= MAX_SLICES * sliceMs * MS) return true;
  if (midRound) return false;
  return rounds >= maxRounds || (rounds >= minRounds && elapsedNs >= sliceMs * MS);
}

/** Called after each turn with the time in ns. */
export type StopWhen = (now: number) => boolean;

export interface TimedLoop {
  /** Samples are recorded; before, they are warm-up. */
  keeping: boolean;
  readonly schedule: Schedule;
  /** Takes turns until `stop` says so, or no variant is left. No message is in flight when it ends. */
  run(stop: StopWhen): Promise<void>;
}

/** The `run` of a loop whose turns are promises. @param take one turn of a variant; an error drops the variant */
export async function takeTurns(
  schedule: Schedule,
  variants: readonly PreparedVariant[],
  stop: StopWhen,
  take: (variant: PreparedVariant, index: number) => Promise<void>,
): Promise<void> {
  while (!schedule.empty) {
    const index = schedule.current;
    const variant = variants[index]!;
    try {
      await take(variant, index);
      schedule.advance();
    } catch (error) {
      variant.samples.error ??= thrownMessage(error);
      schedule.drop(index);
    }
    if (stop(now())) return;
  }
}

type Limits = Pick<
  RequestOf<'measure'>,
  'variants' | 'sliceMs' | 'warmupMs' | 'minRounds' | 'maxRounds' | 'dropBeyond'
>;

/**
 * Round trips and one-way messages alternate in blocks of this length: short enough that drift affects both alike, long
 * because the first trips after a change are slower (blocks of 16 rounds raised the median of the empty message on Bun
 * by 6 %).
 */
const BLOCK_ROUNDS = 128;
const BLOCK_NS = 10 * MS;
/** One-way times are shown; round trips decide, and get most of the time. */
const ROUNDS_PER_ONE_WAY = 4;

/** The slower a trip, the fewer rounds a block has. @returns complete rounds of round trips after the warm-up */
export async function interleave(
  limits: Limits,
  variants: readonly PreparedVariant[],
  roundTrips: TimedLoop,
  oneWay: TimedLoop | null,
): Promise<number> {
  const { schedule } = roundTrips;
  /** A block of one-way messages. Variants that fail in one loop are dropped in the other. */
  const runOneWay = async (loop: TimedLoop, rounds: number): Promise<void> => {
    dropFailed(variants, loop.schedule);
    await loop.run(endOfBlock(loop.schedule, Math.max(1, rounds)));
    dropFailed(variants, schedule);
  };
  /** At least one round of each variant: a first message is never a warm sample. Ends with the round nearest to its time. */
  const warmUp = async ({ warmupMs, sliceMs }: Limits): Promise<void> => {
    const began = now();
    const halfRound = (at: number) => (at - began) / Math.max(1, schedule.rounds) / 2;
    await roundTrips.run((at) => schedule.atStart && at - began + halfRound(at) >= warmupMs * MS);
    // Such a slow payload gains nothing from a second warm-up.
    if (oneWay && now() - began < (warmupMs + sliceMs) * MS) await runOneWay(oneWay, 1);
  };
  await warmUp(limits);
  roundTrips.keeping = true;
  if (oneWay) oneWay.keeping = true;
  const warmupRounds = schedule.rounds;
  const done = () => schedule.rounds - warmupRounds;
  const began = now();
  const over: StopWhen = (at) => isSampled(limits, done(), !schedule.atStart, at - began);
  let timedOneWay = 0;
  for (let end = false; !end; ) {
    const blockOver = endOfBlock(schedule, BLOCK_ROUNDS);
    await roundTrips.run((at) => over(at) || blockOver(at));
    dropSlow(limits, variants, schedule);
    end = schedule.empty || over(now());
    const due = Math.floor(done() / ROUNDS_PER_ONE_WAY) - timedOneWay;
    if (oneWay && (end ? timedOneWay === 0 : due > 0)) {
      await runOneWay(oneWay, due);
      timedOneWay += Math.max(1, due);
    }
  }
  return done();
}

function dropFailed(variants: readonly PreparedVariant[], schedule: Schedule): void {
  for (const [index, { samples }] of variants.entries()) if (samples.error !== null) schedule.drop(index);
}

/**
 * Rewrites, by the fastest message of each, so that neither a pause nor the first runs of its code decide: far slower ones take
 * part in the warm-up and in one block, which is two messages if a message takes long.
 */
function dropSlow(
  { variants: asked, dropBeyond }: Limits,
  variants: readonly PreparedVariant[],
  schedule: Schedule,
): void {
  const original = asked.findIndex(({ mode }) => mode === 'original');
  if (dropBeyond === undefined || original < 0) return;
  const limit = dropBeyond * variants[original]!.samples.fastest;
  for (const [index, { samples }] of variants.entries()) {
    if (isCandidate(asked[index]!) && Number.isFinite(samples.fastest) && samples.fastest > limit)
      schedule.drop(index);
  }
}

function endOfBlock(schedule: Schedule, rounds: number): StopWhen {
  const first = schedule.rounds;
  const began = now();
  return (at) => schedule.atStart && (schedule.rounds - first >= rounds || at - began >= BLOCK_NS);
}
