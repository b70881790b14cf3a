/** What a process runtime tells of built-in types: `types` of node:util, Buffer, and marks of node:worker_threads. */
// No global in Deno 2.0 to 2.3.
import { Buffer } from 'node:buffer';
import * as workerThreads from 'node:worker_threads';

export { types } from 'node:util';

/** null where there is no Buffer. */
export const bufferPrototype: object | null = Buffer.prototype;

/** Node 21, Bun 1.4, Deno. */
export const { isMarkedAsUntransferable } = workerThreads as {
  isMarkedAsUntransferable?: (buffer: object) => boolean;
};

const small = Buffer.from('pool');
/** Size of the pool that Buffer.from takes small buffers from; 0 without a pool. */
export const poolBytes = small.byteLength < small.buffer.byteLength ? small.buffer.byteLength : 0;
