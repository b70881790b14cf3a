/** Matches rows of a rule book against rows of a shape, and derives the path from the matches, for one version. */

import type { RuntimeId } from '../../model/documents/names.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import {
  type Channel,
  COST_CLASSES,
  type CostClass,
  channelRow,
  isStore,
  type PathName,
  type RuntimeName,
} from '../../model/names.ts';
import type {
  Engine,
  PathRow,
  PlatformTable,
  PostOutcome,
  Rule,
  RulePosition,
  Scope,
  When,
} from '../../model/rules/rule.ts';
import { sumOf } from '../../model/sums.ts';
import type { Flag, Kind } from '../../model/vocabulary/shape.ts';
import { filter, flatMap, map } from '../../value/read/lists.ts';
import { formatPath, parsePath } from '../../value/read/paths.ts';
import { HOST_KINDS, has, openKinds, textUnits } from '../../value/shape/shape-facts.ts';
import { estimatedSize } from '../../value/shape/wire-estimate.ts';
import { inRange } from '../versions/versions.ts';

export interface PostContext {
  runtime: RuntimeId;
  channel: Channel;
  /** True if the message is posted with a non-empty transfer list. */
  transferring?: boolean;
}

/** A row of a rule book with conditions on rows of facts: a rule, an unknown or what is shared. */
type ConditionRow = Pick<Rule, 'at' | 'when' | 'scope'>;

export type Match<R extends ConditionRow = Rule> = { rule: R; facts: Facts };

const asList = <T>(one: T | readonly T[]): readonly T[] =>
  Array.isArray(one) ? (one as readonly T[]) : [one as T];

/** True if all conditions of a scope except the version hold. */
function inScope(scope: Scope | undefined, context: PostContext): boolean {
  // Rows without channels in their scope are about structured clone.
  if (channelRow(context.channel).ownRules && scope?.channels === undefined)
    return scope?.alsoOver?.includes(context.channel) === true;
  if (scope === undefined) return true;
  if (scope.runtimes !== undefined && scope.runtimes[context.runtime.name] === undefined) return false;
  const excepted = scope.exceptOn?.[context.runtime.name];
  if (excepted !== undefined && inRange(context.runtime.version, excepted)) return false;
  if (scope.exceptOver?.includes(context.channel)) return false;
  if (scope.channels !== undefined && !scope.channels.includes(context.channel)) return false;
  return scope.transferring === undefined || scope.transferring === (context.transferring ?? false);
}

