import { triedIn } from '../../model/rules/tried.ts';
import type { Proof } from '../../model/wire/wire.ts';
import { runError } from '../payloads.ts';
import { NOT_SAMPLED, type Sampled, type Sampling, sample } from '../sample.ts';
import type { GuestTerms, MeasureTools } from '../tools.ts';

/**
 * Samples all variants. Where no process comes to its end and some of them run code of the user's, the others are sampled
 * once more without those: a rewrite that ends its process after a thousand messages must not take their times.
 *
 * @param earlier see `sample`
 * @returns the proofs too: refused are those of the rewrites that were left out
 */
export async function sampleWithTries(
  sampling: Sampling,
  proofs: readonly Proof[],
  terms: GuestTerms,
  tools: MeasureTools,
  earlier: Sampled = NOT_SAMPLED,
): Promise<{ sampled: Sampled; proofs: readonly Proof[] }> {
  const sampled = await sample(sampling, terms, tools, earlier);
  const variants = sampling.plan.variants.filter(({ plan }) => triedIn(plan) === null);
  const isWhole = sampled.error === null || sampled.results.length > 0;
  if (isWhole || terms.signal?.aborted || variants.length === sampling.plan.variants.length) {
    return { sampled, proofs };
  }
  const reason = runError(sampled.error).message;
  const refused = proofs.map(
    (proof): Proof => (triedIn(proof.plan) ? { ...proof, equality: 'refused', reason } : proof),
  );
  const again = { ...sampling, plan: { ...sampling.plan, variants } };
  return { sampled: await sample(again, terms, tools), proofs: refused };
}
