import { propose, remediesOfRules } from '../../core/classify/propose.ts';
import { FLOOR, ORIGINAL } from '../../core/measure/variant.ts';
import { ENGINES, STANDARD } from '../../engines/index.ts';
import type { Run } from '../../model/report.ts';
import type { Proof, Variant } from '../../model/wire.ts';
import { REMEDIES } from '../../remedies/index.ts';
import { runError } from '../payloads.ts';
import { emitStep } from '../tools.ts';
import type { RunContext } from './run-context.ts';

/** Each is proven and then timed in two ways, within one budget. */
const MOST_PLANS = 6;

/** The rewrites that the findings call for, each proven on fresh values; none where proving itself fails. */
export async function prove(context: RunContext, run: Run): Promise<Proof[]> {
  if (!run.shape || !run.verdict) return [];
  const { recipe, slot, request, tools } = context;
  const { shape, verdict, findings } = run;
  const answers = remediesOfRules(ENGINES[run.runtime.engine], STANDARD);
  const plans = propose(shape, { verdict, findings }, Object.values(REMEDIES), MOST_PLANS, answers);
  if (plans.length === 0) return [];
  emitStep(tools, context, 'prove', 0, plans.length);
  try {
    const terms = { file: recipe.source.file, deadlineMs: request.timeoutMs };
    return (await slot.ask({ type: 'prove', recipe, plans }, terms)).proofs;
  } catch (error) {
    const text = `${recipe.id} on ${slot.runtime.spec}: no rewrite was tried: ${runError(error).message}`;
    tools.emit({ type: 'warning', text });
    return [];
  } finally {
    await slot.close();
  }
}

/** Floor, original, and two ways of each proven remedy. What was refused or failed is not timed. */
export function variantsOf(proofs: readonly Proof[]): Variant[] {
  const proven = proofs.filter(({ equality }) => equality === 'equal' || equality === 'lossy');
  const rewrites = proven.flatMap(({ remedy, plan }, index) =>
    (['with-conversion', 'in-place'] as const).map(
      (mode): Variant => ({ id: `${index}:${remedy}@${plan.path}/${mode}`, remedy, plan, mode }),
    ),
  );
  return [FLOOR, ORIGINAL, ...rewrites];
}
