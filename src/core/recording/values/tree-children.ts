/** The values in a node of a tree. */
import type { TreeNode, ValueTree } from '../../../model/documents/recorded/value-tree.ts';
import { map } from '../../value/lists.ts';
import { isObject } from '../../value/own-data.ts';

/** The step to a child of a list, a Map or a Set. */
export const ITEMS = '\u0000[*]';

/** The same node with other children. @param step key of a property, or ITEMS; null: into a slot of the value */
export function mapChildren(
  tree: TreeNode,
  to: (child: ValueTree, step: string | null) => ValueTree,
): TreeNode {
  const named = (entries: readonly [string, ValueTree][]) =>
    map(entries, ([key, value]): [string, ValueTree] => [key, to(value, key)]);
  const listed = (items: readonly ValueTree[]) => map(items, (item) => to(item, ITEMS));
  switch (tree.is) {
    case 'object':
    case 'arguments':
      return { ...tree, entries: named(tree.entries) };
    case 'array':
      return { ...tree, items: listed(tree.items), ...(tree.named && { named: named(tree.named) }) };
    case 'map':
      return { ...tree, entries: map(tree.entries, ([key, value]) => [to(key, ITEMS), to(value, ITEMS)]) };
    case 'set':
      return { ...tree, items: listed(tree.items) };
    case 'error':
      return {
        ...tree,
        ...(tree.message !== undefined && { message: to(tree.message, null) }),
        ...(tree.cause !== undefined && { cause: to(tree.cause, null) }),
      };
    case 'boxed':
      return { ...tree, value: to(tree.value, null) };
    case 'view':
      return { ...tree, on: to(tree.on, null) };
    default:
      return tree;
  }
}

/** The value and all that is in it, without values that stand for themselves. */
export function* nodesOf(tree: ValueTree): Generator<TreeNode> {
  if (!isObject(tree)) return;
  yield tree;
  for (const child of childrenOf(tree)) yield* nodesOf(child);
}

/** A recording is untrusted input: a text that is not a number of at most 10,000 digits is 0. */
export const bigintIn = (text: string): bigint => (/^-?\d{1,10000}$/.test(text) ? BigInt(text) : 0n);

export function childrenOf(tree: TreeNode): ValueTree[] {
  const children: ValueTree[] = [];
  mapChildren(tree, (child) => {
    children.push(child);
    return child;
  });
  return children;
}
