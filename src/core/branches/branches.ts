/** Which branches of a payload are worth leaving out, and what the samples say that leaving them out saves. */
import type { BranchBytes, BranchCost } from '../../model/profile.ts';
import type { Facts, Kind, Shape } from '../../model/shape.ts';
import type { Measured, Variant } from '../../model/wire.ts';
import { formatPath, parsePath, type Step } from '../paths.ts';
import { medianInterval, ratioInterval } from '../stats/intervals.ts';
import { samplesOf } from '../stats/variant-samples.ts';

const MOST_BRANCHES = 8;
/** Of the whole; a lighter branch would drown in the noise. */
const LEAST_SHARE = 0.02;
/** What a value costs besides its text or its bytes, roughly: a tag and a key or index on the wire. */
const BYTES_A_VALUE = 8;

/** The heaviest branches as path patterns, by an estimate that only chooses what is then measured. */
export function branchesOf({ patterns }: Shape): string[] {
  const kinds = kindsAt(patterns);
  const whole = weightBelow('$', patterns);
  return [...kinds.keys()]
    .filter((path) => canBeLeftOut(path, kinds))
    .map((path) => ({ path, weight: weightBelow(path, patterns) }))
    .filter(({ weight }) => weight >= LEAST_SHARE * whole)
    .sort((a, b) => b.weight - a.weight || a.path.length - b.path.length)
    .slice(0, MOST_BRANCHES)
    .map(({ path }) => path);
}

function kindsAt(patterns: readonly Facts[]): Map<string, Set<Kind>> {
  const kinds = new Map<string, Set<Kind>>();
  for (const { pattern, kind } of patterns) {
    kinds.set(pattern, (kinds.get(pattern) ?? new Set<Kind>()).add(kind));
  }
  return kinds;
}

const weightOf = ({ count, bytes }: Facts): number =>
  count * BYTES_A_VALUE + (bytes?.backing ?? bytes?.total ?? 0);

function weightBelow(path: string, patterns: readonly Facts[]): number {
  return patterns
    .filter(({ pattern }) => pattern === path || isBelow(pattern, path))
    .reduce((sum, row) => sum + weightOf(row), 0);
}

const isBelow = (pattern: string, path: string): boolean =>
  pattern.startsWith(path) && ['.', '[', '{'].includes(pattern.charAt(path.length));

/** The kinds of holder that can be copied without one of their properties. */
const HOLDERS: ReadonlySet<Kind> = new Set<Kind>(['object', 'array', 'map']);

/** A key, and nothing on the way that is no plain holder. */
function canBeLeftOut(path: string, kinds: ReadonlyMap<string, ReadonlySet<Kind>>): boolean {
  const steps = parsePath(path);
  if (steps === null || steps.at(-1)?.type !== 'key' || !steps.every(isEntered)) return false;
  return steps.every((_, level) => {
    const holder = kinds.get(formatPath(steps.slice(0, level)));
    return holder === undefined || [...holder].some((kind) => HOLDERS.has(kind));
  });
}

const isEntered = (step: Step): boolean =>
  step.type === 'key' ||
  step.type === 'index' ||
  step.type === 'any-key' ||
  (step.type === 'entry' && step.part === 'value');

export const withoutId = (path: string): string => `without:${path}`;

/** The payload as it is, and without each branch, to be timed in turns. */
export function branchVariants(paths: readonly string[]): Variant[] {
  return [
    { id: 'original', remedy: null, plan: null, mode: 'original' },
    ...paths.map((path): Variant => ({ id: withoutId(path), remedy: null, plan: { path }, mode: 'without' })),
  ];
}

/** What each branch costs, the one that costs most first. Intervals hold together, as those of remedies do. */
export function branchCosts(
  paths: readonly string[],
  results: readonly Measured[],
  bytes: BranchBytes | null,
  seed: number,
): BranchCost[] {
  const original = samplesOf(results, 'original', 'send');
  const median = medianInterval(original, seed)?.median ?? 0;
  const costs = paths.map((path, index): BranchCost => {
    const reduced = samplesOf(results, withoutId(path), 'send');
    const estimate = ratioInterval(reduced, original, seed, paths.length);
    const share = estimate === null ? null : 1 - estimate.ratio;
    return {
      path,
      ...savedBytes(bytes, index),
      send:
        estimate === null || share === null
          ? null
          : { ns: Math.round(share * median), share, ci: [1 - estimate.ci[1], 1 - estimate.ci[0]] },
    };
  });
  return costs.sort((a, b) => rankOf(b) - rankOf(a));
}

const rankOf = ({ send, bytesShare }: BranchCost): number => send?.share ?? bytesShare ?? -1;

function savedBytes(bytes: BranchBytes | null, index: number): Pick<BranchCost, 'bytes' | 'bytesShare'> {
  const whole = bytes?.whole ?? null;
  const rest = bytes?.without[index] ?? null;
  if (whole === null || rest === null) return { bytes: null, bytesShare: null };
  return { bytes: whole - rest, bytesShare: whole === 0 ? 0 : (whole - rest) / whole };
}
