import type { Plan, Remedy } from '../../model/remedy.ts';
import type { Classification, Finding, Rule } from '../../model/rule.ts';
import type { Shape } from '../../model/shape.ts';

export interface Proposal {
  remedy: string;
  plan: Plan;
}

/** Remedies that the rule names, in the order to try; [] for a rule that names none. */
export type RemediesOfRule = (rule: string) => readonly string[];

/** The answers that the rules of these books give. */
export function remediesOfRules(...books: readonly { rules: readonly Rule[] }[]): RemediesOfRule {
  const rules = new Map(books.flatMap((book) => book.rules.map((rule) => [rule.id, rule.remedies ?? []])));
  return (rule) => rules.get(rule) ?? [];
}

/** The one rewrite that answers most rules, and that others are compared with: never crowded out by the limit. */
const ALWAYS = 'json-text';

interface Candidate extends Proposal {
  /** Which of the remedy's plans it is; 0 is its best. */
  nth: number;
  /** Lower is better. */
  rank: number;
}

const LEVELS_HELPED: ReadonlySet<Finding['level']> = new Set<Finding['level']>(['rejected', 'slow']);

/**
 * Rank of each remedy that a rule names: what blocks a better path first, then what else is slow, each in the rule's
 * own order. What no rule names follows in the order given.
 */
function ranks({ verdict, findings }: Classification, remedies: readonly Remedy[], answers: RemediesOfRule) {
  const blockers = verdict.blockers.map((blocker) => blocker.rule);
  const slow = findings.filter((finding) => LEVELS_HELPED.has(finding.level)).map((finding) => finding.rule);
  const named = [...blockers, ...slow].flatMap(answers);
  const order = [...new Set([...named, ...remedies.map((remedy) => remedy.name)])];
  return new Map(order.map((name, rank) => [name, rank]));
}

function isSame(a: Proposal, b: Proposal): boolean {
  return a.remedy === b.remedy && JSON.stringify(a.plan) === JSON.stringify(b.plan);
}

/** The first plans of all remedies come before the second of any. */
function candidates(
  shape: Shape,
  classification: Classification,
  remedies: readonly Remedy[],
  answers: RemediesOfRule,
): Candidate[] {
  const rank = ranks(classification, remedies, answers);
  return remedies
    .flatMap((remedy) =>
      remedy
        .plans(shape, classification)
        .map((plan, nth) => ({ remedy: remedy.name, plan, nth, rank: rank.get(remedy.name) ?? 0 })),
    )
    .filter((one, i, all) => all.findIndex((other) => isSame(one, other)) === i)
    .sort((a, b) => a.nth - b.nth || a.rank - b.rank);
}

/**
 * Plans worth proving and timing for this payload, best guess first, at most `limit`. A remedy is proposed only when
 * its own `wanted` says that it applies to the facts; the rule book (`answers`) and the order of `remedies` decide
 * which come first.
 */
export function propose(
  shape: Shape,
  classification: Classification,
  remedies: readonly Remedy[],
  limit = 6,
  answers: RemediesOfRule = () => [],
): Proposal[] {
  const all = candidates(shape, classification, remedies, answers);
  const kept = all.slice(0, limit);
  const always = all.find((one) => one.remedy === ALWAYS);
  if (always !== undefined && limit > 0 && !kept.includes(always)) kept.splice(limit - 1, 1, always);
  return kept.map(({ remedy, plan }) => ({ remedy, plan }));
}
