/** Rewrites of a job: which are proposed, and whether they give back an equal payload. */

import { takesTransferList } from '../../codec/code/call.ts';
import { REMEDIES, remedyNamed, SIMPLEST_FIRST } from '../../codec/remedies/index.ts';
import { type Proposal, propose } from '../../engines/classify/classify.ts';
import { postOutcomes } from '../../engines/classify/match.ts';
import { ENGINES, PLATFORM_POSTS } from '../../engines/index.ts';
import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { Plan, Untried } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, isJson, isStore } from '../../model/names.ts';
import { payloadShape } from '../../model/report/runs.ts';
import {
  type ProposalFacts,
  planOf,
  type Remedy,
  type TriedRewrite,
  triedIn,
} from '../../model/rules/remedy.ts';
import type { Proof, TriedFacts, Variant } from '../../model/wire/wire.ts';
import { bySimplicity } from '../../stats/advise/advise.ts';
import { budgetOption, usualBudget } from '../../stats/evidence.ts';
import { FLOOR, ORIGINAL, remedyKey } from '../../stats/intervals/variant-samples.ts';
import type { SamplingRequest } from '../../stats/race/sampling.ts';
import { isBuffer } from '../../value/shape/shape-facts.ts';
import { type Job, type JobSamples, NOT_SAMPLED, type Phase, type Proven, runError } from './job.ts';
import { sample } from './sample.ts';

type Terms = Pick<ProposalFacts, 'assumeIntegers' | 'withView' | 'isSequence' | 'moves'>;

/** Rewrites that the findings of a job call for, the most promising first. @param isWanted takes the name of a remedy */
export async function proposalsFor(
  job: Job,
  limit: number,
  terms: Terms = {},
  isWanted: (remedy: string) => boolean = () => true,
) {
  const { recipe, channel, run } = job;
  const { verdict, findings } = run;
  const payload = payloadShape(run);
  if (!payload || !verdict) return { proposals: [], schema: null, untried: [] };
  const { schema, untried } = await schemaOf(job);
  const { rules } = ENGINES[run.runtime.engine];
  const { via = null, keepsBuffers = false } = recipe;
  const areKept = keepsBuffers && payload.patterns.some(isBuffer);
  const mayMove = takesTransferList({ channel, via }) && !areKept;
  const remedies = remediesOver(channel, mayMove).filter(({ name }) => isWanted(name));
  const facts = { ...terms, verdict, findings, schema, channel, id: recipe.id };
  return { proposals: propose(payload, facts, remedies, limit, rules), schema, untried };
}

/** Remedies that can work over this channel. Plans that only list buffers are dropped if none may be moved. */
function remediesOver(channel: Channel, mayMove: boolean): Remedy[] {
  const all = Object.values<Remedy>(REMEDIES);
  if (mayMove) return all;
  const isCopied = ({ form }: Plan) => form !== 'transferred';
  return all
    .filter(({ name, ofMemory }) => name !== 'transfer' && !(ofMemory && isJson(channel)))
    .map((remedy) => ({ ...remedy, plans: (...facts) => remedy.plans(...facts).filter(isCopied) }));
}

/** Schema that codecs are compiled from. If it cannot be made, all other remedies can still be tried. */
async function schemaOf({
  slot,
  terms: { recipe, samples = [recipe] },
}: Job): Promise<{ schema: PayloadSchema | null; untried: Untried[] }> {
  try {
    return { ...(await slot.ask({ type: 'schema', recipes: [...samples] })), untried: [] };
  } catch (error) {
    const { message: reason } = runError(error);
    return { schema: null, untried: [{ remedy: 'compiled', path: '$', plan: { path: '$' }, reason }] };
  }
}

async function askProof(
  { recipe, channel, slot }: Job,
  { remedy, plan }: Pick<Proof, 'remedy' | 'plan'>,
  terms: { file?: string; deadlineMs?: number },
): Promise<Proof> {
  const { type: _, ...proof } = await slot.ask({ type: 'prove', recipe, channel, remedy, plan }, terms);
  return { remedy, plan, ...proof };
}

/** Minimum budget of all proofs together: the proofs of most payloads take a twentieth of this, on a busy machine a tenth. */
const LEAST_BUDGET_MS = 10_000;

/**
 * Proves one plan after the other, the most promising first, within one deadline. A proof that hangs or ends its guest
 * costs only itself and the plans that run out of time. Once the proofs have used the whole budget, no more are
 * started: the race would not have the time for them either.
 */
