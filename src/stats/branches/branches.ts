/** Branches of a payload to time by leaving them out, and what that saves. */

import type { Interval, RatioEstimate } from '../../model/documents/measurement.ts';
import type { BranchCost } from '../../model/documents/profile.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import { groupedBy, sumOf } from '../../model/sums.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import type { BranchBytes, Measured, Variant } from '../../model/wire/wire.ts';
import { isMap, setOwn, shallowCopy } from '../../value/copy/copies.ts';
import { isObject } from '../../value/read/own-data.ts';
import { formatPath, isAtOrBelow, type PathStep, parsePath } from '../../value/read/paths.ts';
import { childrenAt } from '../../value/read/walk.ts';
import { ratioInterval } from '../intervals/intervals.ts';
import { ORIGINAL, RunSamples } from '../intervals/variant-samples.ts';

/**
 * Copy of `value` without the data at `path`, a pattern whose last step is a key. Only the containers on the path are
 * copied, once each. A getter or an absent key on the path changes nothing.
 */
export function without(value: unknown, path: string): unknown {
  const steps = parsePath(path) ?? [];
  const last = steps.pop();
  if (last?.type !== 'key' || !isObject(value)) return value;
  const copyAt = (level: number, container: object) =>
    shallowCopy(container, level === steps.length ? last.key : null);
  const root = copyAt(0, value);
  let copies = new Map([[value, root]]);
  for (const [level, step] of steps.entries()) {
    const made = new Map<object, object>();
    for (const [original, copy] of copies)
      for (const [key, child] of childrenAt(original, step)) {
        if (!isObject(child)) continue;
        const inner = made.get(child) ?? copyAt(level + 1, child);
        made.set(child, inner);
        if (isMap(copy)) copy.set(key, inner);
        else setOwn(copy, key as string | number, inner);
      }
    copies = made;
  }
  return root;
}

const MAX_BRANCHES = 8;
/** A lighter branch could not be distinguished from noise. */
const MIN_SHARE = 0.02;
/** Rough cost of a value in addition to its text or its bytes: a tag and a key or index on the wire. */
const BYTES_PER_VALUE = 8;

/** The heaviest branches as path patterns. Their weight is an estimate; it only selects what is measured. */
export function branchesOf({ patterns }: Shape): string[] {
  const rows = groupedBy(patterns, ({ pattern }) => pattern);
  const whole = weightBelow('$', patterns);
  return [...rows.keys()]
    .filter((path) => canBeLeftOut(path, rows))
    .map((path) => ({ path, weight: weightBelow(path, patterns) }))
    .filter(({ weight }) => weight >= MIN_SHARE * whole)
    .sort((a, b) => b.weight - a.weight || a.path.length - b.path.length)
    .slice(0, MAX_BRANCHES)
    .map(({ path }) => path);
}

const weightBelow = (path: string, patterns: readonly Facts[]): number =>
  sumOf(
    patterns.filter(({ pattern }) => isAtOrBelow(pattern, path)),
    ({ count, bytes }) => count * BYTES_PER_VALUE + (bytes?.backing ?? bytes?.total ?? 0),
  );

const CONTAINERS: ReadonlySet<Kind> = new Set<Kind>(['object', 'array', 'map']);

function canBeLeftOut(path: string, rows: ReadonlyMap<string, readonly Facts[]>): boolean {
  const steps = parsePath(path);
  if (steps === null || steps.at(-1)?.type !== 'key' || !steps.every(isCopyable)) return false;
  return steps.every((_, level) => {
    const found = rows.get(formatPath(steps.slice(0, level)));
    return found === undefined || found.some(({ kind }) => CONTAINERS.has(kind));
  });
}

const isCopyable = (step: PathStep): boolean =>
  ['key', 'index', 'any-key'].includes(step.type) || (step.type === 'entry' && step.part === 'value');

export const withoutId = (path: string): string => `without:${path}`;

export function branchVariants(paths: readonly string[]): Variant[] {
  return [
    ORIGINAL,
    ...paths.map((path): Variant => ({ id: withoutId(path), remedy: null, plan: { path }, mode: 'without' })),
  ];
}

/** Cost of each branch, the most expensive first. The intervals hold simultaneously, as for remedies. */
export function branchCosts(
  paths: readonly string[],
  results: readonly Measured[],
  bytes: BranchBytes | null,
  seed: number,
): BranchCost[] {
  const samples = new RunSamples(results, seed);
  const original = samples.of(ORIGINAL.id, 'send');
  const median = samples.time(ORIGINAL.id, 'send')?.median ?? 0;
  const costs = paths.map((path, index): BranchCost => {
    const estimate = ratioInterval(samples.of(withoutId(path), 'send'), original, seed, paths.length);
    return { path, ...savedBytes(bytes, index), send: estimate && savedTime(estimate, median) };
  });
  return costs.sort((a, b) => branchRank(b) - branchRank(a));
}

function savedTime({ ratio, ci: [low, high], ...sampled }: RatioEstimate, median: number) {
  const [share, ci] = [1 - ratio, [1 - high, 1 - low] as Interval];
  return { ...sampled, ns: Math.round(share * median), share, ci };
}

const branchRank = ({ send, bytesShare }: BranchCost): number => send?.share ?? bytesShare ?? -1;

function savedBytes(bytes: BranchBytes | null, index: number): Pick<BranchCost, 'bytes' | 'bytesShare'> {
  const whole = bytes?.whole ?? null;
  const rest = bytes?.without[index] ?? null;
  if (whole === null || rest === null) return { bytes: null, bytesShare: null };
  return { bytes: whole - rest, bytesShare: whole === 0 ? 0 : (whole - rest) / whole };
}
