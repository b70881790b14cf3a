import { Buffer } from 'node:buffer';
import { types } from 'node:util';
import * as workerThreads from 'node:worker_threads';
import type { RuntimeId } from '../../model/documents/names.ts';
import { ENGINE_OF, PROCESS_RUNTIMES, type ProcessRuntime } from '../../model/names.ts';
import type { EngineTypes } from './type-detection.ts';

/** Bun and Deno report a version of Node too. Electron started as Node (ELECTRON_RUN_AS_NODE) lacks `process.type`. */
export function runningRuntime(): RuntimeId & { name: ProcessRuntime } {
  const { versions } = process;
  const isThis = (known: ProcessRuntime) =>
    known !== 'node' && versions[known] !== undefined && (known !== 'electron' || 'type' in process);
  const name = PROCESS_RUNTIMES.find(isThis) ?? 'node';
  return { name, version: versions[name] as string, engine: ENGINE_OF[name] };
}

/** Node 21, Bun 1.4, Deno. */
const { isMarkedAsUntransferable } = workerThreads as {
  isMarkedAsUntransferable?: (buffer: object) => boolean;
};

/**
 * Node loads its classes of undici, in 20 ms and more, when anything looks at their property, be it the descriptor alone.
 * From 22.10 on, it marks each object of them as uncloneable.
 */
const UNDICI = [
  ...['CloseEvent', 'ErrorEvent', 'FormData', 'Headers', 'MessageEvent', 'Request', 'Response', 'WebSocket'],
];
const { name } = runningRuntime();
const hasUndici = name === 'node' || name === 'electron';
const marksUndici = hasUndici && 'markAsUncloneable' in workerThreads;

/** Up to Node 22.9: before it is loaded, by fetch too, an object of a class with such a name is the program's own. */
const UNDICI_LOADED = 'NativeModule internal/deps/undici/undici';
const { moduleLoadList = [] } = process as { moduleLoadList?: readonly string[] };

/** A loop: a recorded program may have replaced `includes`. */
function isUndiciLoaded(): boolean {
  for (let i = 0; i < moduleLoadList.length; i++) if (moduleLoadList[i] === UNDICI_LOADED) return true;
  return false;
}

const small = Buffer.from('pool');

export const processTypes: EngineTypes = {
  types,
  bufferPrototype: Buffer.prototype,
  isMarkedAsUntransferable,
  marked: marksUndici ? UNDICI : [],
  ...(hasUndici && !marksUndici && { late: { classes: new Set(UNDICI), areLoaded: isUndiciLoaded } }),
  poolBytes: small.byteLength < small.buffer.byteLength ? small.buffer.byteLength : 0,
};
