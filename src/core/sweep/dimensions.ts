/** Finds the parts of a payload that can be scaled: the largest array, string, object and buffer. */

import type { Dimension } from '../../model/documents/dimension.ts';
import { DIMENSIONS, type DimensionName } from '../../model/vocabulary/sweep.ts';
import { bytesPerElement, isBytes, isPlainRecord } from '../copy/copies.ts';
import { formatPath, type PathStep } from '../paths.ts';
import { isObject, ownData } from '../value/own-data.ts';

/** True for objects that must not be read: a Proxy, whose traps are the user's code. */
type IsOpaque = (value: object) => boolean;

interface WeighedContainer {
  node: object;
  step: PathStep | null;
  parent: WeighedContainer | null;
  depth: number;
  /** If null, the container is an array. */
  keys: readonly string[] | null;
  next: number;
  /** Sum of the weights of the members, and the largest of these weights. */
  sum: number;
  heaviest: number;
}

/** Rough weight in bytes of a value without parts: a number, a Date or a reference takes a word. */
const WORD = 8;

type FoundDimension = Omit<Dimension, 'path'> & Pick<WeighedContainer, 'parent' | 'step' | 'depth'>;

/**
 * Returns the largest dimension of each kind, the largest of all first. A container weighs the sum of its members
 * except the heaviest, so that the array of a thousand rows is found, not the envelope around it; a string or buffer
 * weighs its content. Empty parts are left out, because they cannot be repeated. If dimensions are equal, the outer is
 * preferred, then the first.
 */
export function findDimensions(value: unknown, isOpaque: IsOpaque): Dimension[] {
  return new DimensionSearch(isOpaque).search(value).map(({ by, size, grain, weight, parent, step }) => {
    const path = formatPath([...stepsTo(parent), ...(step === null ? [] : [step])]);
    return { by, path, size, grain, weight };
  });
}

class DimensionSearch {
  readonly #isOpaque: IsOpaque;
  readonly #best = new Map<DimensionName, FoundDimension>();
  readonly #seen = new Set<object>();

  constructor(isOpaque: IsOpaque) {
    this.#isOpaque = isOpaque;
  }

  /** Depth first with an explicit stack: a payload may be a million levels deep. */
  search(root: unknown): FoundDimension[] {
    const entered = this.#enter(root, null, null);
    let container = typeof entered === 'number' ? null : entered;
    while (container !== null) {
      if (container.next >= countChildren(container)) {
        this.#offer(toDimension(container));
        const { parent, sum }: WeighedContainer = container;
        if (parent !== null) addWeight(parent, sum);
        container = parent;
        continue;
      }
      const { child, step, weight } = readMember(container, container.next++);
      const inside = this.#enter(child, step, container);
      if (typeof inside === 'number') addWeight(container, inside + weight);
      else container = inside;
    }
    return [...this.#best.values()].sort(
      (a, b) => b.weight - a.weight || DIMENSIONS.indexOf(a.by) - DIMENSIONS.indexOf(b.by),
    );
  }

  /** Returns the container to visit, or the weight of a value without members. */
  #enter(node: unknown, step: PathStep | null, parent: WeighedContainer | null): WeighedContainer | number {
    const depth = parent === null ? 0 : parent.depth + 1;
    if (typeof node === 'string') {
      const weight = node.length;
      this.#offer({ by: 'chars', size: weight, grain: 1, weight, parent, step, depth });
      return weight;
    }
    if (!isObject(node) || this.#seen.has(node) || this.#isOpaque(node)) return WORD;
    this.#seen.add(node);
    if (isBytes(node)) {
      const weight = node.byteLength;
      this.#offer({ by: 'bytes', size: weight, grain: bytesPerElement(node), weight, parent, step, depth });
      return weight;
    }
    const keys = Array.isArray(node) ? null : Object.keys(node);
    // A Date or a Map does not have own keys, unlike an instance of a user's class.
    if (keys?.length === 0 && !isPlainRecord(node)) return WORD;
    return { node, step, parent, depth, keys, next: 0, sum: 0, heaviest: 0 };
  }

  #offer(found: FoundDimension): void {
    const best = this.#best.get(found.by);
    const isBetter =
      !best || found.weight > best.weight || (found.weight === best.weight && found.depth < best.depth);
    if (found.size > 0 && isBetter) this.#best.set(found.by, found);
  }
}

const countChildren = ({ node, keys }: WeighedContainer): number =>
  keys?.length ?? (node as unknown[]).length;

function addWeight(container: WeighedContainer, weight: number): void {
  container.sum += weight;
  container.heaviest = Math.max(container.heaviest, weight);
}

/** Reads a member. A getter is not run: its result cannot be scaled. */
function readMember({ node, keys }: WeighedContainer, at: number) {
  const key = keys?.[at];
  const step: PathStep = key === undefined ? { type: 'index', index: at } : { type: 'key', key };
  return { child: ownData(node, key ?? String(at)), step, weight: key?.length ?? 0 };
}

/** The keys of a class instance are fixed by its class, so they cannot be scaled. */
function toDimension(container: WeighedContainer): FoundDimension {
  const { node, parent, step, depth, sum, heaviest } = container;
  const by = container.keys === null ? 'items' : 'keys';
  const size = by === 'items' || isPlainRecord(node) ? countChildren(container) : 0;
  return { by, size, grain: 1, weight: sum - heaviest, parent, step, depth };
}

function stepsTo(container: WeighedContainer | null): PathStep[] {
  const steps: PathStep[] = [];
  for (let at = container; at !== null; at = at.parent) if (at.step !== null) steps.push(at.step);
  return steps.reverse();
}
