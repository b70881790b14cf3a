/** A recorded message as a file to commit: without the program's values; some items of a long list stand for all. */
import type { ValueTree } from '../../model/documents/recorded/value-tree.ts';
import { isObject } from '../../value/read/own-data.ts';
import { type Chance, MaskedTexts, maskTree } from './masks.ts';
import { childrenOf, mapChildren } from './tree-children.ts';

/** Nodes of a file that people can read. */
const MAX_NODES = 1500;
/** Numbers of items that are left of a list: the first that makes the file small enough. */
const ITEMS_LEFT = [Number.POSITIVE_INFINITY, 128, 64, 32, 16, 8] as const;

export function committed(tree: ValueTree, chance: Chance): ValueTree {
  const texts = new MaskedTexts();
  const masked = maskTree(structuredClone(tree), 'none', chance, texts);
  texts.finish();
  const most = ITEMS_LEFT.find((left) => nodesIn(thinned(masked, left)) <= MAX_NODES) ?? ITEMS_LEFT.at(-1)!;
  return thinned(masked, most);
}

const nodesIn = (tree: ValueTree): number =>
  isObject(tree) ? childrenOf(tree).reduce<number>((sum, child) => sum + nodesIn(child), 1) : 1;

/** Some items of longer lists, spread over them. */
function thinned(tree: ValueTree, most: number): ValueTree {
  if (!isObject(tree)) return tree;
  const inner = mapChildren(tree, (child) => thinned(child, most));
  const some = <T>(all: readonly T[]): T[] =>
    Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]!);
  if (((inner.is === 'array' && inner.at === undefined) || inner.is === 'set') && inner.items.length > most)
    return { ...inner, items: some(inner.items), of: inner.of ?? inner.items.length };
  if (inner.is === 'map' && inner.entries.length > most)
    return { ...inner, entries: some(inner.entries), of: inner.of ?? inner.entries.length };
  if (inner.is === 'object' && inner.entries.length > Math.max(most, MIN_KEYS))
    return { ...inner, entries: some(inner.entries), of: inner.of ?? inner.entries.length };
  return inner;
}

/** An object with this number of keys is a map. */
const MIN_KEYS = 64;
