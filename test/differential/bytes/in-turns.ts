/** Processes that mostly wait: memory and bytes do not depend on what runs beside them. */
const AT_ONCE = 4;

export async function inTurns<I, T>(items: readonly I[], run: (item: I) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(run))));
  return results;
}
