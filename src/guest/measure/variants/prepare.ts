import { ToolError } from '../../../model/errors.ts';
import type { Recipe } from '../../../model/report/recipe.ts';
import { RemedyRefused, triedIn } from '../../../model/rules/remedy.ts';
import type { Variant } from '../../../model/wire/wire.ts';
import type { EnvelopeSide } from '../../../record/envelopes/envelopes.ts';
import { flatMap } from '../../../value/read/lists.ts';
import { measureStep } from '../../platform/common/clock.ts';
import { loadTried } from '../../prove/tried-module.ts';
import { thrownMessage } from '../../user-code/thrown.ts';
import { MessageFactory, ValueSource } from './message-factory.ts';

/** A sample of this many steps of the clock is known to within 5 %. */
const MIN_STEPS = 20;
/** Minimum factor by which a block that is too short grows. */
const GROWTH = 1.25;
const MAX_MESSAGES = 16_384;

/**
 * Number of messages of one variant that make a sample: one message, unless the clock is too coarse for it (pages). It
 * grows until a sample has enough steps of the clock.
 */
export class BlockLength {
  messages = 1;
  readonly #stepNs: number;
  readonly #most: number;

  /** `stepNs`: step of the clock; 0 if it is fine. `most`: maximum messages of a block, all in flight together. */
  constructor(stepNs: number, most = MAX_MESSAGES) {
    this.#stepNs = stepNs;
    this.#most = most;
  }

  /** A time of this many ns is known to within 5 %. */
  isLongEnough(ns: number): boolean {
    return ns >= MIN_STEPS * this.#stepNs;
  }

  /**
   * True if a block with this time, ns, must go on, because it might take no step of the clock; it is longer now. The
   * limit is half the time of the next blocks, so that a block's own time seldom decides its end.
   */
  mustGoOn(ns: number): boolean {
    if (this.messages >= this.#most || this.isLongEnough(2 * ns)) return false;
    this.took(ns);
    return true;
  }

  /** Call this with the time of each block, ns. */
  took(ns: number): void {
    if (this.isLongEnough(ns)) return;
    const factor = Math.max(GROWTH, (MIN_STEPS * this.#stepNs) / Math.max(ns, this.#stepNs));
    this.messages = Math.min(this.#most, Math.ceil(this.messages * factor));
  }
}

/** Messages that are sent before the first of them is received. */
const MAX_IN_FLIGHT = 512;

/** Samples of one variant, in ns a message, in the order of recording. Engines keep such lists without boxes. */
export class VariantSamples {
  readonly roundTrip: number[] = [];
  readonly send: number[] = [];
  readonly receive: number[] = [];
  /** Times of writing to a store that is waited for: see localLoop. */
  readonly written: number[] = [];
  readonly result: number[] = [];
  /** Time in which the two threads of each round trip had a core; empty if it is not known. */
  readonly onCore: number[] = [];
  /** Messages of a sample: first for round trips, then for send or receive. */
  readonly trips = new BlockLength(measureStep());
  readonly bursts = new BlockLength(measureStep(), MAX_IN_FLIGHT);
  /** Fastest of all round trips, including the warm-up. */
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
 * Values that the sender hands to a receiver that cannot build: the payload, then the payload of each variant with a
 * separate recipe; null if no copies can be made.
 */
export type HandedValues = readonly unknown[] | null;

/**
 * Builds the first values of all variants. A variant whose remedy refuses the payload gets the reason as its error.
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
  // An error that escapes a user's module must not end the import of the next module.
  for (const { plan } of variants) {
    const tried = triedIn(plan);
    // An error of the module belongs to its variant, which loads it again.
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

export function usableVariants(variants: readonly PreparedVariant[]): number[] {
  return flatMap(variants, ({ samples }, index) => (samples.error === null ? [index] : []));
}
