import type { EnvelopeSide } from '../../../core/recording/envelopes/envelopes.ts';
import { flatMap } from '../../../core/value/lists.ts';
import { ToolError } from '../../../model/errors.ts';
import type { Recipe } from '../../../model/report/recipe.ts';
import { RemedyRefused } from '../../../model/rules/remedy.ts';
import { triedIn } from '../../../model/rules/tried.ts';
import type { Variant } from '../../../model/wire/wire.ts';
import { measureStep } from '../../platform/common/clock.ts';
import { loadTried } from '../../prove/tried-module.ts';
import { thrownMessage } from '../../user-code/thrown.ts';
import { MessageFactory } from './message-factory.ts';
import { ValueSource } from './value-source.ts';

/** A sample of so many steps of the clock is known to within 5 %. */
const MIN_STEPS = 20;
/** What a too short block is made longer by, at least. */
const GROWTH = 1.25;
const MAX_MESSAGES = 16_384;

/**
 * How many messages of one variant make a sample: one, unless the clock is too coarse for it (pages). It grows until a
 * sample has enough steps of the clock.
 */
export class BlockLength {
  messages = 1;
  readonly #stepNs: number;
  readonly #most: number;

  /**
   * @param stepNs of the clock; 0 if it is fine
   * @param most messages of a block, if all of them are in flight together
   */
  constructor(stepNs: number, most = MAX_MESSAGES) {
    this.#stepNs = stepNs;
    this.#most = most;
  }

  /** A time of so many ns is known to within 5 %. */
  isLongEnough(ns: number): boolean {
    return ns >= MIN_STEPS * this.#stepNs;
  }

  /**
   * A block that took so little, ns, must go on, or it might take no step of the clock: it is longer now. Below half of what
   * the next blocks get, so that its own time seldom decides where it ends.
   */
  mustGoOn(ns: number): boolean {
    if (this.messages >= this.#most || this.isLongEnough(2 * ns)) return false;
    this.took(ns);
    return true;
  }

  /** To be called with the time of each block, ns. */
  took(ns: number): void {
    if (this.isLongEnough(ns)) return;
    const factor = Math.max(GROWTH, (MIN_STEPS * this.#stepNs) / Math.max(ns, this.#stepNs));
    this.messages = Math.min(this.#most, Math.ceil(this.messages * factor));
  }
}

/** Messages that are sent before the first of them is received. */
const MAX_IN_FLIGHT = 512;

/** A list of times. Grows by doubling, so that the loop neither allocates for each message nor keeps boxed doubles. */
export class TimeSeries {
  #values = new Float64Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(ns: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = ns;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  /** In the order taken, rounded to ns: no clock here has a finer resolution. */
  list(): number[] {
    return Array.from(this.#values.subarray(0, this.#length), Math.round);
  }
}

/** Samples of one variant, in ns a message. */
export class VariantSamples {
  readonly roundTrip = new TimeSeries();
  readonly send = new TimeSeries();
  readonly receive = new TimeSeries();
  /** Of a store that is waited for: see localLoop. */
  readonly written = new TimeSeries();
  readonly result = new TimeSeries();
  /** Of each round trip, the time that its two threads had a core; empty if that is not known. */
  readonly onCore = new TimeSeries();
  /** Messages of a round trip sample, and of one of send or receive. */
  readonly trips = new BlockLength(measureStep());
  readonly bursts = new BlockLength(measureStep(), MAX_IN_FLIGHT);
  /** Fastest of all round trips, those of the warm-up included. */
  fastest = Number.POSITIVE_INFINITY;
  cold: number | null = null;
  error: string | null = null;
}

/** A variant that is ready to be timed, unless its samples have an error. */
export interface PreparedVariant {
  readonly factory: MessageFactory;
  readonly samples: VariantSamples;
}

/**
 * What the sender hands to a receiver that cannot build: the payload, then that of each variant with a recipe of its own;
 * null if no copies can be made.
 */
export type HandedValues = readonly unknown[] | null;

/**
 * Builds the first values of all variants. A variant whose remedy refuses the payload gets the reason as its error.
 *
 * @param handed absent if this side builds its values
 * @throws ToolError when the payload itself cannot be built
 */
export async function prepareVariants(
  variants: readonly Variant[],
  recipe: Recipe,
  mayTransfer: boolean,
  side: EnvelopeSide,
  handed?: HandedValues,
): Promise<PreparedVariant[]> {
  const handedAt = (at: number) => handed && { value: handed[at] };
  const source = new ValueSource(recipe, side, handedAt(0));
  const prepared: PreparedVariant[] = [];
  // An error that escapes a module of the user's must not end the import of the next.
  for (const { plan } of variants) {
    const tried = triedIn(plan);
    // What it throws is an error of its variant, which asks for it again.
    if (tried) await loadTried(tried).catch(() => undefined);
  }
  for (const [index, variant] of variants.entries()) {
    const values = variant.recipe ? new ValueSource(variant.recipe, side, handedAt(index + 1)) : source;
    const factory = new MessageFactory(variant, values);
    const samples = new VariantSamples();
    prepared.push({ factory, samples });
    try {
      await factory.prepare(mayTransfer);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      samples.error = error instanceof RemedyRefused ? error.message : thrownMessage(error);
    }
  }
  return prepared;
}

/** Indices of the variants that can be timed. */
export function usableVariants(variants: readonly PreparedVariant[]): number[] {
  return flatMap(variants, ({ samples }, index) => (samples.error === null ? [index] : []));
}
