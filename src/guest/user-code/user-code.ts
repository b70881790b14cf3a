import { restoreBuiltIns, saveBuiltIns } from './built-ins.ts';
import { thrownStack } from './thrown.ts';

type Reject = (error: unknown) => void;

/** The part of the platform that is used. */
interface Survivor {
  readonly builtIns: readonly object[];
  onUncaught(listener: Reject): void;
  printError(text: string): void;
}

const running = new Set<Reject>();
let platformBuiltIns: readonly object[] = [];
let survives = false;

/**
 * Runs user code that may be asynchronous. An error that escapes through a timer or an unhandled rejection, which would
 * end an ordinary process, rejects the call instead of leaving it pending for ever.
 */
export function userCode<T>(work: () => T | Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    running.add(reject);
    void settle(work, resolve, reject);
  });
}

/** `await`, not `then`: user code may have replaced that, until its built-ins are restored here. */
async function settle<T>(
  work: () => T | Promise<T>,
  resolve: (value: T) => void,
  reject: Reject,
): Promise<void> {
  saveBuiltIns(platformBuiltIns);
  try {
    const value = await work();
    restoreBuiltIns();
    resolve(value);
  } catch (error) {
    restoreBuiltIns();
    reject(error);
  } finally {
    running.delete(reject);
  }
}

/** From now on no error of user code ends the guest. An escaped error rejects all calls of `userCode` that are pending. */
export function surviveUserCode({ builtIns, onUncaught, printError }: Survivor): void {
  // A service worker serves as several peers.
  if (survives) return;
  survives = true;
  platformBuiltIns = builtIns;
  onUncaught((error) => {
    for (const reject of running) reject(error);
    running.clear();
    printError(thrownStack(error));
  });
}