export async function provePlans(
  job: Job,
  proposals: readonly Proposal[],
  budgetMs = Number.POSITIVE_INFINITY,
): Promise<Proven> {
  const { slot, tools } = job;
  const { timeoutMs } = slot;
  const began = tools.now();
  const proofs: Proof[] = [];
  const untried: Untried[] = [];
  for (const [done, proposal] of proposals.entries()) {
    job.step('prove', done, proposals.length);
    const spentMs = tools.now() - began;
    const deadlineMs = timeoutMs - spentMs;
    try {
      if (proofs.length > 0 && spentMs >= Math.max(budgetMs, LEAST_BUDGET_MS)) {
        const enough = usualBudget((ms) => ms * proofs.length >= spentMs * proposals.length);
        throw new ToolError('proofs-budget', { detail: enough === null ? '-b' : budgetOption(enough) });
      }
      if (deadlineMs <= 0) throw new ToolError('guest-timeout', { ms: timeoutMs });
      proofs.push(await askProof(job, proposal, { deadlineMs }));
    } catch (error) {
      const isLate = error instanceof ToolError && error.code === 'guest-timeout';
      const { message } = runError(isLate ? new ToolError('proofs-timeout', { ms: timeoutMs }) : error);
      untried.push({ ...proposal, path: proposal.plan.path, reason: message });
    }
  }
  return { proofs, untried };
}

/** True if a rewrite takes part in the race. A refused or failed rewrite is not timed. */
export const isTimed = ({ equality }: Pick<Proof, 'equality'>): boolean =>
  equality === 'equal' || equality === 'lossy';

/** Proves a user's rewrite. If its guest crashes or hangs, that is the reason for the refusal. */
export async function proveTry(job: Job, tried: TriedRewrite): Promise<Proof> {
  try {
    return await askProof(job, { remedy: tried.name, plan: planOf(tried) }, { file: tried.name });
  } catch (error) {
    return refusedProof(tried, reasonOf(error));
  }
}

const refusedProof = (tried: TriedRewrite, reason: string): Proof => ({
  ...{ remedy: tried.name, plan: planOf(tried), equality: 'refused', losses: [], reason },
});

/** An error in one line. If a process ended by itself, the line includes the last line that the process printed. */
export function reasonOf(error: unknown): string {
  const { code, message } = runError(error);
  const [headline = '', , ...printed] = message.trimEnd().split('\n');
  const last = printed.at(-1);
  return code === 'guest-exited' && last !== undefined ? `${headline}. It printed: ${last}` : headline;
}

/** All plans are proven and race within one budget: more plans would leave each too little time. */
const MAX_PLANS = 6;

/** True if a plan transfers only values that the payload's own list already has: it would race with itself. */
export const isOwnList = (
  { patterns }: Pick<Shape, 'patterns'>,
  { remedy, plan }: Proposal,
  listed: number,
): boolean => {
  if (remedy !== 'transfer' || listed === 0) return false;
  const paths = new Set(plan.paths as string[]);
  const values = patterns.filter(({ pattern }) => paths.has(pattern));
  return values.reduce((sum, { count }) => sum + count, 0) <= listed;
};

/** Proves each rewrite that the findings call for, on fresh values. */
export const proveRewrites: Phase = async (job, { request }, ms) => {
  const { slot, recipe, channel, run, described } = job;
  const payload = payloadShape(run);
  if (!payload || !run.verdict || job.proven) return;
  const { assumeIntegers = false, withView = false, tries = [] } = request;
  // A stored value is read without the values that were stored before it.
  const isSequence = recipe.sequence !== undefined && !isStore(channel);
  const terms = { assumeIntegers, withView, isSequence, moves: movesAt(run) };
  const { proposals, schema, untried: schemaless } = await proposalsFor(job, MAX_PLANS, terms);
  const listed = described?.transfer?.count ?? 0;
  try {
    const plans = proposals.filter((one) => !isOwnList(payload, one, listed));
    const { proofs, untried } = await provePlans(job, plans, ms);
    // The lines of most files are not states of one value, so a refusal for that reason is not reported.
    const isWord = ({ remedy, equality }: Proof) =>
      equality !== 'refused' || !remedyNamed(remedy)?.ofSequence || !('lines' in (recipe.sequence ?? {}));
    const tried = await proveTries(job, tries);
    job.proven = { proofs: [...proofs.filter(isWord), ...tried], untried: [...schemaless, ...untried] };
    job.run = { ...run, schema };
  } finally {
    await slot.close();
  }
};

/** Returns a check if objects of a platform class are moved there, by the table of what runtimes do with them. */
const movesAt =
  (where: Pick<Run, 'runtime' | 'channel'>) =>
  (className: string): boolean =>
    postOutcomes(PLATFORM_POSTS, className, where)?.includes('moved') === true;

/** Variants of the race: floor, original, and each proven remedy with its conversion and in place. */
export function variantsOf(proofs: readonly Proof[]): Variant[] {
  const rewrites = proofs.filter(isTimed).flatMap(({ remedy, plan }, index) =>
    // A program cannot keep its data as a list of changes, so this remedy lacks an in-place variant.
    (remedyNamed(remedy)?.ofSequence
      ? (['with-conversion'] as const)
      : (['with-conversion', 'in-place'] as const)
    ).map((mode): Variant => ({ id: `${index}:${remedy}@${plan.path}/${mode}`, remedy, plan, mode })),
  );
  return [FLOOR, ORIGINAL, ...rewrites];
}

