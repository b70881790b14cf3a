/** Matches rows of a rule book against rows of a shape. */

import type { RuntimeId } from '../../model/documents/names.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import { type Channel, channelRow } from '../../model/names.ts';
import type { Rule, RulePosition, Scope, When } from '../../model/rules/rule.ts';
import type { Flag, Kind } from '../../model/vocabulary/shape.ts';
import { formatPath, parsePath } from '../paths.ts';
import { textUnits } from '../shape-facts.ts';
import { filter, flatMap } from '../value/lists.ts';
import { inRange } from '../versions.ts';
import { estimatedSize } from '../wire-estimate.ts';
import { postedHolds } from './platform-posts.ts';

export interface PostContext {
  runtime: RuntimeId;
  channel: Channel;
  /** True if the message is posted with a non-empty transfer list. */
  transferring?: boolean;
}

/** A row of a rule book with conditions on rows of facts: a rule, an unknown or what is shared. */
interface ConditionRow {
  at: RulePosition | readonly RulePosition[];
  when: When | readonly When[];
  scope?: Scope;
}

/** A rule (or unknown) that matches a row of facts. */
export type Match<R extends ConditionRow = Rule> = { rule: R; facts: Facts };

const asList = <T>(one: T | readonly T[]): readonly T[] =>
  Array.isArray(one) ? (one as readonly T[]) : [one as T];

/** True if the scope excludes this version of the runtime. */
export function isExcepted(
  { exceptOn }: Scope,
  { name, version }: Pick<RuntimeId, 'name' | 'version'>,
): boolean {
  const range = exceptOn?.[name];
  return range !== undefined && inRange(version, range);
}

/** True if all conditions of a scope except the version hold. */
export function inScope(scope: Scope | undefined, context: PostContext): boolean {
  // Rows without channels in their scope are about structured clone.
  if (channelRow(context.channel).ownRules && scope?.channels === undefined)
    return scope?.alsoOver?.includes(context.channel) === true;
  if (scope === undefined) return true;
  if (scope.runtimes !== undefined && scope.runtimes[context.runtime.name] === undefined) return false;
  if (isExcepted(scope, context.runtime) || scope.exceptOver?.includes(context.channel)) return false;
  if (scope.channels !== undefined && !scope.channels.includes(context.channel)) return false;
  return scope.transferring === undefined || scope.transferring === (context.transferring ?? false);
}

const BIT: Readonly<Record<RulePosition, number>> = {
  any: 1,
  root: 2,
  nested: 4,
  'root-value': 8,
  element: 16,
  'element-value': 32,
  'in-collection': 64,
  outside: 128,
};

