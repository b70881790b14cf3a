/** From matches to the path that the engine takes, for one version of the runtime. */

import { COST_CLASSES, type CostClass, type PathName } from '../../model/names.ts';
import type { Engine, PathRow, Scope } from '../../model/rule.ts';
import type { Shape } from '../../model/shape.ts';
import { inScope, isAt, type Match, type PostContext, whenHolds } from './match.ts';
import { inRange } from './versions.ts';

/** What holds for one version. */
export interface PathOutcome {
  path: PathName;
  class: CostClass;
  attainable: PathName | null;
  /** Matches that speak for this version and path. */
  matches: Match[];
  /** Those among them that take the aspired path away or make the payload dearer than that path. */
  blocking: Match[];
}

export function worse(a: CostClass, b: CostClass): boolean {
  return COST_CLASSES.indexOf(a) > COST_CLASSES.indexOf(b);
}

function worstOf(classes: readonly CostClass[]): CostClass {
  return classes.reduce((worst, one) => (worse(one, worst) ? one : worst), COST_CLASSES[0]);
}

/** Whether the root and what stands at the named positions are such as this path wants. */
function applies(row: PathRow, shape: Shape): boolean {
  const root = shape.patterns.find((facts) => facts.depth === 0);
  if (root === undefined || !whenHolds(row.root, root, shape)) return false;
  const { having, every } = row;
  if (having && !shape.patterns.some((f) => isAt(having.at, f) && whenHolds(having.when, f, shape)))
    return false;
  if (!every) return true;
  const there = shape.patterns.filter((facts) => isAt(every.at, facts));
  return there.length > 0 && there.every((facts) => whenHolds(every.when, facts, shape));
}

/** Rows of the engine's decision order that this payload could take on this channel, whatever the version. */
export function pathsFor(shape: Shape, engine: Engine, where: PostContext): PathRow[] {
  return engine.paths.filter((row) => inScope(row.scope, where) && applies(row, shape));
}

function takesAway({ rule, facts }: Match, path: PathName): boolean {
  if (rule.blocks === undefined || !rule.blocks.includes(path)) return false;
  return rule.at !== 'any' || facts.depth === 0;
}

/** Where the payload ends up: the path it is made for, what that falls back to, or the serializer. */
function settled(wanted: PathRow, live: readonly Match[]): PathName {
  if (live.some(({ rule }) => rule.level === 'rejected')) return 'rejected';
  const closed = (path: PathName) => live.some((match) => takesAway(match, path));
  if (!closed(wanted.path)) return wanted.path;
  const next = wanted.otherwise ?? 'serializer';
  return closed(next) ? 'serializer' : next;
}

/** Whether a scope covers `version`; each range is read once. */
export function versionGate(where: PostContext, version: string): (scope: Scope | undefined) => boolean {
  const known = new Map<string, boolean>();
  return (scope) => {
    const range = scope?.runtimes?.[where.runtime.name];
    if (range === undefined) return true;
    let covered = known.get(range);
    if (covered === undefined) {
      covered = inRange(version, range);
      known.set(range, covered);
    }
    return covered;
  };
}

/** The path and class of the payload for `version`. @throws RangeError when no row of the engine takes the value */
export function outcomeFor(
  rows: readonly PathRow[],
  matches: readonly Match[],
  where: PostContext,
  version: string,
): PathOutcome {
  const covers = versionGate(where, version);
  const open = rows.filter((row) => covers(row.scope));
  const wanted = open[0];
  if (wanted === undefined) throw new RangeError('no path takes this payload: the decision order has a gap');
  const live = matches.filter(({ rule }) => covers(rule.scope));
  const path = settled(wanted, live);
  const base = open.find((row) => row.path === path)?.costs ?? (path === 'rejected' ? path : 'serialized');
  const spoken = live.filter(({ rule }) => rule.on === undefined || rule.on.includes(path));
  const refusing = live.filter(({ rule }) => rule.level === 'rejected');
  const taking = live.filter((match) => takesAway(match, wanted.path));
  const costing = spoken.filter(({ rule }) => rule.costs !== undefined && worse(rule.costs, wanted.costs));
  return {
    path,
    class: worstOf([base, ...spoken.flatMap(({ rule }) => rule.costs ?? [])]),
    attainable: wanted.path === 'serializer' ? null : wanted.path,
    matches: spoken,
    blocking: [...new Set([...refusing, ...taking, ...costing])],
  };
}
