/**
 * Storage as JavaScriptCore describes it (Bun 1.2.20 to 1.4.5). Fast paths depend only on the root and two levels below
 * it, and each query costs microseconds, so storage of deeper values is assumed.
 */

import type { Shape } from '../../model/documents/shape.ts';
import type { PathName } from '../../model/names.ts';
import type { Confirmation } from '../../model/wire/wire.ts';
import { STORED, STRUCTURE } from '../../value/describe/inspect/flags.ts';
import {
  byContent,
  type ElementFacts,
  isLatin1,
  jscArray,
  jscHistory,
  jscObject,
  type Storage,
} from '../../value/describe/inspect/storage.ts';
import { readLength } from '../../value/read/intrinsics.ts';
import { filter, flatMap, map } from '../../value/read/lists.ts';
import { hasIndices } from '../../value/read/own-data.ts';
import { valueAt } from './oracle-result.ts';
import { typeDetection } from './type-detection.ts';

/** The functions of `bun:jsc` that every release from 1.2.20 to 1.4.5 has, typed. */
export interface BunJsc {
  /** JSC's dump of a value as text. Copies strings and key lists; does not resolve ropes. */
  jscDescribe(value: unknown): string;
  /** True for a concatenation or a substring that is not resolved yet. */
  isRope(text: string): boolean;
  /** Bytes. The characters of a string are divided by the number of their holders. 0 for values that are not cells. */
  estimateShallowMemoryUsageOf(value: unknown): number;
}

/**
 * Other runtimes do not have this module. All versions from 1.2.20 to 1.4.5 have these functions; null in one that lacks
 * some of them, where storage is assumed and no path confirmed.
 */
export async function bunJsc(): Promise<BunJsc | null> {
  const specifier = 'bun:jsc';
  const jsc = (await import(specifier)) as Partial<BunJsc>;
  const asked = [jsc.jscDescribe, jsc.isRope, jsc.estimateShallowMemoryUsageOf];
  return asked.includes(undefined) ? null : (jsc as BunJsc);
}

