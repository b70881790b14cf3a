/** Turns of the event loop of this thread. */
import { apply, getOwnPropertyDescriptor } from '../realm/intrinsics.ts';

type Turns = () => number;

/** Loaded with the first message that arrives: it takes 1 ms. */
function turnsOfLoop(): Turns {
  const { performance } = require('node:perf_hooks') as typeof import('node:perf_hooks');
  const { nodeTiming } = performance;
  const metrics = getOwnPropertyDescriptor(nodeTiming, 'uvMetricsInfo')?.get as
    | (() => { loopCount: number })
    | undefined;
  return metrics === undefined
    ? () => -1
    : () => (apply(metrics, nodeTiming, []) as { loopCount: number }).loopCount;
}

let turns: Turns | null = null;

/** How often the event loop has turned; -1 on a Node that does not tell: before 20.18 and 22.8. */
export function turnOfLoop(): number {
  turns ??= turnsOfLoop();
  return turns();
}
