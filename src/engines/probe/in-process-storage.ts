/** Storage of values in the running program, without natives, within microseconds. Otherwise it is assumed. */

import * as v8 from 'node:v8';
import type { EngineName } from '../../model/names.ts';
import { STORED, STRUCTURE } from '../../value/describe/inspect/flags.ts';
import {
  assumedStorage,
  byContent,
  type ElementFacts,
  isLatin1,
  type Storage,
  v8Array,
  v8Object,
} from '../../value/describe/inspect/storage.ts';
import { runningRuntime } from './process.ts';
import { wireTag } from './serialized.ts';

/** Node 22.15, 23.10 and later (PR #56147). On Node 20 and Deno the wire tells. */
const isOneByte = (v8 as { isStringOneByteRepresentation?: (text: string) => boolean })
  .isStringOneByteRepresentation;

const TWO_BYTE_TAG = 'c';

/** Shorter strings inside a payload are not queried: each costs little, and a thousand are an open question. */
const ASKED_FROM_UNITS = 64;
/** Limit for all Latin-1 strings that are serialized to see their storage, in units; a call costs as much as some. */
const WIRE_UNITS_IN_ALL = 4_000_000;
const UNITS_OF_A_CALL = 1000;

/** 0: it stays unknown. */
function widthByWire(): Storage['string'] {
  let left = WIRE_UNITS_IN_ALL;
  return (text, depth) => {
    if (!isLatin1(text)) return STORED['two-byte'];
    const cost = text.length + UNITS_OF_A_CALL;
    if ((text.length < ASKED_FROM_UNITS && depth > 0) || cost > left) return 0;
    left -= cost;
    const two = wireTag(text) === TWO_BYTE_TAG;
    return two ? STORED['two-byte'] | STORED['ascii-in-two-byte'] : STORED['one-byte'];
  };
}

/**
 * STORED bits of a string in the running V8; none if it is not queried. Make a new one for each description.
 * @param fromJson JSON.parse makes Latin-1 text one byte a unit, also out of a wider source (json/json-parser.cc); seen
 * on Node 20 and Deno 2.9. On Node 20 a text of a few units may have been interned wide before
 */
export function stringWidth(fromJson = false): Storage['string'] {
  if (isOneByte === undefined) return fromJson ? byContent : widthByWire();
  return (text) => {
    if (isOneByte(text)) return STORED['one-byte'];
    return isLatin1(text) ? STORED['two-byte'] | STORED['ascii-in-two-byte'] : STORED['two-byte'];
  };
}

const HOLEY_TAG = 'a';

/** Observed flags with which `slice` runs no user code and copies the elements kind. */
const SLICED_AS_STORED = STRUCTURE.empty | STRUCTURE.repeated | STRUCTURE.cycle;

/** Most arrays to query: each takes some microseconds. */
const MAX_ARRAYS = 20_000;

const { slice } = Array.prototype;

/** Copies no elements: V8 writes an empty array by its elements kind too. */
const isHoleyByTag = (value: readonly unknown[]) => wireTag(slice.call(value, 0, 0)) === HOLEY_TAG;

/** Elements kind of an array, by observable facts if they suffice. @param isHoley queries V8; null if it cannot */
function v8ArrayKind(isHoley: ((value: readonly unknown[]) => boolean) | null): Storage['array'] {
  let left = isHoley === null ? 0 : MAX_ARRAYS;
  return (value, _depth, facts: ElementFacts) => {
    const { observed } = facts;
    // An attribute of a named property looks the same here as an attribute of an element.
    if ((observed & NAMED) !== 0 && (observed & SETTLED) === 0) return 0;
    const assumed = v8Array(facts);
    if ((assumed & PACKED) === 0) return assumed;
    if (isHoley === null || left === 0 || (observed & ~SLICED_AS_STORED) !== 0) return 0;
    left--;
    return isHoley(value) ? STORED['holey-kind'] : assumed;
  };
}

const NAMED = STRUCTURE['named-props'] | STRUCTURE['symbol-key'];
const SETTLED = STRUCTURE.holes | STRUCTURE['non-extensible'];
const PACKED = STORED['packed-smi'] | STORED['packed-double'] | STORED['packed-elements'];

export function inProcessStorage(engine: EngineName): Storage {
  if (engine !== 'v8') return assumedStorage(engine);
  const runsHere = runningRuntime().engine === 'v8';
  // V8 copies the elements kind only while Array's species is unchanged (builtins/array-slice.tq).
  const slicesKeepKind = runsHere && isHoleyByTag(new Array(1)) && !isHoleyByTag([1]);
  return {
    by: runsHere ? 'v8-tags' : 'assumed',
    engine,
    string: runsHere ? stringWidth() : byContent,
    object: (_value, _depth, observed, keys) => {
      const assumed = v8Object(observed, keys);
      const settled = assumed !== 0 || (observed & (STRUCTURE['indexed-key'] | STRUCTURE.empty)) !== 0;
      // Deleted properties and computed keys turn an object into a dictionary, which only natives can see.
      return settled ? assumed : STORED['dictionary-unknown'];
    },
    array: v8ArrayKind(slicesKeepKind ? isHoleyByTag : null),
  };
}
