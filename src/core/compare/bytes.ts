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

/** Returns -1 if all bytes are equal. */
function firstChangedByte(a: Memory, b: Memory, from: number, count: number): number {
  const left = new Uint8Array(a.buffer, a.offset + from, count);
  const right = new Uint8Array(b.buffer, b.offset + from, count);
  for (let at = 0; at < count; at++) if (left[at] !== right[at]) return from + at;
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
