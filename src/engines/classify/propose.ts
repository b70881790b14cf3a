import type { Shape } from '../../model/documents/shape.ts';
import type { Plan } from '../../model/documents/trial.ts';
import type { ProposalFacts, Remedy } from '../../model/rules/remedy.ts';
import type { Classification, Rule } from '../../model/rules/rule.ts';

export type Proposal = { remedy: string; plan: Plan };

/** Returns the remedies that the rule names, in the order to try; [] if it names none. */
type RemediesOfRule = (rule: string) => readonly string[];

export function remediesOfRules(...books: readonly { rules: readonly Rule[] }[]): RemediesOfRule {
  const rules = new Map(books.flatMap((book) => book.rules.map((rule) => [rule.id, rule.remedies ?? []])));
  return (rule) => rules.get(rule) ?? [];
}

/** Rewrites that answer most rules and that others are compared with. The limit never drops them. */
const ALWAYS: readonly string[] = ['json-text', 'compiled', 'patch'];

/**
 * Names of the remedies in the order to try: first the remedies of rules that block a better path, then the remedies of
 * other slow findings, each in the order of its rule, then all others in the given order.
 */
function ranked(
  { verdict, findings }: Classification,
  remedies: readonly Remedy[],
  remediesOf: RemediesOfRule,
): string[] {
  const slow = findings.filter(({ level }) => level === 'rejected' || level === 'slow');
  const named = [...verdict.blockers, ...slow].flatMap(({ rule }) => remediesOf(rule));
  return [...new Set([...named, ...remedies.map(({ name }) => name)])];
}

const isSame = (a: Proposal, b: Proposal): boolean =>
  a.remedy === b.remedy && JSON.stringify(a.plan) === JSON.stringify(b.plan);

/**
 * Returns at most `limit` plans to prove and time for this payload, most promising first. A remedy is proposed only if
 * its `plans` accepts the facts; the rule book (`remediesOf`) and the order of `remedies` decide the order.
 */
export function propose(
  shape: Shape,
  classification: ProposalFacts,
  remedies: readonly Remedy[],
  limit = 6,
  remediesOf: RemediesOfRule = () => [],
): Proposal[] {
  const order = ranked(classification, remedies, remediesOf);
  // The first plans of all remedies come before the second plan of any.
  const all = remedies
    .flatMap((remedy) =>
      remedy.plans(shape, classification).map((plan, nth) => ({ remedy: remedy.name, plan, nth })),
    )
    .filter((one, i, plans) => plans.findIndex((other) => isSame(one, other)) === i)
    .sort((a, b) => a.nth - b.nth || order.indexOf(a.remedy) - order.indexOf(b.remedy));
  const kept = all.slice(0, limit);
  for (const [at, name] of ALWAYS.entries()) {
    const always = all.find((one) => one.remedy === name);
    if (always !== undefined && limit > at && !kept.includes(always)) kept.splice(limit - 1 - at, 1, always);
  }
  return kept.map(({ remedy, plan }) => ({ remedy, plan }));
}
