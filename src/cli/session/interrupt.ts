import type { World } from './world.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work` with a signal that Ctrl-C aborts: guests are killed, what is done so far is still reported. A second
 * Ctrl-C ends the process the usual way, because the listener is gone by then.
 */
export async function interruptible<T>(world: World, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
    release();
  };
  const release = () => {
    for (const name of SIGNALS) world.off(name, abort);
  };
  for (const name of SIGNALS) world.on(name, abort);
  try {
    return await work(controller.signal);
  } finally {
    release();
  }
}
