/** Rewrites in two reports: what each took of the time of the original. */
import type { ComparedTrial, RunComparison } from '../../../model/documents/comparison.ts';
import type { RatioEstimate } from '../../../model/documents/measurement.ts';
import type { Wording } from '../../../model/report/wording.ts';
import type { ShareChange } from '../../../model/vocabulary/comparison.ts';
import { ratioInterval, ratio as ratioText } from '../../text/numbers.ts';
import { rewriteName } from '../advice/trial-rows.ts';
import { columnsOf, known } from '../model/columns.ts';
import type { ChangedRun } from '../model/model.ts';
import { code, muted, type Span, type StyledText } from '../model/sentence.ts';

interface ShareRow {
  name: string;
  before: RatioEstimate | null;
  now: RatioEstimate | null;
  change: ShareChange | null;
  /** "was equal, is lossy" */
  equality: string;
}

export function sharesOf(run: RunComparison, words: Wording): ChangedRun['shares'] {
  const rows = shareRows(run, words);
  if (rows.length === 0) return null;
  const columns = columnsOf(rows, [
    { head: 'rewrite', cell: ({ name }) => code(name) },
    { head: 'before', cell: ({ before }) => known(before, shareText), align: 'right' },
    { head: '95 %', cell: ({ before }) => known(before, intervalText), align: 'right', rank: 0 },
    { head: 'now', cell: ({ now }) => known(now, shareText), align: 'right' },
    { head: '95 %', cell: ({ now }) => known(now, intervalText), align: 'right', rank: 1 },
    { head: '', cell: changeCell },
  ]);
  return { title: 'Rewrites, time as a share of the original in the same run', columns };
}

const shareText = ({ ratio }: RatioEstimate): string => ratioText(ratio);
const intervalText = (estimate: RatioEstimate): string => ratioInterval(estimate);

/** A row with conversion, and one in place where that changed too. */
function shareRows({ trials }: RunComparison, words: Wording): ShareRow[] {
  const rewrites = trials.map(({ remedy, path, form }) => ({
    remedy,
    path,
    plan: { path, ...(form === undefined ? {} : { form }) },
  }));
  return trials.flatMap((trial, at) => {
    const { before, now } = trial;
    const name = rewriteName(rewrites[at]!, rewrites, words);
    const row = (of: 'withConversion' | 'inPlace', suffix: string): ShareRow => ({
      name: `${name}${suffix}`,
      before: before?.[of] ?? null,
      now: now?.[of] ?? null,
      change: trial[of],
      equality: equalityText(before, now),
    });
    const own = row('withConversion', '');
    const isTold = own.before !== null || own.now !== null || own.equality !== '';
    const isInPlace = trial.inPlace === 'lower' || trial.inPlace === 'higher';
    return [...(isTold ? [own] : []), ...(isInPlace ? [row('inPlace', ', in place')] : [])];
  });
}

function equalityText(before: ComparedTrial | null, now: ComparedTrial | null): string {
  if (before === null || now === null || before.equality === now.equality) return '';
  return `was ${before.equality}, is ${now.equality}`;
}

export const CHANGE_TEXTS: Readonly<Record<ShareChange, StyledText>> = {
  lower: { text: 'takes less', tone: 'good', marked: 'faster' },
  higher: { text: 'takes more', tone: 'poor', marked: 'slower' },
  unsure: { text: 'no change shown', tone: 'muted', marked: 'unsure' },
};

function changeCell({ before, now, change, equality }: ShareRow): Span {
  if (equality !== '') return { text: equality, tone: 'fair' };
  if (change !== null) return CHANGE_TEXTS[change];
  return muted(before === null ? 'only now' : now === null ? 'only before' : '');
}
