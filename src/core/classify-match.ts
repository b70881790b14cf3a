/** Rows of a rule book against rows of a shape. */
import type { Position, Rule, Scope, When } from '../model/rule.ts';
import type { Facts, Kind, Shape } from '../model/shape.ts';
import type { Channel, RuntimeId } from '../model/words.ts';
import { inRange } from './versions.ts';

export interface Where {
  runtime: RuntimeId;
  channel: Channel;
  /** The message is posted with a non-empty transfer list. */
  transferring?: boolean;
}

/** A rule that holds for a row of facts. */
export interface Match {
  rule: Rule;
  facts: Facts;
}

export function listOf<T>(one: T | readonly T[]): readonly T[] {
  return Array.isArray(one) ? (one as readonly T[]) : [one as T];
}

/** Everything of a scope but the version: what stays the same when a newer version is tried. */
export function concerns(scope: Scope | undefined, where: Where): boolean {
  if (scope === undefined) return true;
  if (scope.runtimes !== undefined && scope.runtimes[where.runtime.name] === undefined) return false;
  if (scope.channels !== undefined && !scope.channels.includes(where.channel)) return false;
  return scope.transferring === undefined || scope.transferring === (where.transferring ?? false);
}

export function inVersion(scope: Scope | undefined, where: Where, version: string): boolean {
  const range = scope?.runtimes?.[where.runtime.name];
  return range === undefined || inRange(version, range);
}

/** Named positions of a row; `$[*]` tells an element from a named property of an array. */
export function isAt(position: Position, facts: Facts): boolean {
  switch (position) {
    case 'any':
      return true;
    case 'root':
      return facts.depth === 0;
    case 'nested':
      return facts.depth > 0;
    case 'root-value':
      return facts.depth === 1 && facts.parent === 'object';
    case 'element':
      return facts.depth === 1 && facts.parent === 'array' && facts.pattern.startsWith('$[*]');
    case 'element-value':
      return facts.depth === 2 && facts.parent === 'object' && facts.pattern.startsWith('$[*]');
  }
}

function flagsHold(when: When, facts: Facts): boolean {
  const { flags } = facts;
  if (when.all !== undefined && !when.all.every((flag) => flags.includes(flag))) return false;
  if (when.any !== undefined && !when.any.some((flag) => flags.includes(flag))) return false;
  return when.none === undefined || !when.none.some((flag) => flags.includes(flag));
}

function sizesHold(when: When, facts: Facts, shape: Shape): boolean {
  const size = facts.size?.max ?? 0;
  return (
    size >= (when.sizeFrom ?? 0) &&
    size <= (when.sizeTo ?? Number.POSITIVE_INFINITY) &&
    (facts.bytes?.max ?? 0) >= (when.bytesFrom ?? 0) &&
    facts.count >= (when.countFrom ?? 0) &&
    shape.depth >= (when.payloadDepthFrom ?? 0)
  );
}

function oneHolds(when: When, facts: Facts, shape: Shape): boolean {
  if (when.kind !== undefined && !listOf(when.kind).includes(facts.kind)) return false;
  if (when.tag !== undefined && !(facts.tag !== undefined && when.tag.includes(facts.tag))) return false;
  if (when.notTag !== undefined && facts.tag !== undefined && when.notTag.includes(facts.tag)) return false;
  if (when.parent !== undefined && !(facts.parent !== null && when.parent.includes(facts.parent)))
    return false;
  return flagsHold(when, facts) && sizesHold(when, facts, shape);
}

export function whenHolds(when: When | readonly When[], facts: Facts, shape: Shape): boolean {
  return listOf(when).some((one) => oneHolds(one, facts, shape));
}

const asking = new WeakMap<readonly Rule[], Map<Kind, readonly Rule[]>>();

/** Rules that may concern a value of this kind, so that a row of facts meets a dozen of them and not all. */
function rulesAbout(kind: Kind, rules: readonly Rule[]): readonly Rule[] {
  let byKind = asking.get(rules);
  if (byKind === undefined) {
    byKind = new Map();
    asking.set(rules, byKind);
  }
  let about = byKind.get(kind);
  if (about === undefined) {
    about = rules.filter((rule) =>
      listOf(rule.when).some((when) => when.kind === undefined || listOf(when.kind).includes(kind)),
    );
    byKind.set(kind, about);
  }
  return about;
}

/** Every match in the payload, whatever the version; in the order of the shape's rows. */
export function matchesOf(shape: Shape, books: readonly (readonly Rule[])[], where: Where): Match[] {
  const matches: Match[] = [];
  for (const facts of shape.patterns) {
    for (const rules of books) {
      for (const rule of rulesAbout(facts.kind, rules)) {
        if (
          listOf(rule.at).some((at) => isAt(at, facts)) &&
          concerns(rule.scope, where) &&
          whenHolds(rule.when, facts, shape)
        )
          matches.push({ rule, facts });
      }
    }
  }
  return matches;
}
