/** Finds the parts of a payload that can be scaled, and scales one of them. The input does not change. */

import type { Dimension } from '../../model/documents/dimension.ts';
import { ToolError } from '../../model/errors.ts';
import { DIMENSIONS, type DimensionName, type Scale } from '../../model/vocabulary/sweep.ts';
import {
  type Bytes,
  bytesPerElement,
  type CloneOther,
  isBytes,
  isPlainRecord,
  ownCopy,
  ownText,
  setOwn,
  shallowCopy,
  viewConstructor,
} from '../copy/copies.ts';
import { formatPath, type PathStep, parsePath } from '../paths.ts';
import { flatMap, map } from '../value/lists.ts';
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

/**
 * Returns `value` with the array, string, object or buffer at `path` in the new size: cut off, or repeated with fresh
 * copies. Only the containers on the path are copied. If a reference leads back to such a container, everything is
 * copied, so that a parent link leads to the new parent.
 *
 * @throws ToolError 'measure-failed' if there is no such part, or its content is empty and cannot be repeated
 */
export function scaled(value: unknown, { by, path, size }: Scale, cloneOther: CloneOther): unknown {
  const nodes = nodesOnPath(value, path);
  const objects = flatMap(nodes, ({ node }) => (isObject(node) ? [node] : []));
  // If an item refers back to a container on the path, the container is not copied.
  const copyOf = (item: unknown) => ownCopy(item, cloneOther, new Map(map(objects, (node) => [node, node])));
  const replacements = new Map<object, unknown>();
  let changed = SCALERS[by](nodes.at(-1)!.node, size, copyOf);
  if (changed === NOTHING) throw failure(path, `${path} cannot be scaled to ${size} ${by}`);
  for (let at = nodes.length - 1; at >= 0; at--) {
    const { node, key } = nodes[at]!;
    if (isObject(node)) replacements.set(node, changed);
    const parent = nodes[at - 1]?.node;
    if (!isObject(parent)) break;
    const copy = shallowCopy(parent);
    setOwn(copy, key, changed);
    changed = copy;
  }
  return isReferencedElsewhere(nodes) ? ownCopy(changed, cloneOther, new Map(), replacements) : changed;
}

function nodesOnPath(value: unknown, path: string): PathNode[] {
  const nodes: PathNode[] = [{ key: '', node: value }];
  for (const step of parsePath(path) ?? []) {
    const key = step.type === 'key' ? step.key : step.type === 'index' ? step.index : null;
    const { node } = nodes.at(-1)!;
    if (key === null || !isObject(node)) throw failure(path, `there is no ${path} in this value`);
    nodes.push({ key, node: (node as Record<string | number, unknown>)[key] });
  }
  return nodes;
}

const failure = (path: string, detail: string) => new ToolError('measure-failed', { path, detail });

/** Result of a scaler if the target has a different type or is empty. */
const NOTHING = Symbol('nothing');

type CopyOf = (member: unknown) => unknown;

const SCALERS: Record<DimensionName, (target: unknown, size: number, copyOf: CopyOf) => unknown> = {
  items: (target, size, copyOf) => (Array.isArray(target) ? scaleItems(target, size, copyOf) : NOTHING),
  chars: (target, size) => (typeof target === 'string' ? scaleText(target, size) : NOTHING),
  bytes: (target, size) => (isObject(target) && isBytes(target) ? scaleBytes(target, size) : NOTHING),
  keys: (target, size, copyOf) =>
    isObject(target) && isPlainRecord(target) ? scaleKeys(target, size, copyOf) : NOTHING,
};

/** Scales an array. `slice` and `push` keep a packed array packed; a hole is repeated as a hole. */
function scaleItems(source: readonly unknown[], size: number, copyOf: CopyOf): unknown {
  const items = source.slice(0, size);
  if (source.length === 0 && size > 0) return NOTHING;
  for (let at = items.length; at < size; at++) {
    const from = at % source.length;
    if (from in source) items.push(copyOf(source[from]));
    else items.length = at + 1;
  }
  return items;
}

