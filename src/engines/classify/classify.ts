/** Classifies a payload by matching rows: its path through an engine, the cost, the bytes, and what blocks a better path. */

import type { Blocker, Finding, PostBytes, Unknown, Verdict } from '../../model/documents/classification.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Plan } from '../../model/documents/trial.ts';
import { type CostClass, LEVELS, type PathName } from '../../model/names.ts';
import type { ProposalFacts, Remedy } from '../../model/rules/remedy.ts';
import type { Classification, Engine, Rule, SharedRow, UnknownRow } from '../../model/rules/rule.ts';
import { groupedBy, sumOf } from '../../model/sums.ts';
import type { PathBytes } from '../../model/wire/wire.ts';
import { CONSTRUCTOR_OF } from '../../value/read/built-in-types.ts';
import { filter, flatMap, map } from '../../value/read/lists.ts';
import { estimatedSize } from '../../value/shape/wire-estimate.ts';
import { compareVersions, turningPoints } from '../versions/versions.ts';
import { findMatches, isInForce, type Match, outcomesOf, type PostContext, worse } from './match.ts';

export const byLevel = (a: Finding, b: Finding): number => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level);

export function classify(shape: Shape, engine: Engine, context: PostContext): Classification {
  const outcomes = outcomesOf(shape, engine, context);
  const outcome = outcomes.outcomeIn(context.runtime.version);
  return {
    verdict: {
      path: outcome.path,
      class: outcome.class,
      confirmed: null,
      aspired: outcome.attainable,
      blockers: map(grouped(outcome.blocking), toBlocker),
      upgrade: findUpgrade(outcomes, context.runtime.version, outcome.class),
      unknowns: findUnknowns(shape, matchesOn(outcome.path, engine.unknowns, shape, context)),
    },
    findings: map(grouped(outcome.matches), toFinding).sort(byLevel),
  };
}

/** Matches of one rule at one pattern; their facts differ only in what the rule does not test. */
const grouped = (matches: readonly Match[]): Match[][] =>
  map([...groupedBy(matches, ({ rule, facts }) => `${rule.id} ${facts.pattern}`).values()], (group) =>
    // Several rows of the rule may match the same facts.
    filter(group, ({ facts }, at) => group.findIndex((one) => one.facts === facts) === at),
  );

/** A single value is named by its own path, several values by their pattern. */
function toBlocker(group: readonly Match[]): Blocker {
  const [{ rule, facts }] = group as [Match];
  const count = sumOf(group, (one) => one.facts.count);
  return { rule: rule.id, path: count === 1 ? facts.example : facts.pattern, count, example: facts.example };
}

function toFinding(group: readonly Match[]): Finding {
  const [{ rule, facts }] = group as [Match];
  const sizes = flatMap(group, (one) => one.facts.bytes ?? []);
  const finding = { ...toBlocker(group), level: rule.level, what: typeName(facts) };
  if (sizes.length === 0) return finding;
  const meant = sumOf(sizes, ({ total }) => total);
  return { ...finding, bytes: { meant, copied: sumOf(sizes, ({ backing, total }) => backing ?? total) } };
}

function typeName({ kind, tag, flags }: Facts): string {
  if (tag !== undefined) return kind === 'object' && flags.includes('class-instance') ? `class ${tag}` : tag;
  if (kind === 'object' || kind === 'array') return kind;
  if (kind === 'boxed') return 'boxed value';
  return kind === 'typedarray' ? 'typed array' : (CONSTRUCTOR_OF[kind] ?? kind);
}

type Outcomes = ReturnType<typeof outcomesOf>;

/** Oldest newer version of the runtime with the least cost of this payload; null if no newer one costs less. */
function findUpgrade({ ranges, outcomeIn }: Outcomes, version: string, now: CostClass): Verdict['upgrade'] {
  const newer = filter(
    [...new Set(flatMap([...new Set(ranges)], turningPoints))],
    (since) => compareVersions(since, version) > 0,
  ).sort(compareVersions);
  let best: Verdict['upgrade'] = null;
  for (const since of newer) {
    const then = outcomeIn(since);
    if (worse(best?.class ?? now, then.class)) best = { since, path: then.path, class: then.class };
  }
  return best;
}

/** Matches in force of rows that apply if the payload takes this path. */
function matchesOn<R extends SharedRow>(
  path: PathName,
  rows: readonly R[],
  shape: Shape,
  context: PostContext,
) {
  const inForce = filter(rows, ({ scope }) => isInForce(scope, context));
  const relevant = filter(inForce, ({ on }) => on === undefined || on.includes(path));
  return findMatches(shape, relevant, context);
}

