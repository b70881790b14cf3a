/** Processes that mostly wait: memory and bytes do not depend on what runs beside them. */
const AT_ONCE = 4;

export async function inTurns<T>(names: readonly string[], run: (name: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < names.length; from += AT_ONCE)
    results.push(...(await Promise.all(names.slice(from, from + AT_ONCE).map(run))));
  return results;
}
