/** No global in Deno 2.0 to 2.3. */
import { setImmediate } from 'node:timers';

/** Taken before user code loads: what is imported changes when fake timers replace it (`syncBuiltinESMExports`). */
const immediate = setImmediate;

/** Resolves after one turn of the event loop, in which messages, finalizers and I/O are delivered. */
export function turnOfEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    immediate(resolve);
  });
}
