export type Group<Item> = [Item, ...Item[]];

/** Groups of items with equal keys, in order of first appearance. Keys are compared as JSON. */
export function groupedBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): [key: Key, group: Group<Item>][] {
  const groups = new Map<string, [Key, Group<Item>]>();
  for (const item of items) {
    const key = keyOf(item);
    const text = JSON.stringify(key);
    const group = groups.get(text);
    if (group) group[1].push(item);
    else groups.set(text, [key, [item]]);
  }
  return [...groups.values()];
}

/** The first items, and what stands for the others if there are more. */
export const atMost = <Item, More>(
  most: number,
  items: readonly Item[],
  more: (others: number) => More,
): (Item | More)[] =>
  items.length <= most ? [...items] : [...items.slice(0, most), more(items.length - most)];
