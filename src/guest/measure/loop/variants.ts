import { ToolError } from '../../../model/errors.ts';
import type { Variant } from '../../../model/wire.ts';
import { messageOf } from '../../user-code/user-code.ts';
import { MessageFactory } from './message-factory.ts';
import { VariantSamples } from './samples.ts';
import type { ValueSource } from './value-source.ts';

/** Everybody who takes part, by their place in the request. */
export interface PreparedVariants {
  factories: MessageFactory[];
  samples: VariantSamples[];
}

/**
 * First values of all. A variant whose remedy refuses the payload is out, with its reason.
 *
 * @throws ToolError when the payload itself cannot be built
 */
export async function prepareVariants(
  variants: readonly Variant[],
  source: ValueSource,
  mayTransfer: boolean,
): Promise<PreparedVariants> {
  const prepared: PreparedVariants = { factories: [], samples: [] };
  for (const variant of variants) {
    const form = new MessageFactory(variant, variant.recipe ? source.of(variant.recipe) : source);
    const tally = new VariantSamples();
    prepared.factories.push(form);
    prepared.samples.push(tally);
    try {
      await form.prepare(variant, mayTransfer);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      tally.error = messageOf(error);
    }
  }
  return prepared;
}

/** Who can be timed: their places. */
export function usableVariants({ samples: tallies }: PreparedVariants): number[] {
  return tallies.map((_, index) => index).filter((index) => tallies[index]?.error === null);
}