/** A key that looks like this is written in quotes. */
const IN_COLLECTION = /(^|[^"])\{(key|value|member)\}/;

/** Returns the bits of all positions of a row. `$[*]` distinguishes an element from a named property of an array. */
function positionBits({ depth, parent, pattern }: Facts): number {
  const anywhere = BIT.any | (IN_COLLECTION.test(pattern) ? BIT['in-collection'] : BIT.outside);
  if (depth === 0) return anywhere | BIT.root;
  const below = anywhere | BIT.nested;
  if (depth === 1 && parent === 'object') return below | BIT['root-value'];
  if (depth > 2 || !pattern.startsWith('$[*]')) return below;
  if (depth === 1) return parent === 'array' ? below | BIT.element : below;
  return parent === 'object' ? below | BIT['element-value'] : below;
}

export const isAt = (position: ConditionRow['at'], facts: Facts): boolean =>
  (wantedBits(position) & positionBits(facts)) !== 0;

const wantedBits = (position: ConditionRow['at']): number =>
  asList(position).reduce((bits, one) => bits | BIT[one], 0);

function countFlags(wanted: readonly Flag[], flags: readonly Flag[]): number {
  let count = 0;
  for (let i = 0; i < wanted.length; i++) if (flags.includes(wanted[i]!)) count++;
  return count;
}

function flagsHold({ all, any, none }: When, flags: readonly Flag[]): boolean {
  if (all !== undefined && countFlags(all, flags) < all.length) return false;
  if (any !== undefined && countFlags(any, flags) === 0) return false;
  return none === undefined || flags.length === 0 || countFlags(none, flags) === 0;
}

function sizesHold(when: When, facts: Facts, shape: Shape): boolean {
  if (when.sizeFrom !== undefined && (facts.size?.max ?? 0) < when.sizeFrom) return false;
  if (when.sizeTo !== undefined && (facts.size?.max ?? 0) > when.sizeTo) return false;
  if (when.bytesFrom !== undefined && (facts.bytes?.max ?? 0) < when.bytesFrom) return false;
  if (when.countFrom !== undefined && facts.count < when.countFrom) return false;
  if (when.payloadBytesFrom !== undefined && estimatedSize(shape) < when.payloadBytesFrom) return false;
  if (when.payloadJsonFrom !== undefined && (shape.jsonBytes ?? 0) <= when.payloadJsonFrom) return false;
  if (when.payloadTextFrom !== undefined && textUnits(shape.patterns) < when.payloadTextFrom) return false;
  return when.payloadDepthFrom === undefined || shape.depth >= when.payloadDepthFrom;
}

function tagsHold({ tag, notTag, parent }: When, facts: Facts): boolean {
  if (tag !== undefined && (facts.tag === undefined || !tag.includes(facts.tag))) return false;
  if (notTag !== undefined && facts.tag !== undefined && notTag.includes(facts.tag)) return false;
  return parent === undefined || (facts.parent !== null && parent.includes(facts.parent));
}

function anyHolds(whens: readonly When[], facts: Facts, shape: Shape, context: PostContext): boolean {
  for (let i = 0; i < whens.length; i++) {
    const when = whens[i]!;
    const holds = flagsHold(when, facts.flags) && tagsHold(when, facts) && sizesHold(when, facts, shape);
    if (holds && (when.posted === undefined || postedHolds(when.posted, facts.tag, context))) return true;
  }
  return false;
}

const allowsKind = (kind: Kind) => (when: When) =>
  when.kind === undefined || asList(when.kind).includes(kind);

export const whenHolds = (
  when: When | readonly When[],
  facts: Facts,
  shape: Shape,
  context: PostContext,
): boolean => anyHolds(filter(asList(when), allowsKind(facts.kind)), facts, shape, context);

/** The rows of a book that may match a value of this kind, about a dozen, each with its conditions on the kind. */
const rowsFor = <R extends ConditionRow>(kind: Kind, book: readonly R[], context: PostContext) =>
  flatMap(book, (rule) => {
    const whens = filter(asList<When>(rule.when), allowsKind(kind));
    const mayMatch = whens.length > 0 && inScope(rule.scope, context);
    return mayMatch ? [{ rule, at: wantedBits(rule.at), whens }] : [];
  });

/**
 * Rows of the values that such a channel writes: no contents of errors; for JSON also no contents of Maps and Sets, no
 * named properties of arrays, and no contents of objects with a toJSON, whose result is written instead.
 */
function writtenRows(rows: readonly Facts[], asJson: boolean): Facts[] {
  /** Patterns whose children may be written. */
  const open = new Set<string>();
  return filter(rows, ({ pattern, parent, flags }) => {
    const steps = parsePath(pattern) ?? [];
    const last = steps.at(-1);
    const isNamed = parent === 'array' && last?.type === 'key';
    if (parent === 'error' || (asJson && (last?.type === 'entry' || isNamed))) return false;
    if (last !== undefined && last.type !== 'deeper' && !open.has(formatPath(steps.slice(0, -1))))
      return false;
    if (!(asJson && flags.includes('to-json'))) open.add(pattern);
    return true;
  });
}

/** Returns every match in the payload for any version, in the order of the shape's rows. */
export function findMatches<R extends ConditionRow>(
  shape: Shape,
  books: readonly (readonly R[])[],
  context: PostContext,
): Match<R>[] {
  const byKind = new Map<Kind, ReturnType<typeof rowsFor<R>>>();
  const matches: Match<R>[] = [];
  const { ownRules, json = false } = channelRow(context.channel);
  const written = ownRules ? writtenRows(shape.patterns, json) : shape.patterns;
  for (const facts of written) {
    let rows = byKind.get(facts.kind);
    if (rows === undefined) {
      rows = flatMap(books, (book) => rowsFor(facts.kind, book, context));
      byKind.set(facts.kind, rows);
    }
    if (rows.length === 0) continue;
    const at = positionBits(facts);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      if ((row.at & at) !== 0 && anyHolds(row.whens, facts, shape, context))
        matches.push({ rule: row.rule, facts });
    }
  }
  return matches;
}
