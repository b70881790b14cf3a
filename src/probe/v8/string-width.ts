/** Whether V8 stores a string with one byte a unit or two. */
import * as v8 from 'node:v8';
import { isLatin1 } from '../../core/describe/assumed-storage.ts';
import { STORED } from '../../core/describe/flags.ts';
import type { Storage } from '../../core/describe/probe.ts';
import { wireTag } from './wire-tag.ts';

/** Node 22.15, 23.10 and later (PR #56147). On Node 20 and Deno the wire tells. */
const isOneByte = (v8 as { isStringOneByteRepresentation?: (text: string) => boolean })
  .isStringOneByteRepresentation;

const TWO_BYTE_TAG = 'c';

/** Shorter strings inside a payload are not queried: narrow text in wide storage costs little there. */
const QUERIED_FROM_UNITS = 64;
/** Limit for all Latin-1 strings that are serialized to see their storage. */
const WIRE_UNITS_IN_ALL = 4_000_000;

const UNKNOWN = 0;

function widthByWire(): Storage['string'] {
  let left = WIRE_UNITS_IN_ALL;
  return (text, depth) => {
    if (!isLatin1(text)) return STORED['two-byte'];
    if ((text.length < QUERIED_FROM_UNITS && depth > 0) || text.length > left) return UNKNOWN;
    left -= text.length;
    const two = wireTag(text) === TWO_BYTE_TAG;
    return two ? STORED['two-byte'] | STORED['ascii-in-two-byte'] : STORED['one-byte'];
  };
}

function widthByApi(isOneByteString: (text: string) => boolean): Storage['string'] {
  return (text) => {
    if (isOneByteString(text)) return STORED['one-byte'];
    return isLatin1(text) ? STORED['two-byte'] | STORED['ascii-in-two-byte'] : STORED['two-byte'];
  };
}

/** STORED bits of a string in the running V8; none where it is not queried. To be made anew for each description. */
export const stringWidth = (): Storage['string'] =>
  isOneByte === undefined ? widthByWire() : widthByApi(isOneByte);
