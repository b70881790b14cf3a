import { propose, remediesOfRules } from '../../core/classify/propose.ts';
import { FLOOR, ORIGINAL } from '../../core/measure/variant.ts';
import { ENGINES, STANDARD } from '../../engines/index.ts';
import { type Channel, COPYING_CHANNELS } from '../../model/names.ts';
import type { Run } from '../../model/report/report.ts';
import type { Remedy } from '../../model/rules/remedy.ts';
import type { Proof, Variant } from '../../model/wire/wire.ts';
import { REMEDIES } from '../../remedies/index.ts';
import { type Proven, provePlans } from '../prove-plans.ts';
import type { RunContext } from './run-context.ts';

/** Each is proven and then timed in two ways, within one budget. */
const MOST_PLANS = 6;

/** Those that can have an effect there. */
export const remediesOver = (channel: Channel): Remedy[] =>
  Object.values<Remedy>(REMEDIES).filter(
    ({ name }) => name !== 'transfer' || !COPYING_CHANNELS.includes(channel),
  );

/** The rewrites that the findings call for, each proven on fresh values. */
export async function prove(context: RunContext, run: Run): Promise<Proven> {
  if (!run.shape || !run.verdict) return { proofs: [], untried: [] };
  const { slot, request, tools } = context;
  const { shape, verdict, findings } = run;
  const answers = remediesOfRules(ENGINES[run.runtime.engine], STANDARD);
  const remedies = remediesOver(context.channel);
  const facts = { verdict, findings, assumeIntegers: request.assumeIntegers === true };
  const plans = propose(shape, facts, remedies, MOST_PLANS, answers);
  if (plans.length === 0) return { proofs: [], untried: [] };
  try {
    return await provePlans(plans, context, request, tools);
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
