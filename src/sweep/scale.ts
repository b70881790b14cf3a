/** Finds the parts of a payload that can be scaled, and scales one of them. The input does not change. */

import type { Dimension } from '../model/documents/shape.ts';
import { ToolError } from '../model/errors.ts';
import { DIMENSIONS, type DimensionName, type Scale } from '../model/vocabulary/words.ts';
import {
  type Bytes,
  bytesPerElement,
  deepCopy,
  isBytes,
  isPlainRecord,
  ownText,
  setOwn,
  shallowCopy,
  viewConstructor,
} from '../value/copy/copies.ts';
import type { TypeDetection } from '../value/read/built-in-types.ts';
import { flatMap, map } from '../value/read/lists.ts';
import { isObject } from '../value/read/own-data.ts';
import { formatPath, parsePath, pathStep, type TrailStep } from '../value/read/paths.ts';
import { type Parts, partsOf, Walk } from '../value/read/walk.ts';

interface WeighedContainer extends Parts {
  step: TrailStep;
  parent: WeighedContainer | null;
  depth: number;
  sum: number;
  heaviest: number;
}

/** Rough weight in bytes of a value without parts: a number, a Date or a reference takes a word. */
const WORD = 8;

type FoundDimension = Omit<Dimension, 'path'> & Pick<WeighedContainer, 'parent' | 'step' | 'depth'>;

/**
 * Returns the largest dimension of each kind, the largest of all first. A container weighs the sum of its members
 * except the heaviest, so that the array of a thousand rows is found, not the envelope around it; a string or buffer
 * weighs its content. Empty parts cannot be repeated. Of equal dimensions the outer is preferred, then the first.
 */
export function findDimensions(root: unknown, types: TypeDetection): Dimension[] {
  const best = new Map<DimensionName, FoundDimension>();
  const offer = (found: FoundDimension): void => {
    const { weight, depth } = best.get(found.by) ?? { weight: -1, depth: 0 };
    const isBetter = found.weight > weight || (found.weight === weight && found.depth < depth);
    if (found.size > 0 && isBetter) best.set(found.by, found);
  };
  const walk = new Walk<WeighedContainer>();
  const containers: WeighedContainer[] = [];
  const seen = new Set<object>();
  const visit = (value: unknown, parent: WeighedContainer | null, step: TrailStep): undefined => {
    const place = { parent, step, depth: walk.open.length };
    const weighs = (weight: number): undefined =>
      addWeight(parent, weight + (typeof step === 'string' ? step.length : 0));
    const offerContent = (by: 'chars' | 'bytes', weight: number, grain: number): undefined => {
      offer({ by, size: weight, grain, weight, ...place });
      weighs(weight);
    };
    if (typeof value === 'string') return offerContent('chars', value.length, 1);
    if (!isObject(value) || seen.has(value) || types.isProxy(value)) return weighs(WORD);
    seen.add(value);
    const isPlain = Array.isArray(value) || isPlainRecord(value);
    if (!isPlain && isBytes(value)) return offerContent('bytes', value.byteLength, bytesPerElement(value));
    if (!isPlain && types.of(value).kind !== 'object') return weighs(WORD);
    // A getter is not run: its result cannot be scaled.
    const parts = partsOf(value, { types, read: () => undefined });
    const container = { ...parts, ...place, sum: 0, heaviest: 0 };
    walk.open.push(container);
    containers.push(container);
  };
  visit(root, null, '');
  walk.run(visit);
  for (const one of containers.toReversed()) addWeight(one.parent, one.sum);
  for (const one of containers) offer(toDimension(one));
  return [...best.values()]
    .sort((a, b) => b.weight - a.weight || DIMENSIONS.indexOf(a.by) - DIMENSIONS.indexOf(b.by))
    .map(({ by, size, grain, weight, parent, step }) => {
      const path = formatPath(map(stepsTo(parent, step), pathStep));
      return { by, path, size, grain, weight };
    });
}

function addWeight(container: WeighedContainer | null, weight: number): undefined {
  if (container === null) return;
  container.sum += weight;
  container.heaviest = Math.max(container.heaviest, weight);
}

/** The keys of a class instance are fixed by its class, so they cannot be scaled. */
function toDimension({ owner, steps, parent, step, depth, sum, heaviest }: WeighedContainer): FoundDimension {
  const by = Array.isArray(owner) ? 'items' : 'keys';
  const size = Array.isArray(owner) ? owner.length : isPlainRecord(owner) ? steps.length : 0;
  return { by, size, grain: 1, weight: sum - heaviest, parent, step, depth };
}

function stepsTo(container: WeighedContainer | null, last: TrailStep): TrailStep[] {
  const steps: TrailStep[] = [];
  let [at, step] = [container, last];
  while (at !== null) {
    steps.push(step);
    ({ parent: at, step } = at);
  }
  return steps.reverse();
}

/**
 * The array, string, object or buffer at `path` is cut off, or repeated with fresh copies. Only the containers on the
 * path are copied. If a reference leads back to such a container, everything is copied, so that a parent link leads to
 * the new parent. @throws ToolError 'measure-failed' without such a part, or if its content is empty: nothing to repeat
 */
export function scaled(value: unknown, { by, path, size }: Scale, types: TypeDetection): unknown {
  const nodes = nodesOnPath(value, path);
  const objects = flatMap(nodes, ({ node }) => (isObject(node) ? [node] : []));
  // If an item refers back to a container on the path, the container is not copied.
  const copyOf = (item: unknown) =>
    deepCopy(item, { types, isApart: true, made: new Map(map(objects, (node) => [node, node])) });
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
  return isReferencedElsewhere(nodes, types)
    ? deepCopy(changed, { types, isApart: true, replacements })
    : changed;
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

interface PathNode {
  /** Key or index in the parent; "" for the root. */
  key: string | number;
  node: unknown;
}

/** True if anything on the path is also referenced from elsewhere: a parent link, or one list under two names. */
function isReferencedElsewhere(nodes: readonly PathNode[], types: TypeDetection): boolean {
  const nextOf = new Map(nodes.map(({ node }, at) => [node, nodes[at + 1]]));
  const walk = new Walk<Parts>();
  const seen = new Set<object>();
  const visit = (child: unknown, parent: Parts | null, step: TrailStep): true | undefined => {
    if (!isObject(child)) return undefined;
    const next = parent === null ? undefined : nextOf.get(parent.owner);
    if (parent !== null && nextOf.has(child) && !(next?.node === child && String(next.key) === String(step)))
      return true;
    if (seen.has(child)) return undefined;
    seen.add(child);
    walk.open.push(partsOf(child, { types, read: () => undefined }));
    return undefined;
  };
  return visit(nodes[0]?.node, null, '') === true || walk.run(visit);
}
