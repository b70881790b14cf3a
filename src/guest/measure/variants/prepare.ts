import type { EnvelopeSide } from '../../../core/recording/envelopes/envelopes.ts';
import { flatMap } from '../../../core/value/lists.ts';
import type { Plan } from '../../../model/documents/trial.ts';
import { ToolError } from '../../../model/errors.ts';
import type { Recipe } from '../../../model/report/recipe.ts';
import { RemedyRefused } from '../../../model/rules/remedy.ts';
import { triedIn } from '../../../model/rules/tried.ts';
import type { Variant } from '../../../model/wire/wire.ts';
import { loadTried } from '../../prove/tried-module.ts';
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
  side: EnvelopeSide,
): Promise<PreparedVariant[]> {
  const source = new ValueSource(recipe, side);
  const prepared: PreparedVariant[] = [];
  // An error that escapes a module of the user's must not end the import of the next.
  for (const { plan } of variants) await importTried(plan);
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
      samples.error = error instanceof RemedyRefused ? error.message : messageOf(error);
    }
  }
  return prepared;
}

/** What it throws is an error of its variant, which asks for it again. */
async function importTried(plan: Plan | null): Promise<void> {
  const tried = triedIn(plan);
  if (tried) await loadTried(tried).catch(() => undefined);
}

/** Indices of the variants that can be timed. */
export function usableVariants(variants: readonly PreparedVariant[]): number[] {
  return flatMap(variants, ({ samples }, index) => (samples.error === null ? [index] : []));
}
