import type { SamplingPlan } from '../../core/measure/sampling.ts';
import { triedIn } from '../../model/rules/tried.ts';
import type { Proof, Variant } from '../../model/wire/wire.ts';
import { reasonOf } from '../prove-try.ts';
import { NOT_SAMPLED, type SampledPayload, sample } from '../sample.ts';
import { rehearse } from './rehearse.ts';
import type { RunContext } from './run-context.ts';

type SamplePlan = Omit<SamplingPlan, 'startMs'>;

interface SampledWithTries {
  sampled: SampledPayload;
  /** Those of rewrites that were left out are refused. */
  proofs: readonly Proof[];
}

/** Share of the budget for a rehearsal: about as long as the process that failed. */
const REHEARSAL_SHARE = 0.1;

/**
 * Samples all variants. Where no process comes to its end and some of them run code of the user's, it looks for the one
 * that ends or hangs its process, and samples the others again: they are not to lose their times.
 *
 * @param earlier see `sample`
 */
export async function sampleWithTries(
  context: RunContext,
  plan: SamplePlan,
  proofs: readonly Proof[],
  earlier: SampledPayload = NOT_SAMPLED,
): Promise<SampledWithTries> {
  const sampled = await sample({ ...context, plan }, context.request, context.tools, earlier);
  const proven = proofs.filter(isTimed);
  if (!isLost(sampled, context) || proven.length === 0) return { sampled, proofs };
  const reasons = await harmful(context, plan.budgetMs, proven);
  if (reasons.size === 0) for (const { remedy } of proven) reasons.set(remedy, reasonOf(sampled.error));
  const isLeft = ({ remedy, plan: one }: Variant) => triedIn(one) === null || !reasons.has(remedy ?? '');
  return {
    sampled: await sample(
      { ...context, plan: { ...plan, variants: plan.variants.filter(isLeft) } },
      context.request,
      context.tools,
    ),
    proofs: proofs.map((proof): Proof => {
      const reason = isTimed(proof) ? reasons.get(proof.remedy) : undefined;
      return reason === undefined ? proof : { ...proof, equality: 'refused', reason };
    }),
  };
}

const isLost = ({ results, error }: SampledPayload, { request }: RunContext): boolean =>
  error !== null && results.length === 0 && !request.signal?.aborted;

/** A rewrite of the user's that is among the variants. */
const isTimed = ({ plan, equality }: Proof): boolean =>
  triedIn(plan) !== null && (equality === 'equal' || equality === 'lossy');

/** By name: why. */
async function harmful(
  context: RunContext,
  budgetMs: number,
  proofs: readonly Proof[],
): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  const limits = { sliceMs: REHEARSAL_SHARE * budgetMs, maxRounds: 20_000 };
  try {
    for (const { remedy, plan } of proofs) {
      const reason = await rehearse(remedy, plan, context, limits);
      if (reason !== null) reasons.set(remedy, reason);
      await context.slot.close();
    }
  } finally {
    await context.slot.close();
  }
  return reasons;
}
