export const sumOf = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0);

/** Sums by key, in the order in which the keys first occur. */
export function sumsBy<T, Key>(all: readonly T[], keyOf: (one: T) => Key, of: (one: T) => number) {
  const sums = new Map<Key, number>();
  for (const one of all) {
    const key = keyOf(one);
    sums.set(key, (sums.get(key) ?? 0) + of(one));
  }
  return sums;
}

/** Items by key, in the order in which the keys first occur. */
export function groupedBy<T, Key>(all: readonly T[], keyOf: (one: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
