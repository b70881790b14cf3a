/** The part of a message that is made if its bytes alone are wanted. */
import type { BufferNode, TreeNode, ValueTree } from '../../model/documents/recorded/value-tree.ts';
import type { ByteRequest } from '../../model/recording/recording.ts';
import { isObject } from '../../value/read/own-data.ts';
import { varintBytes } from '../../value/shape/wire-estimate.ts';
import { childrenOf, mapChildren } from '../values/tree-children.ts';
import { standsForAll } from './shared-values.ts';

export interface SizedTree {
  /** Large buffers are empty. The outermost containers with items that stand for all have these items alone. */
  tree: ValueTree;
  /** These containers: how many items each has, and the share of them that is met inside of others. */
  parts: ReadonlyMap<TreeNode, { of: number; inside: number }>;
  /** Bytes of buffers that are empty, and of what views show of them. */
  left: ByteRequest['left'];
}

/** Larger buffers are not made. */
const MAX_BYTES = 2 ** 20;

const isLeft = ({ moved, shared, bytes }: BufferNode): boolean =>
  moved === true || shared === true || bytes > MAX_BYTES;

const lengthBytes = (count: number): number => varintBytes(count) - 1;

export function sizedTree(root: ValueTree): SizedTree {
  const left = { buffers: 0, views: 0 };
  const parts = new Map<TreeNode, { of: number; inside: number }>();
  /** Buffers that are empty, and that others refer to. */
  const emptied = new Set<number>();
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
    if (made.is === 'view' && made.bytes > 0 && isEmpty(made.on, emptied)) {
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

const isEmpty = (buffer: ValueTree, emptied: ReadonlySet<number>): boolean =>
  isObject(buffer) &&
  (buffer.is === 'same' ? emptied.has(buffer.id) : buffer.is === 'buffer' && buffer.bytes === 0);
