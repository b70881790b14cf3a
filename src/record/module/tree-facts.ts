/** Facts of a tree that are known before it is written: values that are referred to, its work, and what is made for its bytes. */
import type { BufferNode, TreeNode, ValueTree } from '../../model/documents/recorded/value-tree.ts';
import { ToolError } from '../../model/errors.ts';
import { isObject } from '../../value/read/own-data.ts';
import { varintBytes } from '../../value/shape/wire-estimate.ts';
import { childrenOf, mapChildren } from '../values/tree-children.ts';

/** True if some of its items stand for all. Each of these is made by a separate function. */
export const standsForAll = (tree: TreeNode): boolean =>
  'of' in tree && tree.of !== undefined && !(tree.is === 'array' && tree.at !== undefined);

/**
 * Values that others refer to. A value inside a container whose items stand for all is made by a function of its own, each
 * time that it is called.
 *
 * @throws ToolError 'document-bad' for a tree that is too large to be made
 */
export function sharedValues(root: ValueTree) {
  const makersOf = new Map<number, readonly number[]>();
  const referred = new Set<number>();
  /** Referred to from outside of the function that makes it: made once for all. */
  const common = new Set<number>();
  const cyclic = new Set<number>();
  let made = 0;
  const visit = (tree: ValueTree, makers: readonly number[], around: readonly number[]): void => {
    if (!isObject(tree)) return;
    if (tree.is === 'same') {
      referred.add(tree.id);
      if (around.includes(tree.id)) cyclic.add(tree.id);
      if (makersOf.get(tree.id)?.some((maker, at) => maker !== makers[at])) common.add(tree.id);
      return;
    }
    const id = 'id' in tree ? tree.id : undefined;
    if (id !== undefined && !makersOf.has(id)) makersOf.set(id, makers);
    const inside = id === undefined ? around : [...around, id];
    for (const child of childrenOf(tree))
      visit(child, standsForAll(tree) ? [...makers, made++] : makers, inside);
  };
  visit(root, [], []);
  checkWork(root);
  return { referred, common, cyclic };
}

const MAX_VALUES = 20_000_000;
const MAX_BYTES = 2 ** 30;

/** A recording may come from anywhere. @throws ToolError 'document-bad' */
export function checkWork(tree: ValueTree): void {
  const { values, bytes } = workOf(tree);
  if (values <= MAX_VALUES && bytes <= MAX_BYTES) return;
  const claimed = `it claims ${values} values and ${bytes} bytes, at most ${MAX_VALUES} and ${MAX_BYTES} can be made`;
  const detail = `${claimed}. Record again, or choose other sites with --site`;
  throw new ToolError('document-bad', { file: 'the recorded sample', value: 'sample', detail });
}

/** `stacks`: number of errors whose stack is not known. Items count as often as they stand for others. */
export function workOf(tree: ValueTree): Record<'values' | 'bytes' | 'stacks', number> {
  if (!isObject(tree)) return { values: 1, bytes: 0, stacks: 0 };
  const children = childrenOf(tree);
  const of = 'of' in tree ? (tree.of ?? 0) : 0;
  const times = standsForAll(tree) ? Math.max(1, of / Math.max(1, children.length)) : 1;
  const inside = children.map(workOf);
  const sum = (key: keyof (typeof inside)[number]) =>
    times * inside.reduce((all, child) => all + child[key], 0);
  const memory = tree.is === 'text' ? 2 * tree.units : tree.is === 'buffer' ? tree.bytes : 0;
  const stack = tree.is === 'error' ? tree.stack : 0;
  // An array without its items is made by its length.
  const slots = tree.is === 'array' && children.length === 0 ? of : 0;
  return {
    values: Math.round(1 + slots + sum('values')),
    bytes: Math.round(memory + (stack ?? 0) + sum('bytes')),
    stacks: (stack === undefined ? 1 : 0) + sum('stacks'),
  };
}

const MAX_MADE_BYTES = 2 ** 20;

const isLeft = ({ moved, shared, bytes }: BufferNode): boolean =>
  moved === true || shared === true || bytes > MAX_MADE_BYTES;

const lengthBytes = (count: number): number => varintBytes(count) - 1;

/** Large buffers are empty. The outermost containers with items that stand for all have these items alone. */
export function sizedTree(root: ValueTree) {
  /** Bytes of buffers that are empty, and of what views show of them. */
  const left = { buffers: 0, views: 0 };
  /** These containers: how many items each has, and the share of them that is met inside of others. */
  const parts = new Map<TreeNode, { of: number; inside: number }>();
  const emptied = new Set<number>();
  const isEmpty = (buffer: ValueTree): boolean =>
    isObject(buffer) &&
    (buffer.is === 'same' ? emptied.has(buffer.id) : buffer.is === 'buffer' && buffer.bytes === 0);
  const sized = (tree: ValueTree, isInside: boolean): ValueTree => {
    if (!isObject(tree)) return tree;
    if (tree.is === 'buffer' && isLeft(tree)) {
      const { content: _, ...rest } = tree;
      if (tree.id !== undefined) emptied.add(tree.id);
      if (!tree.moved && !tree.shared) left.buffers += tree.bytes + lengthBytes(tree.bytes);
      return { ...rest, bytes: 0 };
    }
    const isPart = !isInside && standsForAll(tree) && childrenOf(tree).length > 0;
    const made = mapChildren(tree, (child) => sized(child, isInside || isPart));
    if (made.is === 'view' && made.bytes > 0 && isEmpty(made.on)) {
      left.views += made.bytes + lengthBytes(made.bytes);
      left.buffers += lengthBytes(made.bytes) + lengthBytes(made.offset);
      return { ...made, bytes: 0, offset: 0 };
    }
    if (!isPart) return made;
    const { of = 0, inside = 0, ...some } = made as TreeNode & { of?: number; inside?: number };
    parts.set(some, { of, inside });
    return some;
  };
  return { tree: sized(root, false), parts, left };
}
