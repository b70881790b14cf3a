/** V8's natives in a process, behind flags that are reset at once. */
import { setFlagsFromString } from 'node:v8';
import { runningRuntime } from '../running-runtime.ts';
import { compiledNatives, type Natives } from './natives.ts';

/** The compiled functions work after the flag is reset. null if V8 does not compile them. */
export function v8Natives(): Natives | null {
  // Electron crashes if flags change after its start, so it is started with these flags.
  if (runningRuntime().name === 'electron') return compiledNatives();
  // The collector drops the bytecode of functions that were not called for a while; parsing them again would fail.
  setFlagsFromString('--no-flush-bytecode');
  setFlagsFromString('--allow-natives-syntax');
  try {
    return compiledNatives();
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}
