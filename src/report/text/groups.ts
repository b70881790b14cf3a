import { groupedBy as byKey } from '../../model/sums.ts';

export type Group<Item> = [Item, ...Item[]];

/** Groups of items with equal keys, in order of first appearance. Keys are compared as JSON. */
export const groupedBy = <Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): [key: Key, group: Group<Item>][] =>
  [...byKey(items, (item) => JSON.stringify(keyOf(item))).values()].map((group) => [
    keyOf(group[0]!),
    group as Group<Item>,
  ]);

export const atMost = <Item, More>(
  most: number,
  items: readonly Item[],
  more: (others: number) => More,
): (Item | More)[] =>
  items.length <= most ? [...items] : [...items.slice(0, most), more(items.length - most)];

export function neighbours<Item>(
  items: readonly Item[],
  isJoined: (last: Item, next: Item) => boolean,
): Group<Item>[] {
  const groups: Group<Item>[] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group && isJoined(group.at(-1)!, item)) group.push(item);
    else groups.push([item]);
  }
  return groups;
}
