/** Finds the bytes of two buffers that differ. */
import { ARRAY_BUFFER, callOn, SHARED_BUFFER } from '../value/intrinsics.ts';
import type { ReportLoss } from './properties.ts';

/** Bytes compared at a time: engines limit the size of a view, and smaller pieces are as fast. */
const CHUNK = 2 ** 28;

/** Part of a buffer. */
interface Memory {
  buffer: ArrayBufferLike;
  offset: number;
  bytes: number;
}

/** Returns the number of equal words at the start. Words are compared four times as fast as bytes. */
function equalWords(a: Int32Array, b: Int32Array): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Returns -1 if all bytes are equal. */
function firstChangedByte(a: Memory, b: Memory, from: number, count: number): number {
  const [startA, startB] = [a.offset + from, b.offset + from];
  const areWords = startA % 4 === 0 && startB % 4 === 0;
  const wordsIn = (buffer: ArrayBufferLike, start: number) => new Int32Array(buffer, start, count >> 2);
  const equal = areWords ? equalWords(wordsIn(a.buffer, startA), wordsIn(b.buffer, startB)) * 4 : 0;
  const [left, right] = [new Uint8Array(a.buffer, startA, count), new Uint8Array(b.buffer, startB, count)];
  for (let at = equal; at < count; at++) if (left[at] !== right[at]) return from + at;
  return -1;
}

/** @param size bytes of an element; 0 for memory without a view */
export function bytesLosses(a: Memory, b: Memory, size: number, report: ReportLoss): void {
  if (a.bytes !== b.bytes) report('value', `${a.bytes} bytes became ${b.bytes}`);
  const shorter = Math.min(a.bytes, b.bytes);
  for (let from = 0; from < shorter; from += CHUNK) {
    const at = firstChangedByte(a, b, from, Math.min(CHUNK, shorter - from));
    if (at < 0) continue;
    if (size === 0) report('value', `content changed at byte ${at}`);
    else report('value', 'content changed', Math.floor(at / size));
    return;
  }
}

export const wholeOf = (buffer: object, type: 'arraybuffer' | 'sharedarraybuffer'): Memory => ({
  buffer: buffer as ArrayBufferLike,
  offset: 0,
  bytes: callOn((type === 'arraybuffer' ? ARRAY_BUFFER : SHARED_BUFFER).byteLength!, buffer) as number,
});
