/** V8 in Node, where its natives can be allowed at run time. */
import { setFlagsFromString } from 'node:v8';
import type { Storage } from '../../core/describe/inspect/probe.ts';
import { inProcessStorage } from '../../probe/in-process-storage.ts';
import { compiledNatives, type Natives } from '../../probe/natives/native-functions.ts';
import { postedWire } from '../../probe/v8/posted-bytes.ts';
import { v8Storage } from '../../probe/v8/storage.ts';
import type { LookEngine } from './look.ts';

/**
 * Compiled and called while their syntax is allowed: V8 drops the code of functions that were not called for long, and
 * compiles them anew. The flag is as it was outside of looks, so that code caches of the program stay valid.
 */
function withNatives<T>(run: () => T): T {
  setFlagsFromString('--allow-natives-syntax');
  try {
    return run();
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

let natives: Natives | null | undefined;

function storageHere(): Storage {
  natives ??= compiledNatives();
  return natives === null ? inProcessStorage('v8') : v8Storage(natives, false);
}

/** null for what is refused. */
export function wireOfV8(value: unknown): Uint8Array | null {
  try {
    return postedWire(value);
  } catch {
    return null;
  }
}

export const nodeEngine: LookEngine = {
  withStorage: (run) => withNatives(() => run(storageHere())),
  wire: wireOfV8,
};
