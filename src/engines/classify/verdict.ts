/** Derives the path that the engine takes from the matches, for one version of the runtime. */

import type { Facts, Shape } from '../../model/documents/shape.ts';
import { COST_CLASSES, type CostClass, type PathName } from '../../model/names.ts';
import type { Engine, PathRow, Scope, When } from '../../model/rules/rule.ts';
import { filter, flatMap } from '../../value/read/lists.ts';
import { inRange } from '../versions/versions.ts';
import { inScope, isAt, type Match, type PostContext, whenHolds } from './match.ts';

/** Path and class of a payload for one version of the runtime. */
export interface PathOutcome {
  path: PathName;
  class: CostClass;
  /** The path without blockers; null if that is the serializer. */
  attainable: PathName | null;
  /** Matches in force for this version and path. */
  matches: Match[];
  /** Matches in force that block the attainable path or make the payload more expensive than it. */
  blocking: Match[];
}

export const worse = (a: CostClass, b: CostClass): boolean =>
  COST_CLASSES.indexOf(a) > COST_CLASSES.indexOf(b);

/** True if the payload meets the conditions of this path. */
function applies(row: PathRow, shape: Shape, context: PostContext): boolean {
  const root = shape.patterns.find((facts) => facts.depth === 0);
  if (root === undefined || !whenHolds(row.root, root, shape, context)) return false;
  const { having, every } = row;
  const holds = (facts: Facts, { when }: { when: When }) => whenHolds(when, facts, shape, context);
  if (having && !shape.patterns.some((f) => isAt(having.at, f) && holds(f, having))) return false;
  if (!every) return true;
  const rows = filter(shape.patterns, (facts) => isAt(every.at, facts));
  return rows.length > 0 && rows.every((facts) => holds(facts, every));
}

/** Rows of the engine's decision order that this payload could take on this channel, for any version. */
export const pathsFor = (shape: Shape, engine: Engine, context: PostContext): PathRow[] =>
  filter(engine.paths, (row) => inScope(row.scope, context) && applies(row, shape, context));

function blocksPath({ rule, facts }: Match, path: PathName): boolean {
  if (rule.blocks === undefined || !rule.blocks.includes(path)) return false;
  return rule.at !== 'any' || facts.depth === 0;
}

/** Returns the attainable path if it is not blocked, else its fallback, else the serializer. */
function pathTaken(attainable: PathRow, inForce: readonly Match[]): PathName {
  if (inForce.some(({ rule }) => rule.level === 'rejected')) return 'rejected';
  const isBlocked = (path: PathName) => inForce.some((match) => blocksPath(match, path));
  if (!isBlocked(attainable.path)) return attainable.path;
  const fallback = attainable.otherwise ?? 'serializer';
  return isBlocked(fallback) ? 'serializer' : fallback;
}

/** Returns a function that checks if a scope covers `version`. */
export const scopeTest =
  (context: PostContext, version: string) =>
  (scope: Scope | undefined): boolean => {
    const range = scope?.runtimes?.[context.runtime.name];
    return range === undefined || inRange(version, range);
  };

/** Path and class of the payload for `version`. @throws RangeError if no row of the engine takes the value */
export function outcomeFor(
  rows: readonly PathRow[],
  matches: readonly Match[],
  context: PostContext,
  version: string,
): PathOutcome {
  const covers = scopeTest(context, version);
  const candidates = filter(rows, (row) => covers(row.scope));
  const best = candidates[0];
  if (best === undefined) throw new RangeError('no path takes this payload: the decision order has a gap');
  const inForce = filter(matches, ({ rule }) => covers(rule.scope));
  const path = pathTaken(best, inForce);
  const base = candidates.find((row) => row.path === path)?.costs;
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
    blocking: [...new Set([...rejecting, ...blocking, ...costly])],
  };
}