/** Maximum pieces that a text is joined from; `ownText` explains why it is joined. */
const MAX_PIECES = 1024;

function scaleText(source: string, size: number): unknown {
  if (source === '' && size > 0) return NOTHING;
  const piece = source.repeat(Math.max(1, Math.ceil(size / MAX_PIECES / source.length)));
  const pieces: string[] = [];
  for (let left = size; left > 0; left -= piece.length) pieces.push(piece.slice(0, left));
  const [only = ''] = pieces;
  return pieces.length === 1 ? ownText(only) : pieces.join('');
}

function scaleBytes(source: Bytes, size: number): unknown {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  if (bytes.length === 0 && size > 0) return NOTHING;
  const grain = bytesPerElement(source);
  const result = new Uint8Array(Math.max(size === 0 ? 0 : grain, size - (size % grain)));
  for (let at = 0; at < result.length; at += bytes.length) {
    result.set(bytes.subarray(0, result.length - at), at);
  }
  if (!ArrayBuffer.isView(source)) return result.buffer;
  const View = viewConstructor(source);
  return View === undefined ? NOTHING : new View(result.buffer);
}

/** Derives new keys from the existing keys: "name", then "name_1", "name_2", ... */
function scaleKeys(source: Record<string, unknown>, size: number, copyOf: CopyOf): unknown {
  const keys = Object.keys(source);
  if (keys.length === 0 && size > 0) return NOTHING;
  const taken = new Set(keys);
  const names = Array.from({ length: size }, (_, at) => {
    const key = keys[at % keys.length]!;
    return at < keys.length ? key : freeName(key, Math.floor(at / keys.length), taken);
  });
  const result = objectWithKeys(names, Object.getPrototypeOf(source) === null);
  for (const [at, name] of names.entries()) {
    const value = source[keys[at % keys.length]!];
    setOwn(result, name, at < keys.length ? value : copyOf(value));
  }
  return result;
}

/**
 * Makes an object by parsing, which keeps fast properties. If more than about twelve properties are set by computed
 * keys, V8 makes a dictionary, which takes a different path. An object without a prototype is a dictionary anyway.
 */
function objectWithKeys(names: readonly string[], nullPrototype: boolean): object {
  if (nullPrototype) return Object.create(null) as object;
  return JSON.parse(`{${map(names, (name) => `${JSON.stringify(name)}:null`).join(',')}}`) as object;
}

function freeName(key: string, round: number, taken: Set<string>): string {
  let name = `${key}_${round}`;
  while (taken.has(name)) name += '_';
  taken.add(name);
  return name;
}

/** A value on the path from the root of a payload to the scaled part. */
interface PathNode {
  /** Key or index in the parent; "" for the root. */
  key: string | number;
  node: unknown;
}

/** True if anything on the path is also referenced from elsewhere: a parent link, or one list under two names. */
function isReferencedElsewhere(nodes: readonly PathNode[]): boolean {
  const root = nodes[0]?.node;
  if (!isObject(root)) return false;
  const nextOf = new Map(nodes.map(({ node }, at) => [node, nodes[at + 1]]));
  const seen = new Set<object>([root]);
  const open: object[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!Array.isArray(node) && !isPlainRecord(node)) continue;
    for (const [key, child] of iterateMembers(node)) {
      if (!isObject(child)) continue;
      const next = nextOf.get(node);
      if (nextOf.has(child) && !(next?.node === child && String(next.key) === String(key))) return true;
      if (seen.has(child)) continue;
      seen.add(child);
      open.push(child);
    }
  }
  return false;
}

/** Iterates over the members without calling getters. */
function* iterateMembers(node: object): Generator<[string | number, unknown]> {
  if (Array.isArray(node)) yield* node.entries();
  else for (const key of Object.keys(node)) yield [key, ownData(node, key)];
}
