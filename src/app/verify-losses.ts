import { lossErrors, toldLosses } from '../core/classify/losses.ts';
import type { PostContext } from '../core/classify/match.ts';
import type { Shape } from '../model/documents/shape.ts';
import type { EngineName } from '../model/names.ts';
import type { Recipe } from '../model/report/recipe.ts';
import type { Engine, RuleBook } from '../model/rules/rule.ts';
import type { GuestSlot } from './guest-slot.ts';

export interface Books {
  engines: Readonly<Record<EngineName, Engine>>;
  spec: RuleBook;
}

/** How the losses that the rules tell differ from those of a real post, in words; "" when they do not. */
export async function lossComplaint(
  slot: GuestSlot,
  recipe: Recipe,
  shape: Shape,
  { books, where, deadlineMs }: { books: Books; where: PostContext; deadlineMs: number },
): Promise<string> {
  const options = { file: recipe.source.file, deadlineMs };
  const { losses } = await slot.ask({ type: 'losses', recipe, channel: where.channel }, options);
  if (losses === null) return '';
  const told = toldLosses(shape, books.engines[slot.runtime.engine], books.spec, where);
  const errors = lossErrors(told, losses);
  return [
    ...errors.false.map(({ rule, example }) => `${rule} tells a loss at ${example} that does not happen`),
    ...errors.untold.map(({ path, what }) => `no rule tells the loss at ${path}: ${what}`),
  ].join('; ');
}