const HEAD = /\[0x[0-9a-f]+\/\d+, (\w+), \(\d+\/\d+, (\d+)\/\d+\)\{/;

/** Parses `jscDescribe` of an object; null for other texts. Keys are printed raw, so it reads from both ends. */
export function parseObjectText(text: string) {
  const head = HEAD.exec(text.slice(0, 400));
  const end = text.lastIndexOf('}, ');
  if (head === null || end < 0) return null;
  const tail = text.slice(end + 3);
  const mode = /^[A-Za-z0-9]+/.exec(tail)?.[0] ?? '';
  return {
    className: head[1]!,
    /** Out-of-line named properties that the structure has had: 0 for an array that never had one. */
    outSize: Number(head[2]),
    /** Indexing type: "NonArray", "ArrayWithInt32". */
    mode: mode.replace(/^CopyOnWrite/, ''),
    uncacheable: tail.includes(', UncacheableDictionary'),
    /** The object holds its prototype, its structure does not. */
    polyProto: tail.includes(', PolyProto offset:'),
    /** Reason for which the structure was made: "Unknown", "Freeze", "PreventExtensions". */
    transition: /^[^,]*, (\w+)/.exec(tail)?.[1] ?? '',
  };
}

const STRING = /^String((?: \(\w+\))*),8Bit:\((\d)\)/;

/** Parses `jscDescribe` of a string. `narrow`: one byte for each UTF-16 unit. */
export function parseStringText(text: string): { atom: boolean; narrow: boolean } | null {
  const found = STRING.exec(text.slice(0, 80));
  if (found === null) return null;
  return { atom: found[1]!.includes('(atomic)'), narrow: found[2] === '1' };
}

/** Values below are not queried. */
const MAX_DEPTH = 2;
/** Most objects of a root array to query; the oracle finds hidden state in the rest. */
const MAX_OBJECTS = 4096;
/** Most string units to query in all: jscDescribe copies the text. */
const MAX_UNITS = 64_000_000;
/** Fewer elements are read faster by descriptor than described. */
const DESCRIBED_ELEMENTS = 128;

const MODES: Readonly<Record<string, number>> = {
  ArrayWithUndecided: STORED.undecided,
  ArrayWithInt32: STORED['int32-storage'],
  ArrayWithDouble: STORED['double-storage'],
  ArrayWithContiguous: STORED.contiguous,
  ArrayWithArrayStorage: STORED['array-storage'],
  ArrayWithSlowPutArrayStorage: STORED['slow-put'],
};
const PLAIN_ELEMENTS = new Set(['ArrayWithInt32', 'ArrayWithDouble', 'ArrayWithContiguous']);

export function bunStorage(jsc: BunJsc, fromJson: boolean): Storage {
  let objects = MAX_OBJECTS;
  let units = MAX_UNITS;
  const locksMove = parseObjectText(jsc.jscDescribe(Object.preventExtensions({})))?.mode !== 'NonArray';
  const mayQuery = (text: string) => {
    if (text.length < SHARED_UNITS || text.length > units) return false;
    units -= text.length;
    return true;
  };
  return {
    by: 'bun-jsc',
    engine: 'jsc',
    string: (text, depth) => {
      if (depth > MAX_DEPTH) return byContent(text);
      const rope = text.length > 0 && jsc.isRope(text) ? STORED.rope : 0;
      return rope | (mayQuery(text) ? stringStorage(jsc, text) : byContent(text) | unknownShare(text));
    },
    object: (value, depth, observed) => {
      const history = fromJson ? 0 : jscHistory(depth);
      if (depth > 1 || (depth === 1 && objects-- <= 0)) return history | jscObject(observed);
      return history | objectStorage(jsc, value, observed, locksMove);
    },
    array: (value, depth, facts) => (depth === 0 ? arrayStorage(jsc, value, facts) : jscArray(facts)),
    elements: (value) =>
      PLAIN_ELEMENTS.has(elementMode(jsc, value, readLength(value))) ? 'holey' : undefined,
  };
}

const unknownShare = (text: string): number => (text.length >= SHARED_UNITS ? STORED['share-unknown'] : 0);

function stringStorage(jsc: BunJsc, text: string): number {
  // Reading the content resolves a rope; the engine tells the width of a substring only then.
  const latin1 = isLatin1(text);
  const string = parseStringText(jsc.jscDescribe(text));
  if (string === null) return byContent(text) | unknownShare(text);
  const width = string.narrow ? STORED['one-byte'] : STORED['two-byte'];
  const wide = latin1 && !string.narrow ? STORED['ascii-in-two-byte'] : 0;
  const owns = string.atom || ownsBuffer(jsc, text, string.narrow ? text.length : 2 * text.length);
  const share = owns === null ? STORED['share-unknown'] : owns ? 0 : STORED.substring;
  return width | wide | share | (string.atom ? STORED.atom : 0);
}

/** @param locksMove up to Bun 1.3 preventExtensions alone gives an object indexed storage, which then shows no key */
function objectStorage(jsc: BunJsc, value: object, observed: number, locksMove: boolean): number {
  const object = parseObjectText(jsc.jscDescribe(value));
  if (object === null) return jscObject(observed);
  const keyless = (observed & STRUCTURE['indexed-key']) === 0;
  const moved = locksMove && keyless && (observed & STRUCTURE['non-extensible']) !== 0;
  const indexed = object.mode === 'NonArray' || moved ? 0 : STORED['indexed-storage'];
  const empty = (observed & STRUCTURE.empty) !== 0;
  const vacuous = empty && object.transition === 'PreventExtensions' && !locksMove;
  return (
    indexed |
    (object.uncacheable ? STORED['uncacheable-dictionary'] : 0) |
    (object.polyProto ? STORED['poly-proto'] : 0) |
    (vacuous ? STORED['vacuously-frozen'] : 0)
  );
}

const NAMED = STRUCTURE['named-props'] | STRUCTURE['symbol-key'];

function arrayStorage(jsc: BunJsc, value: readonly unknown[], facts: ElementFacts): number {
  const array = parseObjectText(jsc.jscDescribe(value));
  const hadNames = array !== null && array.outSize > 0 && (facts.observed & NAMED) === 0;
  const indexed = hasIndexedPrototype(jsc, value) ? STORED['prototype-indexed'] : 0;
  const storage = MODES[array?.mode ?? ''] ?? jscArray(facts);
  return storage | (hadNames ? STORED['named-props-history'] : 0) | indexed;
}

const WITHOUT_ELEMENTS = ['NonArray', 'ArrayClass'];

/**
 * JSC holesMustForwardToPrototype (runtime/JSArray.cpp): an object on the chain has storage for elements, maybe empty
 * (as any array that serves as a prototype), or may provide elements in a different way.
 */
function hasIndexedPrototype(jsc: BunJsc, value: readonly unknown[]): boolean {
  const { isProxy } = typeDetection();
  for (let at = Reflect.getPrototypeOf(value); at !== null; at = Reflect.getPrototypeOf(at)) {
    if (isProxy(at)) return true;
    const prototype = parseObjectText(jsc.jscDescribe(at));
    if (prototype !== null && !WITHOUT_ELEMENTS.includes(prototype.mode)) return true;
    if (hasIndices(at)) return true;
  }
  return false;
}

/** Mode of an array without named properties; "" for other arrays, and for short ones. */
function elementMode(jsc: BunJsc, value: readonly unknown[], length: number): string {
  if (length < DESCRIBED_ELEMENTS || Object.getPrototypeOf(value) !== Array.prototype) return '';
  const array = parseObjectText(jsc.jscDescribe(value));
  return array !== null && array.className === 'Array' && array.outSize === 0 ? array.mode : '';
}

// A string owns its characters, views a longer string, or shares them with a receiver. The estimate of a string cell is
// its header plus the bytes of its buffer divided by the number of holders. Slices add holders, and the sequence of
// estimates shows whether the buffer has this string's length or is longer.

/** Bytes of a string cell. The larger number is for a cell that was a rope. */
const HEADERS = [16, 32];
const MAX_HOLDERS = 4096;
/** Bun shares strings from this length on instead of copying them (oven-sh/bun#22006). */
const SHARED_UNITS = 256;
const RESOLVE = /^./s;

function resolved(text: string): string {
  RESOLVE.test(text);
  return text;
}

function explains(estimates: readonly number[], header: number, bytes: number, holders: number): boolean {
  return estimates.every((e, more) => e - header === Math.ceil(bytes / (holders + more)));
}

/** null when both the string's own buffer and a slightly longer one explain the estimates. */
function ownFits(estimates: readonly number[], bytes: number): boolean | null {
  for (const header of HEADERS) {
    const share = estimates[0]! - header;
    const near = share > 0 ? Math.round(bytes / share) : 0;
    for (let holders = Math.max(1, near - 2); holders <= Math.min(near + 2, MAX_HOLDERS); holders++)
      if (explains(estimates, header, bytes, holders))
        return explains(estimates, header, bytes + 1, holders) ? null : true;
  }
  return false;
}

/** A garbage collection between two estimates takes holders away. */
const LOOKS = 3;

/** @param bytes bytes of this string's characters @returns null if the estimates fit no answer, or more than one */
function ownsBuffer(jsc: BunJsc, text: string, bytes: number): boolean | null {
  resolved(text);
  for (let look = 1; ; look++) {
    const owns = ownsByEstimates(jsc, text, bytes);
    if (owns !== false || look === LOOKS) return owns;
  }
}

function ownsByEstimates(jsc: BunJsc, text: string, bytes: number): boolean | null {
  const estimate = () => jsc.estimateShallowMemoryUsageOf(text);
  const estimates = [estimate()];
  if (!(estimates[0]! > 0)) return null;
  // Alive, they hold the buffer.
  const holders: string[] = [];
  for (let from = 1; from <= 2; from++) {
    holders.push(resolved(text.slice(from)));
    estimates.push(estimate());
  }
  // The slice did not add a holder because the engine copied it, so the estimates do not tell.
  if (holders.length > 0 && estimates[0] === estimates[2]) return null;
  return ownFits(estimates, bytes);
}

const MAX_STRINGS = 64;

/** Call the returned function after the post: each holder of the received value makes the sender's estimate smaller. */
export function watchSharing(jsc: BunJsc, value: unknown, shape: Shape) {
  const rows = filter(
    shape.patterns,
    ({ kind, depth, size }) => kind === 'string' && depth <= 2 && (size?.max ?? 0) >= SHARED_UNITS,
  ).slice(0, MAX_STRINGS);
  const strings = flatMap(rows, ({ pattern, example }) => {
    const text = valueAt(value, example);
    if (typeof text !== 'string' || text.length < SHARED_UNITS) return [];
    const before = jsc.estimateShallowMemoryUsageOf(resolved(text));
    return [{ pattern, example, text, before }];
  });
  return (received: unknown): Confirmation['examples'] => {
    const pathOf = (text: string, before: number): PathName =>
      jsc.estimateShallowMemoryUsageOf(text) < before ? 'string-shared' : 'string-copied';
    const seen = map(strings, ({ text, before, ...place }) => ({ ...place, path: pathOf(text, before) }));
    // It is alive until here.
    return received === undefined ? [] : seen;
  };
}
