/** Looks at a message before it is posted, and at how much of it equals the previous one. */
import { typeDetection } from '../../../engines/probe/type-detection.ts';
import type { ChangesSeen, TransferLint } from '../../../model/documents/recorded/recording.ts';
import type { Serialization } from '../../../model/names.ts';
import { orElse } from '../../../model/or-else.ts';
import type { KeptValues } from '../../../model/recording/recording.ts';
import { callOn, DATE, viewRange } from '../../../value/read/intrinsics.ts';
import { map } from '../../../value/read/lists.ts';
import { keyText } from '../../../value/read/paths.ts';
import { readParts } from '../../../value/read/spread.ts';
import { entriesIn } from '../../../value/read/walk.ts';
import { isKeyName } from '../../../value/shape/masking.ts';
import { type Chance, chanceFrom, MAX_NAMED_KEYS } from '../../values/masks.ts';
import { Sample } from '../../values/sampler.ts';
import * as kept from '../realm.ts';

/** Longer texts are not read: it stays unknown how they are stored. */
const MAX_UNITS = 1 << 17;
/** Most bytes that are serialized once more: for each value that was visited, and in any case. */
const NODE_BYTES = 64;
const MIN_SERIALIZED = 1 << 17;
const MAX_KEPT = 1 << 20;

let engine: kept.LookEngine | null = null;

let chance: Chance | null = null;

/** True if all of it is known, and serializing it once more takes no longer than looking at it did. */
function isSmall({ isPart, isSafe, buffers, visited }: Sample): boolean {
  let bytes = 0;
  buffers.forEach((one) => {
    bytes += one.bytes;
  });
  return !isPart && isSafe && bytes <= Math.max(MIN_SERIALIZED, NODE_BYTES * visited);
}

/**
 * Facts of a message, seen before it is posted.
 *
 * @param nodes about how many values may be visited
 * @param serialization of a message to another process; null if it is not known
 */
export function lookAt(
  value: unknown,
  entries: readonly kept.Listed[],
  nodes: number,
  values: KeptValues,
  serialization?: Serialization | null,
) {
  chance ??= chanceFrom(kept.settings.salt);
  engine ??= kept.platform.engine();
  const { bytes, withStorage } = engine;
  const listed = new Map<unknown, number>(map(entries, (one) => [one.value, one.bytes]));
  const isText = serialization === 'json' || serialization === null;
  const sample = withStorage((storage) => {
    const string: typeof storage.string = (text, depth) =>
      text.length > MAX_UNITS ? 0 : storage.string(text, depth);
    const probe = { types: typeDetection(), storage: { ...storage, string } };
    return new Sample(value, { probe, values, chance: chance!, nodes, maxBytes: MAX_KEPT, listed, isText });
  });
  const mayBeWritten = serialization !== 'json' && entries.length === 0 && isSmall(sample);
  return {
    ...{ value, sample, transfer: lintTransfer(sample, entries) },
    /** Adds what reading would change, such as ropes. @returns bytes as the engine writes them, if that is known */
    finish(isPosted: boolean): number | undefined {
      sample.finish(isPosted);
      return (mayBeWritten ? bytes?.(value, serialization !== undefined) : null) ?? undefined;
    },
  };
}
export type Look = ReturnType<typeof lookAt>;

// Effect of the transfer list of a message, and the effect that it could have. Runs nothing of the program's.

/** Buffers that were in a message: if posted again, they are needed here, or cannot be transferred (WebAssembly). */
const posted = new kept.Weak<object, true>();

function lintTransfer({ buffers, isPart }: Sample, listed: readonly kept.Listed[]): TransferLint {
  const lint: TransferLint = {
    ...{ messages: 1, listed: listed.length, possible: 0, possibleBytes: 0 },
    ...{ useless: 0, hiddenBytes: 0, pooled: 0 },
  };
  // A value that was not visited may hold it.
  for (const { value } of isPart ? [] : listed)
    if (kept.isBuffer(value) && !buffers.has(value as object)) lint.useless++;
  buffers.forEach(({ node, buffer, bytes, shown, stays, pooled }) => {
    lint.pooled += pooled;
    if (node.shared !== true && node.moved !== true) lint.hiddenBytes += Math.max(0, bytes - shown);
    const isAgain = !kept.isNew(posted, buffer);
    if (stays || isAgain || node.moved === true || bytes === 0) return;
    lint.possible++;
    lint.possibleBytes += bytes;
  });
  return lint;
}

// How much of a message equals the previous one, by hashes in memory. After the post, because reading flattens ropes.

export interface Part {
  hash: number;
  weight: number;
  kind: 'leaf' | 'list' | 'object';
  inner: ReadonlyMap<string, Part>;
  each: number;
  /** True for a text that is JSON: `inner` are then the parts of its value. */
  isJson?: boolean;
}

const NODES = 4000;
const MOST = 8000;
const MAX_DEPTH = 32;
const FEW = 32;
const UNITS = 256;
const END_UNITS = 8;
const BYTES = { most: 1 << 12, parts: 64, units: 64 };
/** Shorter texts are not looked into, and longer ones would take too long. */
const JSON_UNITS = { least: 64, most: 1 << 18 };
const MAX_PATHS = 8;

const mixed = (hash: number, word: number): number => {
  const next = Math.imul(hash ^ word, 0x01000193);
  return next ^ (next >>> 15);
};