/** A key that looks like this is written in quotes. */
const IN_COLLECTION = /(^|[^"])\{(key|value|member)\}/;

/** `$[*]` distinguishes an element from a named property of an array. */
export function positionsOf({ depth, parent, pattern }: Facts): RulePosition[] {
  const anywhere: RulePosition[] = ['any', IN_COLLECTION.test(pattern) ? 'in-collection' : 'outside'];
  if (pattern.startsWith('${')) anywhere.push('in-root');
  if (depth === 0) return [...anywhere, 'root'];
  const below: RulePosition[] = [...anywhere, 'nested'];
  if (depth === 1 && parent === 'object') return [...below, 'root-value'];
  if (depth > 2 || !pattern.startsWith('$[*]')) return below;
  if (depth === 1) return parent === 'array' ? [...below, 'element'] : below;
  return parent === 'object' ? [...below, 'element-value'] : below;
}

const isOneOf = (wanted: ConditionRow['at'], positions: readonly RulePosition[]): boolean =>
  asList(wanted).some((position) => positions.includes(position));

function flagsHold({ all = [], any, none = [] }: When, flags: readonly Flag[]): boolean {
  const has = (flag: Flag): boolean => flags.includes(flag);
  return all.every(has) && (any === undefined || any.some(has)) && !none.some(has);
}

const filledShare = ({ pattern, size }: Facts, { patterns }: Shape): number =>
  sumOf(patterns, (one) => (one.pattern === `${pattern}[*]` ? one.count : 0)) / (size?.total ?? 1);

function sizesHold(when: When, facts: Facts, shape: Shape): boolean {
  if (when.sizeFrom !== undefined && (facts.size?.max ?? 0) < when.sizeFrom) return false;
  if (when.sizeTo !== undefined && (facts.size?.max ?? 0) > when.sizeTo) return false;
  if (when.filledTo !== undefined && filledShare(facts, shape) > when.filledTo) return false;
  if (when.bytesFrom !== undefined && (facts.bytes?.max ?? 0) < when.bytesFrom) return false;
  if (when.countFrom !== undefined && facts.count < when.countFrom) return false;
  if (when.payloadBytesFrom !== undefined && estimatedSize(shape) < when.payloadBytesFrom) return false;
  if (when.payloadJsonFrom !== undefined && (shape.jsonBytes ?? 0) <= when.payloadJsonFrom) return false;
  if (when.payloadTextFrom !== undefined && textUnits(shape.patterns) < when.payloadTextFrom) return false;
  return when.payloadDepthFrom === undefined || shape.depth >= when.payloadDepthFrom;
}

/** False for an object of the user, and for one that was only given the prototype of a class of the platform. */
const mayBeOfPlatform = ({ kind, flags, size }: Facts): boolean =>
  kind !== 'object' || (flags.includes('web-object') && (size?.max ?? 0) === 0);

function tagsHold({ tag, notTag, web, parent }: When, facts: Facts): boolean {
  if (tag !== undefined && (facts.tag === undefined || !tag.includes(facts.tag))) return false;
  if (notTag !== undefined && facts.tag !== undefined && notTag.includes(facts.tag)) return false;
  if (web !== undefined && !(web.includes(facts.tag ?? '') && mayBeOfPlatform(facts))) return false;
  return parent === undefined || (facts.parent !== null && parent.includes(facts.parent));
}

const kindHolds = ({ kind: wanted }: When, kind: Kind) =>
  wanted === undefined || asList(wanted).includes(kind);

const whenHolds = (when: When | readonly When[], facts: Facts, shape: Shape, context: PostContext): boolean =>
  asList(when).some(
    (one) =>
      kindHolds(one, facts.kind) &&
      flagsHold(one, facts.flags) &&
      tagsHold(one, facts) &&
      sizesHold(one, facts, shape) &&
      (one.posted === undefined || postedHolds(one.posted, facts.tag, context)),
  );

/** True for a value in an object of the platform whose own properties are lost; the shape is of another channel. */
const isLeftOut = ({ parent }: Facts, open: ReadonlySet<Kind>): boolean =>
  parent !== null && HOST_KINDS.has(parent) && !open.has(parent);

/**
 * Rows of the values that a channel writes. Channels with own rules write no contents of errors and no named properties
 * of arrays outside of Maps and Sets; JSON no contents of Maps, Sets and objects with a toJSON.
 */
function writtenRows(rows: readonly Facts[], { runtime, channel }: PostContext): readonly Facts[] {
  const { ownRules, json } = channelRow(channel);
  const kinds = openKinds(runtime.engine, channel);
  if (!ownRules && !rows.some((row) => isLeftOut(row, kinds))) return rows;
  /** Patterns whose children may be written. */
  const open = new Set<string>();
  return filter(rows, (row) => {
    const { pattern, parent, flags } = row;
    const steps = parsePath(pattern) ?? [];
    const last = steps.at(-1);
    const isNamed = parent === 'array' && last?.type === 'key' && !IN_COLLECTION.test(pattern);
    if (isLeftOut(row, kinds) || (ownRules && (isNamed || parent === 'error'))) return false;
    if (json && last?.type === 'entry') return false;
    if (last !== undefined && last.type !== 'deeper' && !open.has(formatPath(steps.slice(0, -1))))
      return false;
    if (!(json && flags.includes('to-json'))) open.add(pattern);
    return true;
  });
}

/** Returns every match in the payload for any version, in the order of the shape's rows. */
export function findMatches<R extends ConditionRow>(
  shape: Shape,
  book: readonly R[],
  context: PostContext,
): Match<R>[] {
  const rows = filter(book, ({ scope }) => inScope(scope, context));
  // Most rules are about one kind, and a payload of many places has few kinds.
  const ofKinds = new Map<Kind, R[]>();
  for (const kind of new Set(map(shape.patterns, (facts) => facts.kind)))
    ofKinds.set(
      kind,
      filter(rows, ({ when }) => asList(when).some((one) => kindHolds(one, kind))),
    );
  return flatMap(writtenRows(shape.patterns, context), (facts) => {
    const positions = positionsOf(facts);
    const holding = filter(
      ofKinds.get(facts.kind)!,
      ({ at, when }) => isOneOf(at, positions) && whenHolds(when, facts, shape, context),
    );
    return map(holding, (rule) => ({ rule, facts }));
  });
}

/** Returns null if the table or the runtime lacks the class, or if no outcome was observed. */
export function postOutcomes(
  table: PlatformTable,
  name: string,
  { runtime, channel }: PostContext,
): readonly PostOutcome[] | null {
  const rows = Object.hasOwn(table, name) ? table[name as keyof PlatformTable][runtime.name] : undefined;
  const row = rows?.find(
    ({ versions = '*', channels }) =>
      inRange(runtime.version, versions) && (channels === undefined || channels.includes(channel)),
  );
  if (row === undefined || row.as.length === 0) return null;
  if (channelRow(channel).moves) return row.as;
  const copied = filter(row.as, (outcome) => outcome !== 'moved');
  return copied.length > 0 ? copied : ['refused'];
}

function postedHolds(
  { by, all = [], none = [] }: NonNullable<When['posted']>,
  tag: string | undefined,
  context: PostContext,
): boolean {
  const outcomes = tag === undefined ? null : postOutcomes(by, tag, context);
  if (outcomes === null) return false;
  return all.every((one) => outcomes.includes(one)) && none.every((one) => !outcomes.includes(one));
}

/** First platform class in a payload that this runtime lacks, so that the payload cannot exist there; else null. */
export function missingClass({ patterns }: Shape, table: PlatformTable, runtime: RuntimeName): string | null {
  for (const row of patterns) {
    const { kind, tag } = row;
    const isPlatform = kind === 'platform' || (kind === 'object' && has(row, 'web-object'));
    if (!isPlatform || tag === undefined || !Object.hasOwn(table, tag)) continue;
    const rows = table[tag as keyof PlatformTable][runtime];
    if (rows === undefined) return tag;
    // Pages of Electron have classes that its main process lacks.
    if (rows.length > 0 && rows.every(({ channels }) => channels?.every(isStore))) return tag;
  }
  return null;
}

export const worse = (a: CostClass, b: CostClass) => COST_CLASSES.indexOf(a) > COST_CLASSES.indexOf(b);

function applies(row: PathRow, shape: Shape, context: PostContext): boolean {
  const root = shape.patterns.find((facts) => facts.depth === 0);
  if (root === undefined || !whenHolds(row.root, root, shape, context)) return false;
  const { someElement, everyElement } = row;
  if (!someElement && !everyElement) return true;
  const holds = (when: When | undefined) => (facts: Facts) => !when || whenHolds(when, facts, shape, context);
  const elements = filter(shape.patterns, (facts) => positionsOf(facts).includes('element'));
  return elements.some(holds(someElement)) && elements.every(holds(everyElement));
}

function blocksPath({ rule, facts }: Match, path: PathName): boolean {
  if (rule.blocks === undefined || !rule.blocks.includes(path)) return false;
  return rule.at !== 'any' || facts.depth === 0;
}

function pathTaken(attainable: PathRow, inForce: readonly Match[]): PathName {
  if (inForce.some(({ rule }) => rule.level === 'rejected')) return 'rejected';
  const isBlocked = (path: PathName) => inForce.some((match) => blocksPath(match, path));
  if (!isBlocked(attainable.path)) return attainable.path;
  const fallback = attainable.otherwise ?? 'serializer';
  return isBlocked(fallback) ? 'serializer' : fallback;
}

const coversVersion = (scope: Scope | undefined, { name }: RuntimeId, version: string): boolean => {
  const range = scope?.runtimes?.[name];
  return range === undefined || inRange(version, range);
};

export const isInForce = (scope: Scope | undefined, context: PostContext): boolean =>
  inScope(scope, context) && coversVersion(scope, context.runtime, context.runtime.version);

function outcomeOf(rows: readonly PathRow[], inForce: readonly Match[]) {
  const best = rows[0];
  if (best === undefined) throw new RangeError('no path takes this payload: the decision order has a gap');
  const path = pathTaken(best, inForce);
  const base = rows.find((row) => row.path === path)?.costs;
  const relevant = filter(inForce, ({ rule }) => rule.on === undefined || rule.on.includes(path));
  const rejecting = filter(inForce, ({ rule }) => rule.level === 'rejected');
  const blocking = filter(inForce, (match) => blocksPath(match, best.path));
  const costly = filter(relevant, ({ rule }) => rule.costs !== undefined && worse(rule.costs, best.costs));
  const costs = flatMap(relevant, ({ rule }) => rule.costs ?? []);
  return {
    path,
    class: costs.reduce(
      (worst, one) => (worse(one, worst) ? one : worst),
      base ?? (path === 'rejected' ? path : 'serialized'),
    ),
    attainable: best.path === 'serializer' ? null : best.path,
    matches: relevant,
    /** Matches in force that block the attainable path or make the payload more expensive than it. */
    blocking: [...new Set([...rejecting, ...blocking, ...costly])],
  };
}

/** `outcomeIn` a version throws a RangeError if no row of the engine takes the value. `ranges`: where it may change. */
export function outcomesOf(shape: Shape, engine: Engine, context: PostContext) {
  // For any version.
  const rows = filter(engine.paths, (row) => inScope(row.scope, context) && applies(row, shape, context));
  const matches = findMatches(shape, engine.rules, context);
  const scoped = [...rows, ...map(matches, ({ rule }) => rule)];
  return {
    ranges: flatMap(scoped, ({ scope }) => scope?.runtimes?.[context.runtime.name] ?? []),
    outcomeIn(version: string) {
      const covers = (scope: Scope | undefined) => coversVersion(scope, context.runtime, version);
      return outcomeOf(
        filter(rows, (row) => covers(row.scope)),
        filter(matches, ({ rule }) => covers(rule.scope)),
      );
    },
  };
}
