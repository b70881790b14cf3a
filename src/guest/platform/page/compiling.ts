/**
 * Compiles code from texts. Where that is not allowed: an extension may compile no code from texts, but who drives its browser may: the host is asked to call `cloneProfCompile` in
 * the service worker, as the console of DevTools would. What has been compiled runs like any other code.
 */
import { isServiceWorker } from './channels/extension.ts';
import { servedUrl } from './served.ts';

// Taken before user code loads.
const ask = fetch;

let waiting: (() => void)[] = [];

function compileWaiting(): void {
  const all = waiting;
  waiting = [];
  for (const work of all) work();
}

if (isServiceWorker) Object.defineProperty(globalThis, 'cloneProfCompile', { value: compileWaiting });

function whenAsked<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    waiting.push(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
    const answered = ask(servedUrl('compile'), { method: 'POST' });
    // Nothing happens where it has been compiled.
    answered.then(() => reject(new Error('the browser compiles nothing in this service worker')), reject);
  });
}

/** Runs what compiles code from texts: at once, where that is always allowed. */
export const compiling = <T>(work: () => T): T | Promise<T> => (isServiceWorker ? whenAsked(work) : work());