function textHash(text: string, seed: number): number {
  let hash = mixed(seed, text.length);
  const step = Math.max(1, text.length / UNITS);
  for (let at = 0; at < text.length; at += step) hash = mixed(hash, text.charCodeAt(at));
  // A counter may stand there.
  for (let at = Math.max(0, text.length - END_UNITS); at < text.length; at++)
    hash = mixed(hash, text.charCodeAt(at));
  return hash;
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

function numberHash(value: number, seed = 5): number {
  double[0] = value;
  return mixed(mixed(seed, words[0]!), words[1]!);
}

function bytesHash(bytes: Uint8Array): number {
  let hash = mixed(31, bytes.length);
  readParts(bytes.length, BYTES, (from, to) => {
    for (let i = from; i < to; i++) hash = mixed(hash, bytes[i]!);
  });
  return hash;
}

const NONE: Part['inner'] = new Map();
const leaf = (hash: number, weight: number): Part => ({ hash, weight, kind: 'leaf', inner: NONE, each: 1 });

let others = 0;
const unread = (): Part => leaf(mixed(0x5bd1e995, ++others), 8);

let visited = 0;

function read(value: unknown, nodes: number, depth: number): Part {
  visited++;
  if (typeof value === 'string') return textPart(value, nodes, depth);
  if (typeof value === 'number') return leaf(numberHash(value), 6);
  if (typeof value === 'object' && value !== null) return objectPart(value, nodes, depth);
  if (typeof value === 'symbol' || typeof value === 'function') return unread();
  return leaf(textHash(`${typeof value} ${String(value)}`, 7), 2);
}

function textPart(text: string, nodes: number, depth: number): Part {
  const { length } = text;
  const mayBeJson = length >= JSON_UNITS.least && length <= JSON_UNITS.most;
  const value: unknown =
    mayBeJson && (text[0] === '{' || text[0] === '[') ? orElse(() => kept.parsed(text), null) : null;
  if (value === null) return leaf(textHash(text, 3), length + 2);
  return { ...read(value, nodes, depth + 1), weight: length + 2, isJson: true };
}

function objectPart(value: object, nodes: number, depth: number): Part {
  if (kept.types.isProxy(value) || depth > MAX_DEPTH || visited > MOST) return unread();
  if (Array.isArray(value)) return childrenPart(value, null, nodes, depth);
  if (ArrayBuffer.isView(value) || kept.isBuffer(value)) return buffer(value);
  const prototype = Reflect.getPrototypeOf(value);
  const isPlain = prototype === null || prototype === Object.prototype;
  const kind = isPlain ? 'object' : typeDetection().of(value).kind;
  if (kind === 'object') return childrenPart(value, Object.keys(value), nodes, depth);
  if (kind === 'date') return leaf(numberHash(callOn(DATE.getTime, value) as number, 37), 9);
  if (kind !== 'map' && kind !== 'set') return unread();
  return childrenPart(entriesIn(value, kind).values, null, nodes, depth);
}

function childrenPart(value: object, keys: string[] | null, nodes: number, depth: number): Part {
  const { length } = keys ?? (value as unknown[]);
  const taken = length <= FEW ? length : Math.min(length, Math.max(8, nodes >> 3));
  const isList = keys === null;
  const inner = new Map<string, Part>();
  let hash = mixed(isList ? 23 : 29, length);
  let weight = 0;
  for (let i = 0; i < taken; i++) {
    const at = Math.floor((i * length) / taken);
    const key = isList ? `${at}` : keys[at]!;
    const child = read(kept.dataOf(value, key), Math.max(4, (nodes - taken) / taken), depth + 1);
    inner.set(isList ? `${i}` : key, child);
    hash = mixed(isList ? hash : textHash(key, hash), child.hash);
    weight += child.weight + (isList ? 0 : key.length + 2);
  }
  const each = taken === 0 ? 1 : length / taken;
  return { hash, weight: 4 + weight * each, kind: isList ? 'list' : 'object', inner, each };
}

/** A view counts by the bytes that it shows. A buffer without content was transferred, or is empty. */
function buffer(value: object): Part {
  const range = kept.isView(value) ? viewRange(value) : null;
  const bytes = range
    ? new kept.Bytes(range.buffer, range.offset, range.bytes)
    : new kept.Bytes(value as ArrayBuffer);
  return bytes.length === 0 ? unread() : leaf(bytesHash(bytes), kept.memoryBehind(value));
}

export function partsOf(value: unknown): Part | null {
  visited = 0;
  return orElse(() => read(value, NODES, 0), null);
}

export function changesOf(before: Part, after: Part): ChangesSeen {
  let changed = 0;
  const paths = new Set<string>();
  const differs = (path: string, weight: number) => {
    changed += weight;
    if (paths.size < MAX_PATHS) paths.add(path);
  };
  const between = (one: Part, other: Part, path: string, times: number): void => {
    if (one.hash === other.hash) return;
    const { kind, inner, each, isJson } = other;
    if (one.kind !== kind || one.isJson !== isJson || one.inner.size === 0 || inner.size === 0) {
      differs(path, other.weight * times);
      return;
    }
    const at = isJson === true ? `JSON.parse(${path})` : path;
    const isMap = inner.size > MAX_NAMED_KEYS || each > 1;
    const below = (key: string) =>
      kind === 'list' ? `${at}[*]` : isMap || !isKeyName(key) ? `${at}.*` : at + keyText(key);
    for (const [key, child] of inner) {
      const known = one.inner.get(key);
      if (known === undefined) differs(below(key), child.weight * times * each);
      else between(known, child, below(key), times * each);
    }
    if (one.inner.size > inner.size) differs(kind === 'list' ? `${at}[*]` : at, 0);
  };
  between(before, after, '$', 1);
  const share = Math.max(0, Math.min(1, 1 - changed / Math.max(1, after.weight)));
  return { equal: Math.floor(share * 1000) / 1000, paths: [...paths] };
}
