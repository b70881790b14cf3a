import { ToolError } from '../../../model/errors.ts';
import type { Variant } from '../../../model/wire.ts';
import { messageOf } from '../../user-code/thrown.ts';
import { MessageFactory } from './message-factory.ts';
import { VariantSamples } from './samples.ts';
import { ValueSource } from './value-source.ts';

/** The variants of a request: parallel arrays in its order. */
export interface PreparedVariants {
  factories: MessageFactory[];
  samples: VariantSamples[];
}

/**
 * Builds the first values of all variants. A variant whose remedy refuses the payload gets the reason as its error.
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
    const factory = new MessageFactory(variant, variant.recipe ? new ValueSource(variant.recipe) : source);
    const samples = new VariantSamples();
    prepared.factories.push(factory);
    prepared.samples.push(samples);
    try {
      await factory.prepare(variant, mayTransfer);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      samples.error = messageOf(error);
    }
  }
  return prepared;
}

/** Indices of the variants that can be timed. */
export function usableVariants({ samples }: PreparedVariants): number[] {
  return samples.map((_, index) => index).filter((index) => samples[index]?.error === null);
}
