/** Shortens paths into a payload for readers. Documents contain the full paths. */
import { formatPath, parsePath } from '../../value/read/paths.ts';

/** Maximum steps of a repeating part. */
const MAX_PERIOD = 8;
const MIN_SAVED = 8;

/** `$.a.to.out.to.out.to.out` becomes `$.a(.to.out)×3`. A text that is not a path is returned unchanged. */
export function foldedPath(path: string): string {
  const steps = parsePath(path)?.map((step) => formatPath([step]).slice(1)) ?? [];
  let folded = '$';
  for (let at = 0; at < steps.length; ) {
    const { period, times, text } = longestRepeat(steps, at);
    folded += text;
    at += period * times;
  }
  return steps.length === 0 ? path : folded;
}

/** Repetition at `at` that saves most characters; a single step if folding does not save enough. */
function longestRepeat(steps: readonly string[], at: number) {
  let best = { period: 1, times: 1, text: steps[at]!, saved: MIN_SAVED - 1 };
  for (let period = 1; period <= MAX_PERIOD && at + 2 * period <= steps.length; period++) {
    let end = at + period;
    while (end < steps.length && steps[end] === steps[end - period]) end += 1;
    const times = Math.floor((end - at) / period);
    const part = steps.slice(at, at + period).join('');
    const text = `(${part})×${times}`;
    const saved = part.length * times - text.length;
    if (saved > best.saved) best = { period, times, text, saved };
  }
  return best;
}