function findUnknowns(shape: Shape, matches: readonly Match<UnknownRow>[]): Unknown[] {
  const groups = groupedBy(matches, ({ rule, facts }) => `${rule.what} ${facts.pattern}`);
  const unknowns = map([...groups.values()], (group): Unknown => {
    const [{ rule, facts }] = group as [Match<UnknownRow>];
    const { what, otherwise } = rule;
    const count = sumOf(group, (one) => one.facts.count);
    return { what, path: facts.pattern, count, ...(otherwise && { otherwise }) };
  });
  // The bounded walk did not visit all. Patterns that it only folded together (`.*`, `..`) lose nothing.
  if (shape.truncated.items) unknowns.push({ what: 'patterns-left-out', path: '$', count: 1 });
  return unknowns;
}

export type Proposal = { remedy: string; plan: Plan };

/** Rewrites that answer most rules and that others are compared with. The limit never drops them. */
const ALWAYS: readonly string[] = ['json-text', 'compiled', 'patch'];

/** Remedies of rules that block a better path come first, then remedies of other slow findings, then the rest. */
function ranked(
  { verdict, findings }: Classification,
  remedies: readonly Remedy[],
  rules: readonly Pick<Rule, 'id' | 'remedies'>[],
): string[] {
  const slow = filter(findings, ({ level }) => level === 'rejected' || level === 'slow');
  const named = flatMap(
    [...verdict.blockers, ...slow],
    (found) => rules.find(({ id }) => id === found.rule)?.remedies ?? [],
  );
  return [...new Set([...named, ...map(remedies, ({ name }) => name)])];
}

/** Returns at most `limit` plans, most promising first: findings decide the order, then the order of `remedies`. */
export function propose(
  shape: Shape,
  classification: ProposalFacts,
  remedies: readonly Remedy[],
  limit = 6,
  rules: readonly Pick<Rule, 'id' | 'remedies'>[] = [],
): Proposal[] {
  const order = ranked(classification, remedies, rules);
  // The first plans of all remedies come before the second plan of any.
  const plans = flatMap(remedies, (remedy) =>
    map(remedy.plans(shape, classification), (plan, nth) => ({ remedy: remedy.name, plan, nth })),
  );
  const equal = groupedBy(plans, ({ remedy, plan }) => JSON.stringify([remedy, plan]));
  const all = map([...equal.values()], ([first]) => first!);
  all.sort((a, b) => a.nth - b.nth || order.indexOf(a.remedy) - order.indexOf(b.remedy));
  const kept = all.slice(0, limit);
  for (const [at, name] of ALWAYS.entries()) {
    const always = all.find((one) => one.remedy === name);
    if (always !== undefined && limit > at && !kept.includes(always)) kept.splice(limit - 1 - at, 1, always);
  }
  return map(kept, ({ remedy, plan }) => ({ remedy, plan }));
}

const textBytes = (rows: readonly Facts[]) =>
  sumOf(rows, ({ kind, bytes }) => (kind === 'string' ? (bytes?.total ?? 0) : 0));

/**
 * Bytes of one post of a payload; null if it is refused.
 * @param message bytes as counted by the running engine; empty if it was not queried
 * @param moved memory of the buffers in its transfer list, which `message` does not include
 */
export function postBytes(
  shape: Shape,
  path: PathName,
  engine: Engine,
  context: PostContext,
  message: readonly PathBytes[],
  moved = 0,
): PostBytes | null {
  if (path === 'rejected') return null;
  // Values whose memory the receiver uses too.
  const rows = [...new Set(map(matchesOn(path, engine.shares, shape, context), ({ facts }) => facts))];
  const text = textBytes(rows);
  const shared = text + sumOf(rows, ({ bytes }) => bytes?.shared ?? 0);
  const told = (copied: number, by: PostBytes['by']) => ({ copied: Math.max(0, copied), moved, shared, by });
  const bytesOn = (one: PathName) => message.find((row) => row.path === one)?.bytes;
  const estimated = () => told(estimatedSize(shape) - text - moved, 'shape');
  if (path === 'json') {
    const counted = bytesOn(path);
    if (counted !== undefined) return told(counted, 'serializer');
    return shape.jsonBytes === null ? estimated() : told(shape.jsonBytes, 'shape');
  }
  const direct = path === 'serializer' ? undefined : bytesOn(path);
  if (direct !== undefined) return told(direct + textBytes(shape.patterns) - text, 'formula');
  const serialized = bytesOn('serializer');
  return serialized === undefined ? estimated() : told(serialized - text, 'serializer');
}
