/** What of a payload can be made larger or smaller: for each dimension the place that holds most. */
import { DIMENSIONS, type Dimension, type DimensionName } from '../../model/sweep.ts';
import { elementBytes, isBytes } from '../copy/bytes.ts';
import { isPlainRecord } from '../copy/shallow-copy.ts';
import { formatPath, type Step } from '../paths.ts';

/** True for what must not be looked into: a Proxy, whose traps are the user's code. */
export type IsOpaque = (value: object) => boolean;

/** One container on the way down. `spread` is the sum over its members, `heaviest` the largest of them. */
interface WeighedContainer {
  node: object;
  step: Step | null;
  parent: WeighedContainer | null;
  depth: number;
  keys: readonly string[] | null;
  next: number;
  sum: number;
  heaviest: number;
}

/** Bytes of a value without parts, as a rough weight: a number, a Date or a reference are a word. */
const WORD = 8;

type FoundDimension = Omit<Dimension, 'path'> & {
  frame: WeighedContainer | null;
  step: Step | null;
  depth: number;
};

/**
 * The largest place of each kind, the largest of all first. A container weighs what its members weigh together without
 * the heaviest of them, so that the array of a thousand rows is found and not the envelope around it; a string or
 * buffer weighs what it holds. Empty ones cannot be repeated, so they are left out. Of equal places the outer one,
 * then the first, counts.
 */
export function dimensionsOf(value: unknown, isOpaque: IsOpaque): Dimension[] {
  const best = new Map<DimensionName, FoundDimension>();
  const seen = new Set<object>();
  const offer = (found: FoundDimension) => {
    const held = best.get(found.by);
    const better =
      !held || found.weight > held.weight || (found.weight === held.weight && found.depth < held.depth);
    if (found.size > 0 && better) best.set(found.by, found);
  };
  const enter = (
    node: unknown,
    step: Step | null,
    parent: WeighedContainer | null,
  ): WeighedContainer | number => {
    const depth = parent === null ? 0 : parent.depth + 1;
    if (typeof node === 'string') {
      const weight = node.length;
      offer({ by: 'chars', size: weight, grain: 1, weight, frame: parent, step, depth });
      return weight;
    }
    if (typeof node !== 'object' || node === null || seen.has(node) || isOpaque(node)) return WORD;
    seen.add(node);
    if (isBytes(node)) {
      const weight = node.byteLength;
      offer({ by: 'bytes', size: weight, grain: elementBytes(node), weight, frame: parent, step, depth });
      return weight;
    }
    const keys = Array.isArray(node) ? null : Object.keys(node);
    // A Date or a Map has no keys of its own; an instance of a user's class has.
    if (keys?.length === 0 && !isPlainRecord(node)) return WORD;
    return { node, step, parent, depth, keys, next: 0, sum: 0, heaviest: 0 };
  };
  walk(value, enter, offer);
  return [...best.values()].sort(largestFirst).map(({ by, size, grain, weight, frame, step }) => ({
    by,
    path: formatPath([...stepsTo(frame), ...(step === null ? [] : [step])]),
    size,
    grain,
    weight,
  }));
}

const largestFirst = (a: FoundDimension, b: FoundDimension): number =>
  b.weight - a.weight || DIMENSIONS.indexOf(a.by) - DIMENSIONS.indexOf(b.by);

/** Depth first on a stack of its own: a payload may be a million levels deep. */
function walk(
  root: unknown,
  enter: (node: unknown, step: Step | null, parent: WeighedContainer | null) => WeighedContainer | number,
  offer: (found: FoundDimension) => void,
): void {
  const entered = enter(root, null, null);
  let frame = typeof entered === 'number' ? null : entered;
  while (frame !== null) {
    if (frame.next >= sizeOf(frame)) {
      offer(foundIn(frame));
      const { parent, sum } = frame;
      if (parent !== null) add(parent, sum);
      frame = parent;
      continue;
    }
    const { child, step, weight } = memberOf(frame, frame.next++);
    const inside = enter(child, step, frame);
    if (typeof inside === 'number') add(frame, inside + weight);
    else frame = inside;
  }
}

const sizeOf = ({ node, keys }: WeighedContainer): number => keys?.length ?? (node as unknown[]).length;

function add(frame: WeighedContainer, weight: number): void {
  frame.sum += weight;
  frame.heaviest = Math.max(frame.heaviest, weight);
}

/** A getter is not called: what it gives is no part of what can be scaled. */
function memberOf(
  { node, keys }: WeighedContainer,
  at: number,
): { child: unknown; step: Step; weight: number } {
  const key = keys?.[at];
  if (key === undefined)
    return { child: dataOf(node, String(at)), step: { type: 'index', index: at }, weight: 0 };
  return { child: dataOf(node, key), step: { type: 'key', key }, weight: key.length };
}

const dataOf = (node: object, key: string): unknown => Object.getOwnPropertyDescriptor(node, key)?.value;

/** An instance of a class has the keys that its class gives it, no more and no fewer: its size does not count. */
function foundIn(frame: WeighedContainer): FoundDimension {
  const { node, parent, step, depth, sum, heaviest } = frame;
  const by = frame.keys === null ? 'items' : 'keys';
  const size = by === 'items' || isPlainRecord(node) ? sizeOf(frame) : 0;
  return { by, size, grain: 1, weight: sum - heaviest, frame: parent, step, depth };
}

function stepsTo(frame: WeighedContainer | null): Step[] {
  const steps: Step[] = [];
  for (let at = frame; at !== null; at = at.parent) if (at.step !== null) steps.push(at.step);
  return steps.reverse();
}
