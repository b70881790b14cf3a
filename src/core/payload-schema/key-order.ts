/** An order in which the keys of all these lists stand; null where two lists contradict each other. */
export function commonOrder(lists: readonly (readonly string[])[]): string[] | null {
  const after = new Map<string, Set<string>>();
  const waiting = new Map<string, number>();
  for (const keys of lists)
    for (const [at, key] of keys.entries()) {
      if (!after.has(key)) after.set(key, new Set());
      if (!waiting.has(key)) waiting.set(key, 0);
      const next = keys[at + 1];
      if (next === undefined || after.get(key)!.has(next)) continue;
      after.get(key)!.add(next);
      waiting.set(next, (waiting.get(next) ?? 0) + 1);
    }
  const order: string[] = [];
  const ready = [...waiting].filter(([, count]) => count === 0).map(([key]) => key);
  for (let key = ready.shift(); key !== undefined; key = ready.shift()) {
    order.push(key);
    for (const next of after.get(key)!) {
      const left = waiting.get(next)! - 1;
      waiting.set(next, left);
      if (left === 0) ready.unshift(next);
    }
  }
  return order.length === waiting.size ? order : null;
}
