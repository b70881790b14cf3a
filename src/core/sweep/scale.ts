/** A payload made larger or smaller at one place. The input stays as it is. */
import { ToolError } from '../../model/errors.ts';
import type { DimensionName, Scale } from '../../model/sweep.ts';
import { parsePath } from '../paths.ts';
import { isHeldFromElsewhere, type Stop } from './back-references.ts';
import {
  type Bytes,
  type CloneOther,
  elementBytes,
  isBytes,
  isPlainRecord,
  ownCopy,
  put,
} from './own-copy.ts';

/**
 * `value` with the array, string, object or buffer at `path` in the new size: cut off, or repeated with fresh copies.
 * Only what lies on the way to that place is copied; where something points back to it, everything is, so that a
 * parent link leads to the new parent.
 *
 * @throws ToolError 'measure-failed' when there is no such thing at the path, or nothing in it to repeat
 */
export function scaled(value: unknown, { by, path, size }: Scale, cloneOther: CloneOther): unknown {
  const way = wayTo(value, path);
  const nodes = way.map(({ node }) => node).filter(isObject);
  // What is on the way is not copied along with an item that points back to it.
  const copyOf = (item: unknown) => ownCopy(item, cloneOther, new Map(nodes.map((node) => [node, node])));
  const successors = new Map<object, unknown>();
  let changed = SCALERS[by](way.at(-1)!.node, size, copyOf);
  if (changed === NOTHING) throw failure(path, by, size);
  for (let at = way.length - 1; at >= 0; at--) {
    const { node, key } = way[at]!;
    if (isObject(node)) successors.set(node, changed);
    const parent = way[at - 1]?.node;
    if (!isObject(parent)) break;
    const copy = shallow(parent);
    put(copy, key, changed);
    changed = copy;
  }
  return isHeldFromElsewhere(way) ? ownCopy(changed, cloneOther, new Map(), successors) : changed;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function wayTo(value: unknown, path: string): Stop[] {
  const way: Stop[] = [{ key: '', node: value }];
  for (const step of parsePath(path) ?? []) {
    const key = step.type === 'key' ? step.key : step.type === 'index' ? step.index : null;
    const { node } = way.at(-1)!;
    if (key === null || !isObject(node)) throw failure(path, 'place', 0);
    way.push({ key, node: (node as Record<string | number, unknown>)[key] });
  }
  return way;
}

const failure = (path: string, by: string, size: number) =>
  new ToolError('measure-failed', {
    path,
    detail: size === 0 ? `there is no ${path} in this value` : `${path} cannot be scaled to ${size} ${by}`,
  });

/** Spread keeps a plain object fast in V8; anything else keeps its prototype. */
function shallow(node: object): object {
  if (Array.isArray(node)) return node.slice();
  const proto = Object.getPrototypeOf(node) as object | null;
  return proto === Object.prototype ? { ...node } : Object.assign(Object.create(proto) as object, node);
}

const NOTHING = Symbol('nothing');

/** Makes a fresh copy of a member. */
type Copier = (member: unknown) => unknown;

type Scaler = (target: unknown, size: number, copyOf: Copier) => unknown;

const SCALERS: Record<DimensionName, Scaler> = {
  items: (target, size, copyOf) => (Array.isArray(target) ? itemsOf(target, size, copyOf) : NOTHING),
  chars: (target, size) => (typeof target === 'string' ? charsOf(target, size) : NOTHING),
  bytes: (target, size) =>
    typeof target === 'object' && target !== null && isBytes(target) ? bytesOf(target, size) : NOTHING,
  keys: (target, size, copyOf) =>
    typeof target === 'object' && target !== null && isPlainRecord(target)
      ? keysOf(target, size, copyOf)
      : NOTHING,
};

/** `slice` and `push` keep a packed array packed; a hole is repeated as a hole. */
function itemsOf(source: readonly unknown[], size: number, copyOf: Copier): unknown {
  const items = source.slice(0, size);
  if (source.length === 0 && size > 0) return NOTHING;
  for (let at = items.length; at < size; at++) {
    const from = at % source.length;
    if (from in source) items.push(copyOf(source[from]));
    else items.length = at + 1;
  }
  return items;
}

/** Pieces of this many units are joined: see `ownText` for why they are joined at all. */
const MOST_PIECES = 1024;

function charsOf(source: string, size: number): unknown {
  if (source === '' && size > 0) return NOTHING;
  const piece = source.repeat(Math.max(1, Math.ceil(size / MOST_PIECES / source.length)));
  const pieces: string[] = [];
  for (let left = size; left > 0; left -= piece.length) pieces.push(piece.slice(0, left));
  if (pieces.length !== 1) return pieces.join('');
  const [only = ''] = pieces;
  const half = only.length >> 1;
  return [only.slice(0, half), only.slice(half)].join('');
}

type ViewMaker = new (buffer: ArrayBuffer) => ArrayBufferView;

function bytesOf(source: Bytes, size: number): unknown {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  if (bytes.length === 0 && size > 0) return NOTHING;
  const grain = elementBytes(source);
  const grown = new Uint8Array(Math.max(size === 0 ? 0 : grain, size - (size % grain)));
  for (let at = 0; at < grown.length; at += bytes.length) {
    grown.set(bytes.subarray(0, Math.min(bytes.length, grown.length - at)), at);
  }
  if (!ArrayBuffer.isView(source)) return grown.buffer;
  const makers = globalThis as unknown as Record<string, ViewMaker>;
  const tag = (source as Partial<Uint8Array>)[Symbol.toStringTag] ?? 'DataView';
  const View = makers[tag];
  return View === undefined ? NOTHING : new View(grown.buffer);
}

/** Further keys are named after the ones that are there: "name", then "name_1", "name_2", ... */
function keysOf(source: Record<string, unknown>, size: number, copyOf: Copier): unknown {
  const keys = Object.keys(source);
  if (keys.length === 0 && size > 0) return NOTHING;
  const taken = new Set(keys);
  const names = Array.from({ length: size }, (_, at) => {
    const key = keys[at % keys.length]!;
    return at < keys.length ? key : freeName(key, Math.floor(at / keys.length), taken);
  });
  const grown = withKeys(names, Object.getPrototypeOf(source) === null);
  for (const [at, name] of names.entries()) {
    const value = source[keys[at % keys.length]!];
    put(grown, name, at < keys.length ? value : copyOf(value));
  }
  return grown;
}

/**
 * V8 makes a dictionary of an object that gets more than some twelve properties by computed keys, which it sends
 * another way; one that is parsed keeps its fast properties. Without a prototype it is a dictionary anyway.
 */
function withKeys(names: readonly string[], bare: boolean): object {
  if (bare) return Object.create(null) as object;
  return JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`) as object;
}

function freeName(key: string, round: number, taken: Set<string>): string {
  let name = `${key}_${round}`;
  while (taken.has(name)) name += '_';
  taken.add(name);
  return name;
}
