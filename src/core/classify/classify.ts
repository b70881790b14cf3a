/** Which path a payload takes through an engine, what it costs, what stands in the way. A pure match of rows. */

import { LEVELS } from '../../model/names.ts';
import type {
  Blocker,
  Classification,
  Engine,
  Finding,
  PathRow,
  Rule,
  RuleBook,
  Scope,
  Unknown,
  UnknownRow,
  Verdict,
} from '../../model/rule.ts';
import type { Facts, Kind, Shape } from '../../model/shape.ts';
import { type Match, matchesOf, type PostContext } from './match.ts';
import { outcomeFor, type PathOutcome, pathsFor, versionGate, worse } from './verdict.ts';
import { compareVersions, turningPoints } from './versions.ts';

/**
 * @param shape what `describe` says of the payload
 * @param engine rule book of the engine that the runtime is built on
 * @param spec what holds in every engine
 * @param where runtime with its version, channel, and whether a transfer list goes along
 */
export function classify(shape: Shape, engine: Engine, spec: RuleBook, where: PostContext): Classification {
  const { version } = where.runtime;
  const matches = matchesOf(shape, [engine.rules, spec.rules], where);
  const rows = pathsFor(shape, engine, where);
  const outcome = outcomeFor(rows, matches, where, version);
  return {
    verdict: {
      path: outcome.path,
      class: outcome.class,
      confirmed: null,
      aspired: outcome.attainable,
      blockers: grouped(outcome.blocking).map(blockerOf),
      upgrade: upgradeOf(rows, matches, where, outcome),
      unknowns: unknownsOf(shape, engine.unknowns, where, outcome),
    },
    findings: grouped(outcome.matches)
      .map(findingOf)
      .sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level)),
  };
}

/** Matches of one rule at one pattern, which differ only in facts that the rule does not ask for. */
interface MatchGroup {
  rule: Rule;
  rows: [Facts, ...Facts[]];
}

function grouped(matches: readonly Match[]): MatchGroup[] {
  const groups = new Map<Rule, Map<string, MatchGroup>>();
  const inOrder: MatchGroup[] = [];
  for (const { rule, facts } of matches) {
    let byPattern = groups.get(rule);
    if (byPattern === undefined) {
      byPattern = new Map();
      groups.set(rule, byPattern);
    }
    const group = byPattern.get(facts.pattern);
    if (group) group.rows.push(facts);
    else {
      const fresh: MatchGroup = { rule, rows: [facts] };
      byPattern.set(facts.pattern, fresh);
      inOrder.push(fresh);
    }
  }
  return inOrder;
}

/** One value is named by its own path, several by their pattern. */
function blockerOf({ rule, rows }: MatchGroup): Blocker {
  const [{ pattern, example }] = rows;
  const count = rows.reduce((sum, facts) => sum + facts.count, 0);
  return { rule: rule.id, path: count === 1 ? example : pattern, count, example };
}

function findingOf(group: MatchGroup): Finding {
  const [first] = group.rows;
  const measured = group.rows.filter((facts) => facts.bytes !== undefined);
  return {
    ...blockerOf(group),
    level: group.rule.level,
    what: nameOf(first),
    ...(measured.length > 0 && {
      bytes: {
        meant: measured.reduce((sum, { bytes }) => sum + bytes!.total, 0),
        copied: measured.reduce((sum, { bytes }) => sum + (bytes!.backing ?? bytes!.total), 0),
      },
    }),
  };
}

/** Kinds whose constructor is written otherwise than the kind. */
const NAMES: Partial<Record<Kind, string>> = {
  date: 'Date',
  regexp: 'RegExp',
  map: 'Map',
  set: 'Set',
  error: 'Error',
  bigint: 'BigInt',
  boxed: 'boxed value',
  promise: 'Promise',
  proxy: 'Proxy',
  weakmap: 'WeakMap',
  weakset: 'WeakSet',
  weakref: 'WeakRef',
  arraybuffer: 'ArrayBuffer',
  sharedarraybuffer: 'SharedArrayBuffer',
  typedarray: 'typed array',
  dataview: 'DataView',
};

function nameOf({ kind, tag, flags }: Facts): string {
  if (tag === undefined) return NAMES[kind] ?? kind;
  return kind === 'object' && flags.includes('class-instance') ? `class ${tag}` : tag;
}

const rangeFor = (scope: Scope | undefined, where: PostContext) => scope?.runtimes?.[where.runtime.name];

/** The oldest newer version of the same runtime in which this payload is cheapest, if it is cheaper there than now. */
function upgradeOf(
  rows: readonly PathRow[],
  matches: readonly Match[],
  where: PostContext,
  now: PathOutcome,
): Verdict['upgrade'] {
  const scopes = [...rows.map((row) => row.scope), ...matches.map(({ rule }) => rule.scope)];
  const ranges = new Set(scopes.flatMap((scope) => rangeFor(scope, where) ?? []));
  const newer = [...new Set([...ranges].flatMap(turningPoints))]
    .filter((version) => compareVersions(version, where.runtime.version) > 0)
    .sort(compareVersions);
  let best: Verdict['upgrade'] = null;
  for (const since of newer) {
    const then = outcomeFor(rows, matches, where, since);
    if (worse(best?.class ?? now.class, then.class)) best = { since, path: then.path, class: then.class };
  }
  return best;
}

/** Questions on which the outcome rests and which the description leaves open. */
function unknownsOf(
  shape: Shape,
  rows: readonly UnknownRow[],
  where: PostContext,
  { path }: PathOutcome,
): Unknown[] {
  const covers = versionGate(where, where.runtime.version);
  const open = matchesOf(shape, [rows.filter(({ on, scope }) => on.includes(path) && covers(scope))], where);
  const unknowns = new Map<string, Unknown>();
  for (const { rule, facts } of open) {
    const key = `${rule.what} ${facts.pattern}`;
    const known = unknowns.get(key);
    if (known) known.count += facts.count;
    else
      unknowns.set(key, {
        what: rule.what,
        path: facts.pattern,
        count: facts.count,
        ...(rule.otherwise && { otherwise: rule.otherwise }),
      });
  }
  return [...unknowns.values(), ...leftOutOfWalk(shape)];
}

/** What the bounded walk did not look at. Patterns that it only folded together (`.*`, `..`) lose nothing. */
function leftOutOfWalk(shape: Shape): Unknown[] {
  const bounded = shape.patterns.filter(
    ({ flags }) => flags.includes('too-many-items') || flags.includes('too-many-keys'),
  );
  const patterns =
    shape.truncated.items && bounded.length === 0 ? [{ what: 'patterns-left-out', path: '$', count: 1 }] : [];
  return [
    ...bounded.map(({ pattern, count }) => ({ what: 'items-left-out', path: pattern, count })),
    ...patterns,
  ];
}
