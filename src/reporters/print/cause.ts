/** Reason for the cost of a message, in one or two sentences. */
import type { Run } from '../../model/documents/report.ts';
import type { CostClass } from '../../model/names.ts';
import type { Wording } from '../../model/report/wording.ts';
import { largestParts } from '../section/model/largest-parts.ts';
import { code, firstSentence, muted, type Sentence, sentence } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import { count, percent } from '../text/numbers.ts';
import { alarmSentence, causeTitle } from './verdict.ts';

const NORMAL: Readonly<Record<Exclude<CostClass, 'degraded' | 'rejected'>, string>> = {
  shared: 'Nothing is copied: both sides have the same memory.',
  moved: 'Nothing is copied: the receiver gets the memory, and the sender loses it.',
  'in-memory': 'Fast already: it is copied in memory, without the serializer.',
  bulk: 'Fast already: its bytes are copied as one block.',
  serialized: 'Normal for such data: it is written out and read back, value by value.',
};

const MAX_CAUSES = 2;

/** @param runs runs with the same verdict */
export function causeSentences(runs: readonly Run[], words: Wording): Sentence[] {
  const isVarying = runs[0]?.verdict?.unknowns.some(({ what }) => what === 'value-varies');
  return [...reasons(runs, words), ...(isVarying ? [[muted(VARYING)]] : [])];
}

const VARYING = 'Each build of it gives another value: the verdict is that of one build.';

function reasons(runs: readonly Run[], words: Wording): Sentence[] {
  const [run] = runs as [Run];
  const { verdict } = run;
  const alarm = alarmSentence(run);
  if (alarm !== null)
    return [alarm.map((span) => (typeof span === 'string' ? { text: span, tone: 'bad' } : span))];
  if (verdict === null || verdict.class === 'rejected') return [];
  const shown = verdict.blockers.slice(0, MAX_CAUSES);
  const titleOf = ({ rule, path }: (typeof shown)[number]) =>
    causeTitle(rule, run.findings.find((one) => one.rule === rule && one.path === path)?.what, words);
  const causes = [...groupedBy(shown, (one) => JSON.stringify([one.rule, titleOf(one)])).values()].map(
    (own, at, all): Sentence => {
      const [first] = own as [(typeof shown)[number]];
      const places = own.flatMap(({ path, count: seen }, place): Sentence => {
        const times = seen > 1 ? ` (${count(seen)}×)` : '';
        return [place === 0 ? '' : ' and ', code(path), times];
      });
      const isSaid = all.slice(0, at).some(([one]) => one!.rule === first.rule);
      const why = isSaid ? '' : ` ${firstSentence(words.rules[first.rule]?.why ?? '')}`;
      return sentence`${places}: ${titleOf(first)}.${why}`;
    },
  );
  const more = verdict.blockers.length - shown.length;
  const rest = more > 0 ? [` And ${count(more)} more such places.`] : [];
  if (causes.length > 0) {
    const lead = verdict.class === 'degraded' ? 'Slower than such data must be. ' : '';
    return causes.map((one, at) => [at === 0 ? lead : '', ...one, ...(at === causes.length - 1 ? rest : [])]);
  }
  const [part] = largestParts(run)?.parts ?? [];
  const most =
    part !== undefined && part.share >= MOST
      ? sentence` Most of it is ${part.name} (${percent(part.share)} of the bytes).`
      : [];
  return [[verdict.class === 'degraded' ? 'Slower than such data must be.' : NORMAL[verdict.class], ...most]];
}

/** Minimum share of the bytes for naming a part. */
const MOST = 0.5;
