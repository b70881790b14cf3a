import { bySimplicity } from '../../core/advise/effort.ts';
import { postOutcomes } from '../../core/classify/platform-posts.ts';
import type { Proposal } from '../../core/classify/propose.ts';
import { FLOOR, ORIGINAL, remedyKey } from '../../core/stats/variant-samples.ts';
import { PLATFORM_POSTS } from '../../engines/index.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { isStore } from '../../model/names.ts';
import { payloadShape } from '../../model/report/runs.ts';
import type { Proof, Variant } from '../../model/wire/wire.ts';
import { remedyNamed, SIMPLEST_FIRST } from '../../remedies/index.ts';
import { proposalsFor } from '../job/proposals.ts';
import { isTimed, provePlans } from '../job/prove.ts';
import type { Phase } from './request.ts';
import { proveTries } from './tries.ts';

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
