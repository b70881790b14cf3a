/** The results of one payload on one runtime. */
import { factsIn } from '../../core/gate/baseline.ts';
import { factsOf } from '../../core/gate/baseline-facts.ts';
import { checkFacts } from '../../core/gate/limits.ts';
import { type AdditionTerms, unmatchedAddition } from '../../core/gate/unmatched.ts';
import type { Baseline, BaselineFacts } from '../../model/documents/baseline.ts';
import type { BaseCommit, LimitResult, Unchecked } from '../../model/documents/check.ts';
import type { MeasureTools } from '../tools.ts';
import { type Absence, type BasePayloads, toldTime } from './base.ts';
import type { Gathered } from './gather.ts';
import type { GuestPool } from './guest-pool.ts';
import { judgeMeasured, type MeasureTerms } from './measured.ts';
import { varianceOf, withVariance } from './varying.ts';

export interface JudgeTerms extends Omit<AdditionTerms, 'baseline'> {
  baseline: Baseline | null;
  before: BasePayloads | null;
}

export async function judge(
  one: Gathered,
  terms: JudgeTerms,
  unchecked: readonly Unchecked[],
  slots: GuestPool,
  request: MeasureTerms,
  tools: MeasureTools,
): Promise<LimitResult[]> {
  const { baseline, base, before } = terms;
  const varies = await varianceOf(one, slots, request);
  const was = factsIn(baseline, one.entry.id, one.key);
  const facts = factsOf(one.run);
  if (baseline !== null && facts !== null && was === null) {
    return withVariance(await additionOf(one, facts, { ...terms, baseline }, unchecked), varies);
  }
  const timed = before && was ? toldTime(one, was) : one;
  const found = withVariance(checkFacts(one.entry, one.run, was), varies);
  if (varies === null)
    found.push(...(await judgeMeasured(timed, { baseline, base: before }, slots, request, tools)));
  return found.map((result) => (base && result.against ? againstBase(result, base) : result));
}

/** A class has no other text than what it is compared with. */
const againstBase = (result: LimitResult, { ref }: BaseCommit): LimitResult => ({
  ...result,
  against: 'base',
  ...(result.limit === 'class' ? { written: `as in ${ref}` } : {}),
});

/** The results of a payload that is not on the other side: only limits that need none are checked. */
async function additionOf(
  one: Gathered,
  facts: BaselineFacts,
  { before, ...terms }: JudgeTerms & AdditionTerms,
  unchecked: readonly Unchecked[],
): Promise<LimitResult[]> {
  const { entry, run, key } = one;
  const added = unmatchedAddition(entry, { channel: run.channel, key, facts }, unchecked, terms);
  const absence = before && (await before.absenceOf(one));
  if (before && absence && isNew(one, absence, before)) added.level = 'warn';
  const limits = Object.fromEntries(Object.entries(entry.limits).filter(([, { against }]) => !against));
  return [absence ? withAbsence(added, absence) : added, ...checkFacts({ ...entry, limits }, run, null)];
}

/** What a commit adds may pass; what the other one names and never held, because it is generated, is compared with nothing. */
const isNew = ({ unit }: Gathered, { reason }: Absence, { isDemanded }: BasePayloads): boolean =>
  reason === '' || !isDemanded(unit.entry);

export const isUnreadable = ({ limit, outcome }: LimitResult) =>
  limit === 'baseline' && outcome === 'not-measured';

/** What is there and cannot be read is not new: no policy passes it. */
function withAbsence(added: LimitResult, { reason, unreadable }: Absence): LimitResult {
  if (unreadable) return { ...added, level: 'error', outcome: 'not-measured', reason };
  return { ...added, reason: reason === '' ? added.reason! : `${added.reason}, ${reason}` };
}
