/** Storage as V8 itself tells it (Node 20 to 26, Deno). */
import * as v8 from 'node:v8';
import { isLatin1 } from '../../core/describe/assumed.ts';
import { STORED, STRUCTURE } from '../../core/describe/flags.ts';
import type { Storage } from '../../core/describe/probe.ts';
import type { Natives } from './natives.ts';

/** Node 22.15, 23.10 and later (PR #56147); Node 20 and Deno have to look at the wire. */
const isOneByte = (v8 as { isStringOneByteRepresentation?: (text: string) => boolean })
  .isStringOneByteRepresentation;

/** ValueSerializer tag of a two-byte string (src/objects/value-serializer.cc, SerializationTag). */
const TWO_BYTE_TAG = 'c'.charCodeAt(0);
const PADDING = 0;

/** A narrow text in wide storage is not worth asking for when it is shorter. */
const ASKED_FROM_UNITS = 64;
/** Strings of Latin-1 content are put on the wire to see their storage, but not for ever. */
const WIRE_UNITS_IN_ALL = 4_000_000;

/** Wire: 0xFF, version, padding, tag. */
export function wireTag(value: unknown): string {
  const wire = v8.serialize(value);
  let at = 2;
  while (wire[at] === PADDING) at++;
  return String.fromCharCode(wire[at]!);
}

function widthByWire(): (text: string) => number {
  let left = WIRE_UNITS_IN_ALL;
  return (text) => {
    if (!isLatin1(text)) return STORED['two-byte'];
    if (text.length < ASKED_FROM_UNITS || text.length > left) return STORED['one-byte'];
    left -= text.length;
    const two = wireTag(text).charCodeAt(0) === TWO_BYTE_TAG;
    return two ? STORED['two-byte'] | STORED['ascii-in-two-byte'] : STORED['one-byte'];
  };
}

function widthByApi(ask: (text: string) => boolean): (text: string) => number {
  return (text) => {
    if (ask(text)) return STORED['one-byte'];
    return isLatin1(text) ? STORED['two-byte'] | STORED['ascii-in-two-byte'] : STORED['two-byte'];
  };
}

/** A rope of fewer units is never made (ConsString::kMinLength). */
const SHORTEST_ROPE = 13;

/** Arrays with the map of one of these have nothing but plain elements: Array.prototype, no names, not locked. */
function exemplars(): { packed: unknown[][]; holey: unknown[][] } {
  const holey = (value: unknown) => {
    const made = new Array<unknown>(2);
    made[0] = value;
    return made;
  };
  return { packed: [[1], [1.5], ['a']], holey: [holey('a'), holey(1), holey(1.5)] };
}

/** The answer for such an array was the answer of the last: arrays of one kind come in rows. */
function arrayAsk(natives: Natives, { packed }: ReturnType<typeof exemplars>): Storage['array'] {
  const stored = packed.map((exemplar) => arrayStorage(natives, exemplar));
  let last = 0;
  return (value) => {
    if (natives.haveSameMap(value, packed[last])) return stored[last]!;
    for (let i = 0; i < packed.length; i++)
      if (natives.haveSameMap(value, packed[i])) {
        last = i;
        return stored[i]!;
      }
    return arrayStorage(natives, value);
  };
}

function stringAsk({ stringIsFlat }: Natives): Storage['string'] {
  const width = isOneByte === undefined ? widthByWire() : widthByApi(isOneByte);
  if (stringIsFlat === null) return width;
  return (text) =>
    text.length >= SHORTEST_ROPE && !stringIsFlat(text) ? STORED.rope | width(text) : width(text);
}

/** All that can be seen of an object of WebAssembly GC, and of a frozen null-prototype object without properties. */
const OPAQUE = STRUCTURE.empty | STRUCTURE['null-prototype'] | STRUCTURE['non-extensible'];

export function v8Storage(natives: Natives): Storage {
  const known = exemplars();
  const has = (list: unknown[][], value: readonly unknown[]) =>
    list.some((exemplar) => natives.haveSameMap(value, exemplar));
  return {
    by: 'v8-natives',
    engine: 'v8',
    string: stringAsk(natives),
    object: (value, _depth, observed) => {
      if ((observed & OPAQUE) === OPAQUE) return 0;
      return natives.hasFastProperties(value) ? 0 : STORED.dictionary;
    },
    array: arrayAsk(natives, known),
    elements: (value) => {
      if (has(known.packed, value)) return 'packed';
      return has(known.holey, value) && !isMostlyHoles(value) ? 'holey' : 'unknown';
    },
    // Objects of WebAssembly GC are no JSObjects, and never extensible: asking about one would end the process.
    alike: (value, other) => Object.isExtensible(value) && natives.haveSameMap(value, other),
  };
}

/** `new Array(3e7)`: its few keys are listed sooner than its holes are counted. */
function isMostlyHoles(value: readonly unknown[]): boolean {
  if (value.length < 1024) return false;
  let present = 0;
  for (let i = 0; i < 64; i++) if (Object.hasOwn(value, Math.floor((i * value.length) / 64))) present++;
  return present < 8;
}

function arrayStorage(natives: Natives, value: readonly unknown[]): number {
  if (natives.hasDictionaryElements(value)) return STORED['dictionary-elements'];
  if (!natives.hasFastElements(value)) return STORED['not-fast-elements'];
  if (natives.hasHoleyElements(value)) return STORED['holey-kind'];
  if (natives.hasSmiElements(value)) return STORED['packed-smi'];
  return natives.hasDoubleElements(value) ? STORED['packed-double'] : STORED['packed-elements'];
}
