import type { SamplingPlan } from '../../core/measure/sampling.ts';
import { FLOOR, ORIGINAL } from '../../core/stats/variant-samples.ts';
import type { Plan } from '../../model/documents/trial.ts';
import { planOf, type TriedCalls, type TriedRewrite, triedIn } from '../../model/rules/tried.ts';
import type { Proof, TriedFacts, Variant } from '../../model/wire/wire.ts';
import { REMEDIES } from '../../remedies/index.ts';
import { proveTry, reasonOf, refusedProof } from '../prove.ts';
import { NOT_SAMPLED, type SampledPayload, sample } from '../sample.ts';
import { emitStep, type RunContext } from '../tools.ts';

/**
 * Proves each rewrite of the user's, all of them: they were asked for. Each has a deadline of its own. Whatever becomes of
 * its guest is the reason why it was refused, and concerns no other rewrite.
 */
export async function proveTries(context: RunContext, rejected: boolean): Promise<Proof[]> {
  const { tries = [], signal } = context.request;
  const taken = new Set([...Object.keys(REMEDIES), ...tries.map(({ name }) => name)]);
  const proofs: Proof[] = [];
  for (const [done, tried] of tries.entries()) {
    if (signal?.aborted) break;
    emitStep(context.tools, context, 'prove', done, tries.length);
    proofs.push(described(await proofOf(tried, context, rejected), tried, taken));
    // What it left behind must not reach the next.
    await context.slot.close();
  }
  return proofs;
}

const FEW_MESSAGES = { sliceMs: 1, maxRounds: 2 };

async function proofOf(tried: TriedRewrite, context: RunContext, rejected: boolean): Promise<Proof> {
  const proof = await proveTry(tried, context, context.request.timeoutMs);
  if (rejected || proof.equality === 'refused' || proof.equality === 'failed') return proof;
  const reason = await rehearse(tried.name, proof.plan, context, FEW_MESSAGES);
  return reason === null ? proof : refusedProof(tried, reason);
}

/** With the name, the title and the calls of a module that has told them. */
function described(proof: Proof, tried: TriedRewrite, taken: Set<string>): Proof {
  const { about, ...rest } = proof;
  if (about === undefined) return rest;
  const remedy = about.name === null || taken.has(about.name) ? tried.name : about.name;
  taken.add(remedy);
  const calls = tried.calls ?? callsOf(tried.name, about);
  return { ...rest, remedy, plan: planOf({ ...tried, title: about.title ?? tried.title, calls }) };
}

/** With the user's own import. */
function callsOf(file: string, { isDefault, transfers }: TriedFacts): TriedCalls {
  const named = (...names: string[]) => (isDefault ? 'rewrite' : `{ ${names.join(', ')} }`);
  const call = (name: string, argument: string) => `${isDefault ? 'rewrite.' : ''}${name}(${argument})`;
  return {
    imports: {
      from: /^[./]|^[a-z]:/i.test(file) ? file : `./${file}`,
      sender: transfers ? named('apply', 'transfer') : named('apply'),
      receiver: named('restore'),
    },
    message: call('apply', 'payload'),
    transferList: transfers ? call('transfer', 'message') : null,
    payload: call('restore', 'message'),
  };
}

/** Share of the budget for a rehearsal: about as long as the process that failed. */
const REHEARSAL_SHARE = 0.1;

/**
 * Samples all variants. Where no process comes to its end and some of them run code of the user's, it looks for the one
 * that ends or hangs its process, and samples the others again: they are not to lose their times.
 *
 * @param earlier see `sample`
 * @returns proofs of rewrites that were left out are refused
 */
export async function sampleWithTries(
  context: RunContext,
  plan: Omit<SamplingPlan, 'startMs'>,
  proofs: readonly Proof[],
  earlier: SampledPayload = NOT_SAMPLED,
): Promise<{ sampled: SampledPayload; proofs: readonly Proof[] }> {
  const { request, tools } = context;
  const sampled = await sample({ ...context, plan }, request, tools, earlier);
  const { results, error } = sampled;
  const isLost = error !== null && results.length === 0 && !request.signal?.aborted;
  const proven = proofs.filter(isTimed);
  if (!isLost || proven.length === 0) return { sampled, proofs };
  const reasons = await harmful(context, plan.budgetMs, proven);
  if (reasons.size === 0) for (const { remedy } of proven) reasons.set(remedy, reasonOf(error));
  const isLeft = ({ remedy, plan: one }: Variant) => triedIn(one) === null || !reasons.has(remedy ?? '');
  const others = { ...plan, variants: plan.variants.filter(isLeft) };
  return {
    sampled: await sample({ ...context, plan: others }, request, tools),
    proofs: proofs.map((proof): Proof => {
      const reason = isTimed(proof) ? reasons.get(proof.remedy) : undefined;
      return reason === undefined ? proof : { ...proof, equality: 'refused', reason };
    }),
  };
}

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

/**
 * Messages of one rewrite of the user's to a peer, in a guest of its own. A rewrite that ends or hangs a process would take
 * the times of all other rewrites with it.
 *
 * @returns why it cannot be timed; null when it can
 */
async function rehearse(
  name: string,
  plan: Plan,
  { recipe, channel, slot, request }: RunContext,
  { sliceMs, maxRounds }: { sliceMs: number; maxRounds: number },
): Promise<string | null> {
  const variant: Variant = { id: name, remedy: name, plan, mode: 'with-conversion' };
  const limits = { sliceMs, warmupMs: 0, minRounds: 2, maxRounds, seed: request.seed };
  const variants = [FLOOR, ORIGINAL, variant];
  const terms = { file: name, deadlineMs: 3 * sliceMs + request.timeoutMs };
  try {
    const { sets } = await slot.ask({ type: 'measure', recipe, channel, variants, ...limits }, terms);
    return sets.find((set) => set.variant === name)?.error ?? null;
  } catch (error) {
    return reasonOf(error);
  }
}
