/** The values in a node of a tree. */
import type { TreeNode, ValueTree } from '../../model/documents/recorded/value-tree.ts';
import { map } from '../../value/read/lists.ts';
import { isObject } from '../../value/read/own-data.ts';

/** The step to a child of a list, a Map or a Set. */
export const ITEMS = '\u0000[*]';

const SLOTS: ReadonlySet<string> = new Set(['message', 'cause', 'value', 'on']);

/** The same node with other children. @param step key of a property, or ITEMS; null: into a slot of the value */
export function mapChildren(tree: TreeNode, to: (child: ValueTree, step: string | null) => ValueTree) {
  const item = (child: ValueTree) => to(child, ITEMS);
  const mapped = (field: string, held: unknown): unknown => {
    if (field === 'items') return map(held as ValueTree[], item);
    if (field === 'entries' && tree.is === 'map') return map(tree.entries, (pair) => map(pair, item));
    if (field === 'entries' || field === 'named')
      return map(held as [string, ValueTree][], ([key, child]) => [key, to(child, key)]);
    return SLOTS.has(field) ? to(held as ValueTree, null) : held;
  };
  const made: Record<string, unknown> = { ...tree };
  for (const field of Object.keys(made)) made[field] = mapped(field, made[field]);
  return made as TreeNode;
}

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
