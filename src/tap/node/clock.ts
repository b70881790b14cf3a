/** Times and turns of this thread, as other threads of the process have them. */
import { performance } from 'node:perf_hooks';
import { apply, getOwnPropertyDescriptor, now } from '../realm/intrinsics.ts';

const { hrtime } = process;
/** A thread that is interrupted between two readings has another offset. */
const TRIES = 8;

/** Added to the clock of this thread: that of the process. */
export function clockOffset(): number {
  let shortest = Number.POSITIVE_INFINITY;
  let offset = 0;
  for (let i = 0; i < TRIES; i++) {
    const from = now();
    const time = hrtime();
    const took = now() - from;
    if (took >= shortest) continue;
    shortest = took;
    offset = time[0] * 1e3 + time[1] / 1e6 - from - took / 2;
  }
  return offset;
}

const { nodeTiming } = performance;
const metrics = getOwnPropertyDescriptor(nodeTiming, 'uvMetricsInfo')?.get as
  | (() => { loopCount: number })
  | undefined;

/** How often the event loop has turned; -1 on a Node that does not tell: before 20.18 and 22.8. */
export const turnOfLoop = (): number =>
  metrics === undefined ? -1 : (apply(metrics, nodeTiming, []) as { loopCount: number }).loopCount;
