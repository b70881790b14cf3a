/**
 * `map`, `filter` and `flatMap` for code that runs in the user's process. The built-ins of JavaScriptCore learn from
 * each call how to store their results (ArrayAllocationProfile): after calls by clone-prof, the user's `[1, 2].map((x)
 * => x)` would not be stored as integers any more. Seen on Bun 1.3.10 to 1.4.5, also for `Array.from` with a function.
 */

export function map<T, R>(list: readonly T[], to: (item: T, index: number) => R): R[] {
  const all: R[] = [];
  for (let i = 0; i < list.length; i++) all.push(to(list[i]!, i));
  return all;
}

export function filter<T, K extends T>(list: readonly T[], keeps: (item: T, index: number) => item is K): K[];
export function filter<T>(list: readonly T[], keeps: (item: T, index: number) => boolean): T[];
export function filter<T>(list: readonly T[], keeps: (item: T, index: number) => boolean): T[] {
  const kept: T[] = [];
  for (let i = 0; i < list.length; i++) if (keeps(list[i]!, i)) kept.push(list[i]!);
  return kept;
}

export function flatMap<T, R>(list: readonly T[], to: (item: T, index: number) => R | readonly R[]): R[] {
  const all: R[] = [];
  for (let i = 0; i < list.length; i++) {
    const items = to(list[i]!, i);
    if (Array.isArray(items)) for (const item of items as readonly R[]) all.push(item);
    else all.push(items as R);
  }
  return all;
}
