import { bytesByPlace } from '../../../core/bytes-by-place.ts';
import { formatPath, parsePath } from '../../../core/paths.ts';
import type { Run } from '../../../model/documents/report.ts';
import { code, type Sentence, sentence } from './sentence.ts';

/** Minimum size of a message: smaller messages cost about the same, independent of their contents. */
const MIN_BYTES = 1000;
const MIN_SHARE = 0.05;
const MAX_PATHS = 3;

/** Name of a part. Patterns that are too deep or too many share a final step, which means all below it. */
function nameOf(pattern: string): Sentence {
  const steps = parsePath(pattern) ?? [];
  if (steps.at(-1)?.type !== 'deeper') return [code(pattern)];
  return sentence`everything in ${code(formatPath(steps.slice(0, -1)))}`;
}

/** Parts with most bytes; `parts` is empty if they are spread. Null for a small message or a single value. */
export function largestParts({ shape }: Run) {
  const byPath = bytesByPlace(shape?.patterns ?? []);
  const whole = [...byPath.values()].reduce((sum, own) => sum + own, 0);
  const isOneValue = byPath.size === 1 && byPath.has('$');
  if (!(whole >= MIN_BYTES) || isOneValue) return null;
  const parts = [...byPath]
    .map(([pattern, own]) => ({ pattern, share: own / whole }))
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_PATHS)
    .map(({ pattern, share }) => ({ name: nameOf(pattern), share }));
  return { parts, paths: byPath.size };
}
