import { estimatedRowBytes } from '../../../core/wire-estimate.ts';
import type { Run } from '../../../model/documents/report.ts';
import { code, type Sentence, sentence } from './sentence.ts';

/** Smaller messages cost what a message costs, wherever their bytes are. */
const MIN_BYTES = 1000;
const MIN_SHARE = 0.05;
const MAX_PATHS = 3;

/** A pattern that ends so stands for all patterns there that were too deep or too many. */
const DEEPER = '..';

const nameOf = (pattern: string): Sentence =>
  pattern.endsWith(DEEPER)
    ? sentence`everything in ${code(pattern.slice(0, -DEEPER.length))}`
    : [code(pattern)];

/** Where most of the bytes are; `parts` is empty where they are spread. Null where they do not matter. */
export function largestParts({ shape }: Run) {
  const byPath = new Map<string, number>();
  for (const row of shape?.patterns ?? [])
    byPath.set(row.pattern, (byPath.get(row.pattern) ?? 0) + estimatedRowBytes(row));
  const whole = [...byPath.values()].reduce((sum, own) => sum + own, 0);
  if (!(whole >= MIN_BYTES)) return null;
  const parts = [...byPath]
    .map(([pattern, own]) => ({ name: nameOf(pattern), share: own / whole }))
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_PATHS);
  return { parts, paths: byPath.size };
}
