/**
 * Sends what was counted, soon: a worker may be terminated, and a page left. At the end of the running task where that costs
 * little, else by the scheduler or a signal, which have no numbers that the page could see, as timers have.
 */
import { governor } from '../messages/governor.ts';
import { apply, now, unbound } from '../realm/intrinsics.ts';
import { listen } from '../realm/listen.ts';

/** Part of the thread's time for sending at once. */
const AT_ONCE_MS = 20;
const SHARE = 0.02;
const LATER_MS = 50;

const { scheduler } = globalThis as {
  scheduler?: { postTask(run: () => void, options: { delay: number }): unknown };
};
const postTask = scheduler && unbound(scheduler.postTask);
const { queueMicrotask: atEnd, AbortSignal: Signal } = globalThis;
const { timeout } = Signal;

export type Flusher = ReturnType<typeof flusherOf>;

export function flusherOf(flush: () => void) {
  const atOnce = governor(now(), AT_ONCE_MS, SHARE);
  let isDue = false;
  /** Held until then. */
  let signal: unknown;
  const run = () => {
    isDue = false;
    const from = now();
    flush();
    atOnce.spentMs += now() - from;
  };
  return {
    /** Something was counted. */
    due(): void {
      if (isDue) return;
      isDue = true;
      if (atOnce.left(now()) > 0) atEnd(run);
      else if (scheduler && postTask) postTask(scheduler, run, { delay: LATER_MS });
      else {
        signal = apply(timeout, Signal, [LATER_MS]);
        listen(signal, 'abort', run);
      }
    },
  };
}
