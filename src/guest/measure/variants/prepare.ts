import type { Side } from '../../../core/recording/envelopes.ts';
import { flatMap } from '../../../core/value/lists.ts';
import { ToolError } from '../../../model/errors.ts';
import type { Recipe } from '../../../model/recipe.ts';
import type { Variant } from '../../../model/wire/wire.ts';
import { messageOf } from '../../user-code/thrown.ts';
import { MessageFactory } from './message-factory.ts';
import { VariantSamples } from './samples.ts';
import { ValueSource } from './value-source.ts';

/** A variant that is ready to be timed, unless its samples have an error. */
export interface PreparedVariant {
  readonly factory: MessageFactory;
  readonly samples: VariantSamples;
}

/**
 * Builds the first values of all variants. A variant whose remedy refuses the payload gets the reason as its error.
 *
 * @throws ToolError when the payload itself cannot be built
 */
export async function prepareVariants(
  variants: readonly Variant[],
  recipe: Recipe,
  mayTransfer: boolean,
  side: Side,
): Promise<PreparedVariant[]> {
  const source = new ValueSource(recipe, side);
  const prepared: PreparedVariant[] = [];
  for (const variant of variants) {
    const factory = new MessageFactory(
      variant,
      variant.recipe ? new ValueSource(variant.recipe, side) : source,
    );
    const samples = new VariantSamples();
    prepared.push({ factory, samples });
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
export function usableVariants(variants: readonly PreparedVariant[]): number[] {
  return flatMap(variants, ({ samples }, index) => (samples.error === null ? [index] : []));
}
