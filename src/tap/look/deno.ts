/** V8 in Deno: natives only where the program has allowed them at its start. */
import * as v8 from 'node:v8';
import { inProcessStorage } from '../../probe/in-process-storage.ts';
import { compiledNatives, type Natives } from '../../probe/natives/native-functions.ts';
import { postedWire } from '../../probe/v8/posted-bytes.ts';
import { v8Storage } from '../../probe/v8/storage.ts';
import type { LookEngine } from './look.ts';

let natives: Natives | null | undefined;

export const denoEngine: LookEngine = {
  withStorage(run) {
    if (natives === undefined) natives = compiledNatives();
    return run(natives === null ? inProcessStorage('v8') : v8Storage(natives, false));
  },
  wire(value) {
    try {
      return typeof v8.Serializer === 'function' ? postedWire(value) : v8.serialize(value);
    } catch {
      return null;
    }
  },
};
