/** Scales one part of a payload. The input does not change. */
import { ToolError } from '../../model/errors.ts';
import type { DimensionName, Scale } from '../../model/vocabulary/sweep.ts';
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
import { parsePath } from '../paths.ts';
import { flatMap, map } from '../value/lists.ts';
import { isObject, ownData } from '../value/own-data.ts';

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
