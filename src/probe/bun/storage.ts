/**
 * Storage as JavaScriptCore tells it (Bun 1.2.20 to 1.4.5). Only the root and two levels below it matter to Bun's
 * fast paths, and each answer costs microseconds, so deeper values are not asked about.
 */
import { byContent, isLatin1, jscArray, jscObject } from '../../core/describe/assumed-storage.ts';
import { STORED, STRUCTURE } from '../../core/describe/flags.ts';
import type { ElementFacts, Storage } from '../../core/describe/probe.ts';
import { isIndexKey } from '../../core/value/index-key.ts';
import { typeDetection } from '../type-detection/type-detection.ts';
import { type BunJsc, parseObjectText, parseStringText } from './jsc.ts';
import { ownsBuffer } from './shared-buffer.ts';

const DEEPEST = 2;
/** From here on Bun shares instead of copying (oven-sh/bun#22006). */
const SHARED_UNITS = 256;
/** Objects of a root array that are asked about; the clone oracle finds what the rest may hide. */
const MOST_OBJECTS = 4096;
/** jscDescribe copies the text: units in all. */
const MOST_UNITS = 64_000_000;
/** Fewer elements are read by descriptor sooner than described. */
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

export function bunStorage(jsc: BunJsc): Storage {
  let objects = MOST_OBJECTS;
  let units = MOST_UNITS;
  const locksMove = parseObjectText(jsc.jscDescribe(Object.preventExtensions({})))?.mode !== 'NonArray';
  const asked = (text: string) => {
    if (text.length < SHARED_UNITS || text.length > units) return false;
    units -= text.length;
    return true;
  };
  return {
    by: 'bun-jsc',
    engine: 'jsc',
    untouchedArray: (value, depth) => (depth === 0 ? rootStorage(jsc, value) : 0),
    string: (text, depth) => {
      if (depth > DEEPEST) return byContent(text);
      const rope = text.length > 0 && jsc.isRope(text) ? STORED.rope : 0;
      return rope | (asked(text) ? stringStorage(jsc, text) : byContent(text) | unknownShare(text));
    },
    object: (value, depth, observed) => {
      if (depth > 1 || (depth === 1 && objects-- <= 0)) return jscObject(observed);
      return objectStorage(jsc, value, observed, locksMove);
    },
    array: (value, depth, facts) => (depth === 0 ? arrayStorage(jsc, value, facts) : jscArray(facts)),
    elements: (value) => {
      const plain = Object.getPrototypeOf(value) === Array.prototype;
      return plain && value.length >= DESCRIBED_ELEMENTS ? elementsOf(jsc, value) : 'unknown';
    },
    sameHiddenClass: null,
  };
}

function unknownShare(text: string): number {
  return text.length >= SHARED_UNITS ? STORED['share-unknown'] : 0;
}

function stringStorage(jsc: BunJsc, text: string): number {
  // Reading the content resolves a rope; only then does the engine tell the width of a piece.
  const latin1 = isLatin1(text);
  const said = parseStringText(jsc.jscDescribe(text));
  if (said === null) return byContent(text) | unknownShare(text);
  const width = said.narrow ? STORED['one-byte'] : STORED['two-byte'];
  const wide = latin1 && !said.narrow ? STORED['ascii-in-two-byte'] : 0;
  const owns = said.atom ? true : ownsBuffer(jsc, text, said.narrow ? text.length : 2 * text.length);
  const share = owns === null ? STORED['share-unknown'] : owns ? 0 : STORED.substring;
  return width | wide | share | (said.atom ? STORED.atom : 0);
}

/** @param locksMove preventExtensions alone gives an object this storage (up to Bun 1.3), so that it tells of no key */
function objectStorage(jsc: BunJsc, value: object, observed: number, locksMove: boolean): number {
  const said = parseObjectText(jsc.jscDescribe(value));
  if (said === null) return jscObject(observed);
  const keyless = (observed & STRUCTURE['indexed-key']) === 0;
  const moved = locksMove && keyless && (observed & STRUCTURE['non-extensible']) !== 0;
  const indexed = said.mode === 'NonArray' || moved ? 0 : STORED['indexed-storage'];
  const empty = (observed & STRUCTURE.empty) !== 0;
  const vacuous = empty && said.transition === 'PreventExtensions' && !locksMove;
  return (
    indexed |
    (said.uncacheable ? STORED['uncacheable-dictionary'] : 0) |
    (vacuous ? STORED['vacuously-frozen'] : 0)
  );
}

const NAMED = STRUCTURE['named-props'] | STRUCTURE['symbol-key'];

/** 'named-props-history' also where a named property is still there. */
function rootStorage(jsc: BunJsc, value: readonly unknown[]): number {
  const said = parseObjectText(jsc.jscDescribe(value));
  if (said === null) return 0;
  return (MODES[said.mode] ?? 0) | (said.outSize > 0 ? STORED['named-props-history'] : 0);
}

function arrayStorage(jsc: BunJsc, value: readonly unknown[], facts: ElementFacts): number {
  const history = (facts.observed & NAMED) === 0 ? facts.untouched & STORED['named-props-history'] : 0;
  const storage = facts.untouched & ~STORED['named-props-history'];
  const indexed = hasIndexedPrototype(jsc, value) ? STORED['prototype-indexed'] : 0;
  return (storage === 0 ? jscArray(facts) : storage) | history | indexed;
}

/** Objects that hold no elements and never did; Array.prototype is an array of that kind. */
const WITHOUT_ELEMENTS = ['NonArray', 'ArrayClass'];

/**
 * JSC holesMustForwardToPrototype (runtime/JSArray.cpp): storage for elements anywhere on the chain, be it empty, as in
 * every array that serves as a prototype, or something that may answer for one.
 */
function hasIndexedPrototype(jsc: BunJsc, value: readonly unknown[]): boolean {
  let at: object | null = Object.getPrototypeOf(value) as object | null;
  while (at !== null) {
    if (typeDetection.isProxy(at)) return true;
    const said = parseObjectText(jsc.jscDescribe(at));
    if (said !== null && !WITHOUT_ELEMENTS.includes(said.mode)) return true;
    if (Reflect.ownKeys(at).some((key) => typeof key === 'string' && isIndexKey(key))) return true;
    at = Object.getPrototypeOf(at) as object | null;
  }
  return false;
}

function elementsOf(jsc: BunJsc, value: readonly unknown[]): 'holey' | 'unknown' {
  const said = parseObjectText(jsc.jscDescribe(value));
  const plain = said !== null && said.className === 'Array' && said.outSize === 0;
  return plain && PLAIN_ELEMENTS.has(said.mode) ? 'holey' : 'unknown';
}
