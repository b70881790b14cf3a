/** The serializer of a process: the bytes of its messages, and how values are stored, which its tags show. */

import { Buffer } from 'node:buffer';
import * as v8 from 'node:v8';
import type { Channel, EngineName } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import type { PathBytes } from '../../model/wire/wire.ts';
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
import type { RuntimeProbe } from './probe.ts';
import { runningRuntime } from './process.ts';

function jsonBytes(value: unknown, isDeno: boolean): number | null {
  // Deno writes the bytes of a view as a list (ext/node/ops/ipc.rs); JSON.stringify writes elements by their keys.
  function viewsAsLists(this: Record<string, unknown>, key: string, written: unknown): unknown {
    // The result of a Buffer's toJSON is not used.
    const { [key]: one } = this;
    return ArrayBuffer.isView(one)
      ? Array.from(new Uint8Array(one.buffer, one.byteOffset, one.byteLength))
      : written;
  }
  // With its line end (Node lib/internal/child_process/serialization.js).
  return orElse(
    () => Buffer.byteLength(`${JSON.stringify(value, isDeno ? viewsAsLists : undefined)}\n`),
    null,
  );
}

/** Bytes of a message to another process, or into a file; an empty list if the value is refused. */
export function ipcBytes(value: unknown, channel: Channel, isDeno = false): PathBytes[] {
  const isJson = channel === 'ipc-json';
  const bytes = isJson ? jsonBytes(value, isDeno) : (serialized(value, true)?.byteLength ?? null);
  return bytes === null ? [] : [{ path: isJson ? 'json' : 'serializer', bytes }];
}

interface Jsc {
  serialize(value: unknown, form: { binaryType: 'nodebuffer' }): Uint8Array;
}
const { process: host } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
/** From 1.4 on, v8.serialize of Bun writes the class of a Buffer too, for files and other processes. */
const jsc = orElse(() => host?.getBuiltinModule?.('bun:jsc'), null) as Jsc | null | undefined;

/** Wire of the engine's own serializer; null if refused. @param isApart to another process, or into a file */
export const serialized = (value: unknown, isApart = false): Uint8Array | null =>
  orElse(
    () => (jsc && !isApart ? jsc.serialize(value, { binaryType: 'nodebuffer' }) : v8.serialize(value)),
    null,
  );

const PADDING = 0;

/** The wire begins with 0xFF, version, padding, tag. */
export function readTag(wire: Uint8Array): string {
  let at = 2;
  while (wire[at] === PADDING) at++;
  return String.fromCharCode(wire[at] ?? 0);
}

/** @throws the error of `v8.serialize` for a value that cannot be cloned */
export const wireTag = (value: unknown): string => readTag(v8.serialize(value));

/** More is not written only to count it. */
const MAX_BYTES = 64 * 2 ** 20;

/** Shared memory and objects of the platform are references, which the delegate of a post writes. Bun makes none. */
class PostSerializer extends v8.Serializer {
  readonly #seen = new Map<unknown, number>();
  _getSharedArrayBufferId = (buffer: unknown) => this.#reference(buffer);
  _writeHostObject = (object: unknown) => this.writeUint32(this.#reference(object));

  #reference(object: unknown): number {
    if (!this.#seen.has(object)) this.#seen.set(object, this.#seen.size);
    return this.#seen.get(object)!;
  }
}

/**
 * Writes the message as a post does: it has the whole buffer behind each view, once.
 * @throws what the engine throws for a value that it refuses
 */
export function postedWire(value: unknown, transfer: readonly unknown[] = []): Uint8Array {
  const serializer = new PostSerializer();
  serializer.writeHeader();
  transfer.forEach((one, id) => {
    if (one instanceof ArrayBuffer) serializer.transferArrayBuffer(id, one);
  });
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

/** The buffers behind views may be much larger than what the message shows of them. */
export const v8MessageBytes: RuntimeProbe['messageBytes'] = (value, { patterns }, _, transfer = []) => {
  const buffers = patterns.reduce((sum, { bytes }) => sum + (bytes?.backing ?? 0), 0);
  if (buffers > MAX_BYTES && transfer.length === 0) return [];
  return orElse(() => [{ path: 'serializer', bytes: postedWire(value, transfer).byteLength }], []);
};

// Storage of values in the running program, without natives, within microseconds. Otherwise it is assumed.

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
