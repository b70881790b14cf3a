import { answersOf, propose } from '../../core/classify/propose.ts';
import { ENGINES, STANDARD } from '../../engines/index.ts';
import type { Channel } from '../../model/names.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { Run } from '../../model/report.ts';
import type { Proof, Variant } from '../../model/wire.ts';
import { REMEDIES } from '../../remedies/index.ts';
import type { GuestSlot } from '../guest-slot.ts';
import { runError } from '../payloads.ts';
import type { AnalyzeRequest, Tools } from '../tools.ts';

/** Each is proven and then timed in two ways, within one budget. */
const MOST_PLANS = 6;

/** The rewrites that the findings call for, each proven on fresh values; none where proving itself fails. */
export async function prove(
  recipe: Recipe,
  slot: GuestSlot,
  channel: Channel,
  run: Run,
  request: AnalyzeRequest,
  tools: Tools,
): Promise<Proof[]> {
  if (!run.shape || !run.verdict) return [];
  const { shape, verdict, findings } = run;
  const answers = answersOf(ENGINES[run.runtime.engine], STANDARD);
  const plans = propose(shape, { verdict, findings }, Object.values(REMEDIES), MOST_PLANS, answers);
  if (plans.length === 0) return [];
  const step = { payload: recipe.id, runtime: slot.runtime.spec, channel, step: 'prove' as const };
  tools.emit({ type: 'step', ...step, done: 0, of: plans.length });
  try {
    const context = { file: recipe.source.file, deadlineMs: request.timeoutMs };
    return (await slot.ask({ type: 'prove', recipe, plans }, context)).proofs;
  } catch (error) {
    const { message } = runError(error);
    tools.emit({
      type: 'warning',
      text: `${recipe.id} on ${slot.runtime.spec}: no rewrite was tried: ${message}`,
    });
    return [];
  } finally {
    await slot.close();
  }
}

/** Floor, original, and two ways of each proven remedy. What was refused or failed is not timed. */
export function variantsOf(proofs: readonly Proof[]): Variant[] {
  const proven = proofs.filter(({ equality }) => equality === 'equal' || equality === 'lossy');
  const ways = proven.flatMap(({ remedy, plan }, index) =>
    (['with-conversion', 'in-place'] as const).map(
      (mode): Variant => ({ id: `${index}:${remedy}@${plan.path}/${mode}`, remedy, plan, mode }),
    ),
  );
  return [
    { id: 'floor', remedy: null, plan: null, mode: 'floor' },
    { id: 'original', remedy: null, plan: null, mode: 'original' },
    ...ways,
  ];
}