/** Ids of the variants that may be advised, the simplest first: lossless rewrites with their conversion. */
export function eligibleIn(variants: readonly Variant[], proofs: readonly Proof[]): string[] {
  const equal = new Set(
    proofs
      .filter(({ equality, losses, plan }) => equality === 'equal' && losses.length === 0 && !plan.isView)
      .map(remedyKey),
  );
  return variants
    .filter((one) => one.mode === 'with-conversion' && equal.has(remedyKey(one)))
    .sort(bySimplicity(SIMPLEST_FIRST))
    .map(({ id }) => id);
}

/** Each has a separate deadline: if its guest crashes or hangs, only that rewrite is refused. */
async function proveTries(job: Job, tries: readonly TriedRewrite[]): Promise<Proof[]> {
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

async function proofOf(job: Job, tried: TriedRewrite): Promise<Proof> {
  const proof = await proveTry(job, tried);
  const isPosted = job.run.verdict?.path !== 'rejected';
  if (!isPosted || !isTimed(proof)) return proof;
  const { name } = tried;
  const variant: Variant = { id: name, remedy: name, plan: proof.plan, mode: 'with-conversion' };
  const reason = await rehearse(job, variant, FEW_MESSAGES);
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

function callsOf(file: string, { isDefault, transfers }: TriedFacts) {
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

/** True for a variant that may end or hang its process: it runs the user's code, or posts over the other channel. */
const isRisky = ({ mode, plan }: Variant): boolean => mode === 'other-channel' || triedIn(plan) !== null;

/**
 * If no process completes, each risky variant is sampled alone, and those that end or hang their process are refused; all
 * are if none does so alone. The others are sampled again, until a process completes.
 */
export async function sampleSafely(job: Job, plan: SamplingRequest, proven: Proven): Promise<JobSamples> {
  const { results, error } = await sample(job, plan);
  const risky = plan.variants.filter(isRisky);
  const isLost = error !== null && results.length === 0 && !job.slot.isStopped;
  if (!isLost || risky.length === 0) return job.sampled;
  const reasons = await failuresAlone(job, plan.budgetMs, risky);
  if (job.slot.isStopped) return job.sampled;
  if (reasons.size === 0) for (const variant of risky) reasons.set(nameOf(variant), reasonOf(error));
  proven.proofs = proven.proofs.map((proof): Proof => {
    const reason = triedIn(proof.plan) && isTimed(proof) ? reasons.get(proof.remedy) : undefined;
    return reason === undefined ? proof : { ...proof, equality: 'refused', reason };
  });
  job.sampled = NOT_SAMPLED;
  const variants = plan.variants.filter((variant) => !isRisky(variant) || !reasons.has(nameOf(variant)));
  return sampleSafely(job, { ...plan, variants }, proven);
}

const nameOf = ({ remedy, id }: Variant): string => remedy ?? id;

/** Share of the budget in which a variant is sampled alone: about the duration of a process that failed. */
const ALONE_SHARE = 0.1;

/** Reasons why variants cannot be timed, by their names. */
async function failuresAlone(job: Job, budgetMs: number, variants: readonly Variant[]) {
  const reasons = new Map<string, string>();
  const limits = { sliceMs: Math.ceil(ALONE_SHARE * budgetMs), maxRounds: 20_000 };
  for (const variant of variants.filter(({ mode }) => mode !== 'in-place')) {
    const reason = await rehearse(job, variant, limits);
    if (reason !== null) reasons.set(nameOf(variant), reason);
    await job.slot.close();
  }
  return reasons;
}

const FEW_MESSAGES = { sliceMs: 1, maxRounds: 2 };

/**
 * Sends messages of a variant to a peer, without the other variants: one that ends or hangs its process would take their
 * times with it. @returns the reason why it cannot be timed; null if it can
 */
async function rehearse(
  { recipe, channel, slot, terms: { seed } }: Job,
  variant: Variant,
  limits: { sliceMs: number; maxRounds: number },
): Promise<string | null> {
  const variants = [FLOOR, ORIGINAL, variant];
  const request = { recipe, channel, variants, ...limits, warmupMs: 0, minRounds: 2, seed };
  const file = variant.remedy ?? recipe.source.file;
  const deadlineMs = 3 * limits.sliceMs + slot.timeoutMs;
  try {
    const { sets } = await slot.ask({ type: 'measure', ...request }, { file, deadlineMs });
    return sets.find((set) => set.variant === variant.id)?.error ?? null;
  } catch (error) {
    return reasonOf(error);
  }
}
