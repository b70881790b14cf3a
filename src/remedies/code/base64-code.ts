/** Bytes as base64 text, for channels that carry JSON: by the engine or by Buffer where they can, else by btoa and atob. */
import { BYTES_IN, IS_OBJECT, VIEW_OF } from './javascript.ts';

const SHARED = [
  IS_OBJECT,
  `const isBytesText = (value/*: unknown */)/*: value is { base64: string; type: string } */ =>
  isObject(value) && typeof value.base64 === 'string' && typeof value.type === 'string';`,
  `/*type EncodedBytes = Uint8Array & { toString(encoding: string): string }; */
/*type NodeBuffers = { from(of: unknown, ...more: unknown[]): EncodedBytes; isBuffer(value: unknown): boolean }; */
const NodeBuffer = (globalThis/*as unknown as { Buffer?: NodeBuffers } */).Buffer;`,
];

/** The arguments of one call are limited, and a spread of bytes takes eight times as long as `apply` in V8. */
const ENCODE = [
  `function base64Of(bytes/*: Uint8Array */)/*: string */ {
  const { toBase64 } = bytes/*as { toBase64?: () => string } */;
  if (toBase64) return toBase64.call(bytes);
  const { buffer, byteOffset, byteLength } = bytes;
  if (NodeBuffer) return NodeBuffer.from(buffer, byteOffset, byteLength).toString('base64');
  let units = '';
  for (let at = 0; at < byteLength; at += 8192)
    units += String.fromCharCode.apply(null, bytes.subarray(at, at + 8192)/*as unknown as number[] */);
  return btoa(units);
}`,
  `function bytesToText(value) {
  if (isBytesText(value)) throw new TypeError('it has texts base64 and type of its own');
  const bytes = bytesIn(value);
  if (bytes === null) return value;
  return { base64: base64Of(bytes), type: NodeBuffer?.isBuffer(value) ? 'Buffer' : bytesType(value) };
}`,
];

const DECODE = [
  `function bytesOf(base64/*: string */)/*: Uint8Array */ {
  const { fromBase64 } = Uint8Array/*as unknown as { fromBase64?: (text: string) => Uint8Array } */;
  if (fromBase64) return fromBase64(base64);
  if (NodeBuffer) return new Uint8Array(NodeBuffer.from(base64, 'base64'));
  const units = atob(base64);
  const bytes = new Uint8Array(units.length);
  for (let at = 0; at < units.length; at++) bytes[at] = units.charCodeAt(at);
  return bytes;
}`,
  ...VIEW_OF,
  `function textToBytes(value) {
  if (!isBytesText(value)) return value;
  const { base64, type } = value;
  const bytes = bytesOf(base64);
  if (type === 'ArrayBuffer') return bytes.buffer;
  if (type === 'Buffer') return NodeBuffer ? NodeBuffer.from(bytes.buffer) : bytes;
  return type === 'Uint8Array' ? bytes : viewOf(bytes.buffer, type);
}`,
];

/** Declares `bytesToText`: bytes of any kind as an object of two texts, all else as it is. */
export const BYTES_TO_TEXT = [...BYTES_IN, ...SHARED, ...ENCODE];

/** Declares `textToBytes`. A Buffer is one again where there are any. */
export const TEXT_TO_BYTES = [...SHARED, ...DECODE];

/** Both, and `base64Of` and `bytesOf`, which they call. */
export const BYTES_AND_TEXT = [...BYTES_TO_TEXT, ...DECODE].join('\n');
