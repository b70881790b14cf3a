/** How V8 stores a string: one byte a unit, or two. */
import * as v8 from 'node:v8';
import { isLatin1 } from '../../core/describe/assumed-storage.ts';
import { STORED } from '../../core/describe/flags.ts';
import { wireTag } from './wire-tag.ts';

/** Node 22.15, 23.10 and later (PR #56147); Node 20 and Deno have to look at the wire. */
const isOneByte = (v8 as { isStringOneByteRepresentation?: (text: string) => boolean })
  .isStringOneByteRepresentation;

const TWO_BYTE_TAG = 'c';

/** Inside a payload, a narrow text in wide storage is not worth asking for when it is shorter. */
const ASKED_FROM_UNITS = 64;
/** Strings of Latin-1 content are put on the wire to see their storage, but not for ever. */
const WIRE_UNITS_IN_ALL = 4_000_000;

const UNKNOWN = 0;

type Width = (text: string, depth: number) => number;

function widthByWire(): Width {
  let left = WIRE_UNITS_IN_ALL;
  return (text, depth) => {
    if (!isLatin1(text)) return STORED['two-byte'];
    if ((text.length < ASKED_FROM_UNITS && depth > 0) || text.length > left) return UNKNOWN;
    left -= text.length;
    const two = wireTag(text) === TWO_BYTE_TAG;
    return two ? STORED['two-byte'] | STORED['ascii-in-two-byte'] : STORED['one-byte'];
  };
}

function widthByApi(ask: (text: string) => boolean): Width {
  return (text) => {
    if (ask(text)) return STORED['one-byte'];
    return isLatin1(text) ? STORED['two-byte'] | STORED['ascii-in-two-byte'] : STORED['two-byte'];
  };
}

/** STORED bits of a string in the running V8; none where it was not asked. One for each description: what it puts on the wire is bounded. */
export const stringWidth = (): Width => (isOneByte === undefined ? widthByWire() : widthByApi(isOneByte));
