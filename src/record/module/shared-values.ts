/** Values of a tree that are referred to, with the places of their variables, so that each reference sees them. */
import type { TreeNode, ValueTree } from '../../model/documents/recorded/value-tree.ts';
import { ToolError } from '../../model/errors.ts';
import { isObject } from '../../value/read/own-data.ts';
import { childrenOf } from '../values/tree-children.ts';

/** More than what a sample has (sampler.ts). */
const MAX_DEPTH = 300;

/** One function in the text that makes a value each time it is called: its numbers from the outermost on. */
type Makers = readonly number[];

/** True if some of its items stand for all. Each of these is made by a separate function. */
export const standsForAll = (tree: TreeNode): boolean =>
  'of' in tree && tree.of !== undefined && !(tree.is === 'array' && tree.at !== undefined);

const refused = (detail: string) =>
  new ToolError('document-bad', { file: 'the recorded sample', value: 'sample', detail });

/** @throws ToolError 'document-bad' for a tree that is nested too deeply, or too large to be made */
export function sharedValues(root: ValueTree) {
  const homes = new Map<number, Makers>();
  const referred = new Set<number>();
  const cyclic = new Set<number>();
  const likes = new Map<number, number>();
  let hasMoved = true;
  const meet = (id: number, makers: Makers, around: readonly number[]) => {
    // The variables of values inside a value stand as far out as its own variable.
    const depth = Math.min(
      makers.length,
      ...around.map((outer) => homes.get(outer)?.length ?? makers.length),
    );
    const home = homes.get(id) ?? makers;
    let common = 0;
    while (common < Math.min(home.length, depth) && home[common] === makers[common]) common++;
    if (homes.get(id)?.length !== common) hasMoved = true;
    homes.set(id, home.slice(0, common));
  };
  let made = 0;
  const visit = (tree: ValueTree, makers: Makers, around: readonly number[], depth: number): void => {
    if (!isObject(tree)) return;
    if (depth > MAX_DEPTH) throw refused(`it is more than ${MAX_DEPTH} levels deep. Record again`);
    if (tree.is === 'same') {
      referred.add(tree.id);
      if (around.includes(tree.id)) cyclic.add(tree.id);
      if (homes.has(tree.id)) meet(tree.id, makers, around);
      return;
    }
    if (tree.is === 'text' && tree.like !== undefined) likes.set(tree.like, (likes.get(tree.like) ?? 0) + 1);
    const id = 'id' in tree ? tree.id : undefined;
    if (id !== undefined) meet(id, makers, around);
    const inside = id === undefined ? around : [...around, id];
    for (const child of childrenOf(tree))
      visit(child, standsForAll(tree) ? [...makers, made++] : makers, inside, depth + 1);
  };
  // A variable that moves out takes along the variables that it refers to: the walk is repeated until none moves.
  for (let round = 0; hasMoved && round < MAX_ROUNDS; round++) {
    hasMoved = false;
    made = 0;
    visit(root, [], [], 0);
  }
  checkWork(root);
  return {
    /** Number of makers around the variable of this value. Null for a value that nothing refers to. */
    depthOf: (id: number) => (referred.has(id) ? (homes.get(id)?.length ?? 0) : null),
    /** It is referred to by what is in it. */
    isCyclic: (id: number) => cyclic.has(id),
    /** True if several texts are this text. */
    isRepeated: (like: number) => (likes.get(like) ?? 0) > 1,
  };
}

const MAX_ROUNDS = 20;

/** Values that a module makes. */
const MAX_VALUES = 20_000_000;
/** Bytes of texts and buffers together. */
const MAX_BYTES = 2 ** 30;

const OTHERS = '. Record again, or choose other sites with --site';

type Work = Record<'values' | 'bytes', number>;

/** A recording may come from anywhere. @throws ToolError 'document-bad' for what is too large to be made */
export function checkWork(tree: ValueTree): void {
  const { values, bytes } = workOf(tree);
  if (values > MAX_VALUES)
    throw refused(`it claims ${values} values, and ${MAX_VALUES} can be made${OTHERS}`);
  if (bytes > MAX_BYTES)
    throw refused(`it claims ${bytes} bytes of text and memory, and ${MAX_BYTES} can be made${OTHERS}`);
}

function workOf(tree: ValueTree): Work {
  if (!isObject(tree)) return { values: 1, bytes: 0 };
  const children = childrenOf(tree);
  const inside: Work = { values: 0, bytes: 0 };
  for (const child of children) {
    const own = workOf(child);
    inside.values += own.values;
    inside.bytes += own.bytes;
  }
  const of = 'of' in tree ? (tree.of ?? 0) : 0;
  const times = standsForAll(tree) ? Math.max(1, of / Math.max(1, children.length)) : 1;
  const own = tree.is === 'text' ? 2 * tree.units : tree.is === 'buffer' ? tree.bytes : 0;
  const stack = tree.is === 'error' ? (tree.stack ?? 0) : 0;
  // An array without its items is made by its length.
  const slots = tree.is === 'array' && children.length === 0 ? of : 0;
  return {
    values: Math.round(1 + slots + times * inside.values),
    bytes: Math.round(own + stack + times * inside.bytes),
  };
}
