import * as v8 from 'node:v8';
import { inProcessStorage, postedWire, stringWidth } from '../../../engines/probe/process-serializer.ts';
import { compiledNatives, type Natives, v8Storage } from '../../../engines/probe/v8-storage.ts';
import { orElse } from '../../../model/or-else.ts';
import type { Storage } from '../../../value/describe/inspect/storage.ts';
import type * as kept from '../realm.ts';

/** V8 in Node, whose natives can be allowed at run time, and in Deno: there only if the program has allowed them. */

const bytes = (value: unknown, isApart: boolean): number | null =>
  orElse(() => (isApart ? v8.serialize(value) : postedWire(value)).byteLength, null);

let natives: Natives | null | undefined;

function storageHere(): Storage {
  if (natives === undefined) natives = compiledNatives();
  return natives === null ? inProcessStorage('v8') : v8Storage(natives, stringWidth());
}

export const nodeEngine: kept.LookEngine = {
  // Compiled and called while their syntax is allowed: V8 drops the code of functions that were not called for long.
  // Outside of looks the flag keeps its value, so that code caches of the program stay valid.
  withStorage(run) {
    v8.setFlagsFromString('--allow-natives-syntax');
    try {
      return run(storageHere());
    } finally {
      v8.setFlagsFromString('--no-allow-natives-syntax');
    }
  },
  bytes,
};

export const denoEngine: kept.LookEngine = { withStorage: (run) => run(storageHere()), bytes };
