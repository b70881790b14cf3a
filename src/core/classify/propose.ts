import type { Finding } from '../../model/documents/classification.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { Plan } from '../../model/documents/trial.ts';
import type { ProposalFacts, Remedy } from '../../model/rules/remedy.ts';
import type { Classification, Rule } from '../../model/rules/rule.ts';

export interface Proposal {
  remedy: string;
  plan: Plan;
}

/** Remedies that the rule names, in the order to try; [] for a rule that names none. */
type RemediesOfRule = (rule: string) => readonly string[];

export function remediesOfRules(...books: readonly { rules: readonly Rule[] }[]): RemediesOfRule {
  const rules = new Map(books.flatMap((book) => book.rules.map((rule) => [rule.id, rule.remedies ?? []])));
  return (rule) => rules.get(rule) ?? [];
}

/** The rewrites that answer most rules, and that others are compared with: the limit never drops them. */
const ALWAYS: readonly string[] = ['json-text', 'compiled'];

interface RankedProposal extends Proposal {
  /** Index among the plans of the remedy; 0 is its best. */
  nth: number;
  /** Lower is better. */
  rank: number;
}

const HELPED_LEVELS: ReadonlySet<Finding['level']> = new Set<Finding['level']>(['rejected', 'slow']);

/**
 * Rank of each remedy: those of rules that block a better path come first, then those of other slow findings, each in
 * the rule's own order, then all others in the order given.
 */
function ranks(
  { verdict, findings }: Classification,
  remedies: readonly Remedy[],
  remediesOf: RemediesOfRule,
): Map<string, number> {
  const slow = findings.filter(({ level }) => HELPED_LEVELS.has(level));
  const named = [...verdict.blockers, ...slow].flatMap(({ rule }) => remediesOf(rule));
  const order = [...new Set([...named, ...remedies.map(({ name }) => name)])];
  return new Map(order.map((name, rank) => [name, rank]));
}

function isSame(a: Proposal, b: Proposal): boolean {
  return a.remedy === b.remedy && JSON.stringify(a.plan) === JSON.stringify(b.plan);
}

/** The first plans of all remedies come before the second plan of any. */
function rankedProposals(
  shape: Shape,
  classification: ProposalFacts,
  remedies: readonly Remedy[],
  remediesOf: RemediesOfRule,
): RankedProposal[] {
  const rankOf = ranks(classification, remedies, remediesOf);
  return remedies
    .flatMap((remedy) =>
      remedy
        .plans(shape, classification)
        .map((plan, nth) => ({ remedy: remedy.name, plan, nth, rank: rankOf.get(remedy.name) ?? 0 })),
    )
    .filter((one, i, all) => all.findIndex((other) => isSame(one, other)) === i)
    .sort((a, b) => a.nth - b.nth || a.rank - b.rank);
}

/**
 * Plans to prove and time for this payload, most promising first, at most `limit`. A remedy is proposed only when its
 * own `plans` accepts the facts; the rule book (`remediesOf`) and the order of `remedies` decide the order.
 */
export function propose(
  shape: Shape,
  classification: ProposalFacts,
  remedies: readonly Remedy[],
  limit = 6,
  remediesOf: RemediesOfRule = () => [],
): Proposal[] {
  const all = rankedProposals(shape, classification, remedies, remediesOf);
  const kept = all.slice(0, limit);
  for (const [at, name] of ALWAYS.entries()) {
    const always = all.find((one) => one.remedy === name);
    if (always !== undefined && limit > at && !kept.includes(always)) kept.splice(limit - 1 - at, 1, always);
  }
  return kept.map(({ remedy, plan }) => ({ remedy, plan }));
}
