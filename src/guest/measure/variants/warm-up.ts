import { now } from '../../platform/common/clock.ts';

const MS = 1e6;
const MAX_WARM_MS = 100;
/** Code that has not become faster for so long is compiled. */
const STEADY_MS = 20;
const MIN_GAIN = 0.05;

/** Generated code takes three times as long until an engine has compiled it, which happens in several steps. */
export function warmUp(round: () => void): void {
  const began = now();
  let fastest = Number.POSITIVE_INFINITY;
  for (let at = began, faster = began; at - began < MAX_WARM_MS * MS && at - faster < STEADY_MS * MS; ) {
    round();
    const ended = now();
    if (ended - at < (1 - MIN_GAIN) * fastest) [fastest, faster] = [ended - at, ended];
    at = ended;
  }
}
