/** Where the bytes of a message are, by the paths that have most of them. */
import { estimatedRowBytes } from '../../core/wire-estimate.ts';
import type { Run } from '../../model/documents/report.ts';
import { counted } from '../text/numbers.ts';
import type { Statement } from './model/model.ts';
import { code, type Sentence, sentence } from './model/sentence.ts';

/** Smaller messages cost what a message costs, wherever their bytes are. */
const MIN_BYTES = 1000;
const MIN_SHARE = 0.05;
const MAX_PATHS = 3;

/** Shares alone: engines write the same value in more or fewer bytes, and a shape does not tell how long all keys are. */
export function bytesStatements({ shape }: Run): Statement[] {
  const byPath = new Map<string, number>();
  for (const row of shape?.patterns ?? [])
    byPath.set(row.pattern, (byPath.get(row.pattern) ?? 0) + estimatedRowBytes(row));
  const whole = [...byPath.values()].reduce((sum, own) => sum + own, 0);
  if (!(whole >= MIN_BYTES)) return [];
  const largest = [...byPath]
    .filter(([, own]) => own >= MIN_SHARE * whole)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_PATHS);
  const paths = largest.map(([path, own], at): Sentence => {
    return [at === 0 ? '' : ', ', code(path), ` ${Math.round((100 * own) / whole)} %`];
  });
  const where =
    paths.length === 0 ? [`spread over ${counted(byPath.size, 'path')}, each under 5 %`] : paths.flat();
  return [{ label: 'bytes', sentences: [sentence`${where}, by estimate.`], isDrawn: true }];
}
