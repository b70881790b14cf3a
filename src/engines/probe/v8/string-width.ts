/** Finds out if V8 stores a string with one byte a unit or two. */
import * as v8 from 'node:v8';
import { byContent, isLatin1 } from '../../../value/describe/assumed-storage.ts';
import { STORED } from '../../../value/describe/inspect/flags.ts';
import type { Storage } from '../../../value/describe/inspect/probe.ts';
import { wireTag } from '../oracle/serialized.ts';

/** Node 22.15, 23.10 and later (PR #56147). On Node 20 and Deno the wire tells. */
const isOneByte = (v8 as { isStringOneByteRepresentation?: (text: string) => boolean })
  .isStringOneByteRepresentation;

const TWO_BYTE_TAG = 'c';

/** Shorter strings inside a payload are not asked: each costs little, and a thousand of them are an open question. */
const ASKED_FROM_UNITS = 64;
/** Limit for all Latin-1 strings that are serialized to see their storage, in units; a call costs as much as some. */
const WIRE_UNITS_IN_ALL = 4_000_000;
const UNITS_OF_A_CALL = 1000;

const UNKNOWN = 0;

function widthByWire(): Storage['string'] {
  let left = WIRE_UNITS_IN_ALL;
  return (text, depth) => {
    if (!isLatin1(text)) return STORED['two-byte'];
    const cost = text.length + UNITS_OF_A_CALL;
    if ((text.length < ASKED_FROM_UNITS && depth > 0) || cost > left) return UNKNOWN;
    left -= cost;
    const two = wireTag(text) === TWO_BYTE_TAG;
    return two ? STORED['two-byte'] | STORED['ascii-in-two-byte'] : STORED['one-byte'];
  };
}

/**
 * STORED bits of a string in the running V8; no bits if it is not queried. Make a new one for each description.
 *
 * @param fromJson JSON.parse makes Latin-1 text one byte a unit, also out of a wider source (json/json-parser.cc); seen
 *   on Node 20 and Deno 2.9. On Node 20 a text of a few units may have been interned wide before
 */
export function stringWidth(fromJson = false): Storage['string'] {
  if (isOneByte === undefined) return fromJson ? byContent : widthByWire();
  return (text) => {
    if (isOneByte(text)) return STORED['one-byte'];
    return isLatin1(text) ? STORED['two-byte'] | STORED['ascii-in-two-byte'] : STORED['two-byte'];
  };
}
