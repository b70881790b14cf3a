import { FLOOR, ORIGINAL } from '../../core/stats/variant-samples.ts';
import type { Plan } from '../../model/documents/trial.ts';
import { planOf, type TriedCalls, type TriedRewrite, triedIn } from '../../model/rules/tried.ts';
import type { Proof, TriedFacts, Variant } from '../../model/wire/wire.ts';
import { REMEDIES } from '../../remedies/index.ts';
import { type Job, type JobSamples, NOT_SAMPLED, type Proven } from '../job/job.ts';
import { isTimed, proveTry, reasonOf, refusedProof } from '../job/prove.ts';
import { type SamplingRequest, sample } from '../job/sample.ts';

/**
 * Proves all rewrites that the user named, each with a separate deadline. If a guest crashes or hangs, that is the
 * reason for refusing its rewrite, and does not concern the others.
 */
export async function proveTries(job: Job, tries: readonly TriedRewrite[]): Promise<Proof[]> {
  const taken = new Set([...Object.keys(REMEDIES), ...tries.map(({ name }) => name)]);
  const proofs: Proof[] = [];
  for (const [done, tried] of tries.entries()) {
    if (job.slot.isStopped) break;
    job.step('prove', done, tries.length);
    proofs.push(described(await proofOf(job, tried), tried, taken));
    // State that this rewrite left behind must not reach the next rewrite.
    await job.slot.close();
  }
  return proofs;
}

const FEW_MESSAGES = { sliceMs: 1, maxRounds: 2 };

async function proofOf(job: Job, tried: TriedRewrite): Promise<Proof> {
  const proof = await proveTry(job, tried);
  const isPosted = job.run.verdict?.path !== 'rejected';
  if (!isPosted || !isTimed(proof)) return proof;
  const reason = await rehearse(job, tried.name, proof.plan, FEW_MESSAGES);
  return reason === null ? proof : refusedProof(tried, reason);
}

/** Adds the name, the title and the calls that the module of a rewrite has declared. */
function described(proof: Proof, tried: TriedRewrite, taken: Set<string>): Proof {
  const { about, ...rest } = proof;
  if (about === undefined) return rest;
  const remedy = about.name === null || taken.has(about.name) ? tried.name : about.name;
  taken.add(remedy);
  const calls = tried.calls ?? callsOf(tried.name, about);
  return { ...rest, remedy, plan: planOf({ ...tried, title: about.title ?? tried.title, calls }) };
}

/** The calls of a rewrite, with the user's own import. */
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

/** Share of the budget for a rehearsal: about the duration of the process that failed. */
const REHEARSAL_SHARE = 0.1;

/**
 * Samples all variants. If no process completes and some variants run the user's code, it finds the rewrites that end
 * or hang their process and samples the remaining variants again, so that these do not lose their times. The proofs of
 * the rewrites that were left out become refusals.
 */
export async function sampleWithTries(job: Job, plan: SamplingRequest, proven: Proven): Promise<JobSamples> {
  const { results, error } = await sample(job, plan);
  const isLost = error !== null && results.length === 0 && !job.slot.isStopped;
  const own = proven.proofs.filter(isOwnTimed);
  if (!isLost || own.length === 0) return job.sampled;
  const reasons = await harmful(job, plan.budgetMs, own);
  if (reasons.size === 0) for (const { remedy } of own) reasons.set(remedy, reasonOf(error));
  proven.proofs = proven.proofs.map((proof): Proof => {
    const reason = isOwnTimed(proof) ? reasons.get(proof.remedy) : undefined;
    return reason === undefined ? proof : { ...proof, equality: 'refused', reason };
  });
  const isLeft = ({ remedy, plan: one }: Variant) => triedIn(one) === null || !reasons.has(remedy ?? '');
  job.sampled = NOT_SAMPLED;
  return sample(job, { ...plan, variants: plan.variants.filter(isLeft) });
}

/** True for a user's rewrite that takes part in the race. */
const isOwnTimed = (proof: Proof): boolean => triedIn(proof.plan) !== null && isTimed(proof);

/** Reasons why rewrites cannot be timed, by the name of the rewrite. */
async function harmful(job: Job, budgetMs: number, proofs: readonly Proof[]): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  const limits = { sliceMs: REHEARSAL_SHARE * budgetMs, maxRounds: 20_000 };
  try {
    for (const { remedy, plan } of proofs) {
      const reason = await rehearse(job, remedy, plan, limits);
      if (reason !== null) reasons.set(remedy, reason);
      await job.slot.close();
    }
  } finally {
    await job.slot.close();
  }
  return reasons;
}

/**
 * Sends some messages of a user's rewrite to a peer, in a separate guest: a rewrite that ends or hangs a process would
 * take the times of all other rewrites with it.
 *
 * @returns the reason why it cannot be timed; null if it can
 */
async function rehearse(
  { recipe, channel, slot, terms: { seed } }: Job,
  name: string,
  plan: Plan,
  { sliceMs, maxRounds }: { sliceMs: number; maxRounds: number },
): Promise<string | null> {
  const variant: Variant = { id: name, remedy: name, plan, mode: 'with-conversion' };
  const limits = { sliceMs, warmupMs: 0, minRounds: 2, maxRounds, seed };
  const variants = [FLOOR, ORIGINAL, variant];
  const asked = { file: name, deadlineMs: 3 * sliceMs + slot.timeoutMs };
  try {
    const { sets } = await slot.ask({ type: 'measure', recipe, channel, variants, ...limits }, asked);
    return sets.find((set) => set.variant === name)?.error ?? null;
  } catch (error) {
    return reasonOf(error);
  }
}
