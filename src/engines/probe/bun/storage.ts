/**
 * Storage as JavaScriptCore describes it (Bun 1.2.20 to 1.4.5). Bun's fast paths depend only on the root and two levels
 * below it, and each query costs microseconds, so storage of deeper values is assumed.
 */
import {
  byContent,
  isLatin1,
  jscArray,
  jscHistory,
  jscObject,
} from '../../../value/describe/assumed-storage.ts';
import { STORED, STRUCTURE } from '../../../value/describe/inspect/flags.ts';
import type { ElementFacts, Storage } from '../../../value/describe/inspect/probe.ts';
import { readLength } from '../../../value/read/array-reads.ts';
import { hasIndices } from '../../../value/read/own-data.ts';
import { typeDetection } from '../type-detection/type-detection.ts';
import { type BunJsc, parseObjectText, parseStringText } from './jsc.ts';
import { ownsBuffer, SHARED_UNITS } from './string-sharing.ts';

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

/** Objects that never had elements, such as Array.prototype. */
const WITHOUT_ELEMENTS = ['NonArray', 'ArrayClass'];

/**
 * JSC holesMustForwardToPrototype (runtime/JSArray.cpp): an object on the chain has storage for elements, also an empty
 * one (as any array that serves as a prototype), or may provide elements in a different way.
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
