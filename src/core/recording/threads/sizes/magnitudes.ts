/**
 * Messages of one class whose sizes are of different orders of magnitude: small and large ones inside one envelope are groups
 * of their own, because what helps the large ones says nothing of the small ones. Sizes that grow step by step stay together.
 */

interface Magnitude {
  sizeClass: number;
  count: number;
  hintSum: number;
}

/** Means that are so far apart, with nothing between them. */
const APART = 20;

/** @returns the same parts in groups, the most messages first */
export function magnitudesOf<P extends Magnitude>(parts: readonly P[]): P[][] {
  const classes = new Map<number, P[]>();
  for (const part of parts) classes.set(part.sizeClass, [...(classes.get(part.sizeClass) ?? []), part]);
  const groups: P[][] = [];
  let last = 0;
  for (const [, own] of [...classes].sort(([a], [b]) => a - b)) {
    const mean = meanHint(own);
    if (groups.length > 0 && mean < APART * last) groups.at(-1)!.push(...own);
    else groups.push([...own]);
    last = mean;
  }
  return groups;
}

const meanHint = (parts: readonly Magnitude[]): number => {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return Math.max(SMALL, parts.reduce((sum, part) => sum + part.hintSum, 0) / Math.max(1, count));
};

/** What is around a small message is as large as what hints tell. */
const SMALL = 100;
