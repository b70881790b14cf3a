/** Declarations that several rewrites call. A module contains each that it calls once. */
import { blocksOf } from './javascript.ts';

export const IS_OBJECT = `const isObject = (value/*: unknown */)/*: value is Record<string, unknown> */ =>
  typeof value === 'object' && value !== null;`;

/** A payload that does not fit is sent unchanged, in an object with only this key. */
const AS_IS = `const isAsIs = (message/*: unknown */)/*: message is { asIs: Payload } */ =>
  typeof message === 'object' && message !== null && Object.hasOwn(message, 'asIs');`;

/** `jsonText` throws for values that JSON text cannot restore. */
const JSON_TEXT = `function jsonText(value)/*: string */ {
  if (!isJson(value)) throw new TypeError('JSON text cannot hold all values');
  return JSON.stringify(value);
}

/** True if JSON text restores the value: no undefined, NaN, -0, Date, Map. */
function isJson(value)/*: boolean */ {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (!isObject(value)) return Number.isFinite(value) && !Object.is(value, -0);
  if (Array.isArray(value)) {
    for (const item of value) if (!isJson(item)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    const kind = Object.prototype.toString.call(value);
    if (kind !== '[object Object]' || 'toJSON' in value) return false;
  }
  for (const key in value) if (!isJson(value[key])) return false;
  return true;
}`;

/**
 * `typeName` returns the type name of a typed array, undefined for a DataView. `viewOf` gets the name from a message, so it
 * is limited to views. `bytesIn` returns the bytes that a buffer or view shows, null for other values and shared memory.
 * `wholeBuffer` leaves a view of a part out, because the sender would lose the rest of its buffer.
 */
const BYTES = `const typeName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get/*as () => string | undefined */;

const VIEW_NAME = /^(DataView|(Big)?(Int|Uint|Float)\\d+(Clamped)?Array)$/;

function viewOf(buffer/*: unknown */, name/*: string */)/*: object */ {
  const types/*: Record<string, unknown> */ = globalThis;
  const View = types[VIEW_NAME.test(name) ? name : 'Uint8Array']/*as new (of: unknown) => object */;
  return new View(buffer);
}

function bytesIn(value/*: unknown */) {
  const isView = ArrayBuffer.isView(value);
  const buffer = isView ? value.buffer : value;
  if (!(buffer instanceof ArrayBuffer)) return null;
  return isView ? new Uint8Array(buffer, value.byteOffset, value.byteLength) : new Uint8Array(buffer);
}

const bytesType = (value/*: unknown */)/*: string */ =>
  ArrayBuffer.isView(value) ? (typeName.call(value) ?? 'DataView') : 'ArrayBuffer';

function wholeBuffer(value/*: unknown */)/*: ArrayBuffer | null */ {
  if (value instanceof ArrayBuffer) return value;
  const isWhole = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength;
  return isWhole && value.buffer instanceof ArrayBuffer ? value.buffer : null;
}`;

/**
 * Base64 text of bytes, for channels that carry JSON, by the engine or Buffer if possible. The number of arguments of a
 * call is limited, and spreading bytes takes eight times as long as `apply` in V8.
 */
const BASE64 = `const isBytesText = (value/*: unknown */)/*: value is { base64: string; type: string } */ =>
  isObject(value) && typeof value.base64 === 'string' && typeof value.type === 'string';

/*type EncodedBytes = Uint8Array & { toString(encoding: string): string }; */
/*type NodeBuffers = { from(of: unknown, ...more: unknown[]): EncodedBytes; isBuffer(value: unknown): boolean }; */
const NodeBuffer = (globalThis/*as unknown as { Buffer?: NodeBuffers } */).Buffer;

function base64Of(bytes/*: Uint8Array */)/*: string */ {
  const { toBase64 } = bytes/*as { toBase64?: () => string } */;
  if (toBase64) return toBase64.call(bytes);
  const { buffer, byteOffset, byteLength } = bytes;
  if (NodeBuffer) return NodeBuffer.from(buffer, byteOffset, byteLength).toString('base64');
  let units = '';
  for (let at = 0; at < byteLength; at += 8192)
    units += String.fromCharCode.apply(null, bytes.subarray(at, at + 8192)/*as unknown as number[] */);
  return btoa(units);
}

function bytesToText(value) {
  if (isBytesText(value)) throw new TypeError('it has texts base64 and type of its own');
  const bytes = bytesIn(value);
  if (bytes === null) return value;
  return { base64: base64Of(bytes), type: NodeBuffer?.isBuffer(value) ? 'Buffer' : bytesType(value) };
}

function bytesOf(base64/*: string */)/*: Uint8Array */ {
  const { fromBase64 } = Uint8Array/*as unknown as { fromBase64?: (text: string) => Uint8Array } */;
  if (fromBase64) return fromBase64(base64);
  if (NodeBuffer) return new Uint8Array(NodeBuffer.from(base64, 'base64'));
  const units = atob(base64);
  const bytes = new Uint8Array(units.length);
  for (let at = 0; at < units.length; at++) bytes[at] = units.charCodeAt(at);
  return bytes;
}

function textToBytes(value) {
  if (!isBytesText(value)) return value;
  const { base64, type } = value;
  const bytes = bytesOf(base64);
  if (type === 'ArrayBuffer') return bytes.buffer;
  if (type === 'Buffer') return NodeBuffer ? NodeBuffer.from(bytes.buffer) : bytes;
  return type === 'Uint8Array' ? bytes : viewOf(bytes.buffer, type);
}`;

export const SHARED = blocksOf([AS_IS, IS_OBJECT, JSON_TEXT, BYTES, BASE64].join('\n\n'));
