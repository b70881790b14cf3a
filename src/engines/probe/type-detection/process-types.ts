/** Built-in types in a process runtime: `types` of node:util, Buffer, and marks of node:worker_threads. */
import { Buffer } from 'node:buffer';
import { types } from 'node:util';
import * as workerThreads from 'node:worker_threads';
import type { EngineTypes } from './type-detection.ts';

/** Node 21, Bun 1.4, Deno. */
const { isMarkedAsUntransferable } = workerThreads as {
  isMarkedAsUntransferable?: (buffer: object) => boolean;
};

const small = Buffer.from('pool');

export const processTypes: EngineTypes = {
  types,
  bufferPrototype: Buffer.prototype,
  isMarkedAsUntransferable,
  poolBytes: small.byteLength < small.buffer.byteLength ? small.buffer.byteLength : 0,
};
