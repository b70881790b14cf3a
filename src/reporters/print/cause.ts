/** Whether the cost of a message is normal for what it is, in one or two sentences. */
import type { Run } from '../../model/documents/report.ts';
import type { CostClass } from '../../model/names.ts';
import type { Wording } from '../../model/report/wording.ts';
import { causeTitle } from '../section/causes.ts';
import { largestParts } from '../section/model/largest-parts.ts';
import { code, firstSentence, type Sentence, sentence } from '../section/model/sentence.ts';
import { alarmSentence } from '../section/model/verdict.ts';
import { count, percent } from '../text/numbers.ts';

const NORMAL: Readonly<Record<Exclude<CostClass, 'degraded' | 'rejected'>, string>> = {
  shared: 'Nothing is copied: both sides have the same memory.',
  moved: 'Nothing is copied: the receiver gets the memory, and the sender loses it.',
  'in-memory': 'Fast already: it is copied in memory, without the serializer.',
  bulk: 'Fast already: its bytes are copied as one block.',
  serialized: 'Normal for such data: it is written out and read back, value by value.',
};

const MAX_CAUSES = 2;

/** Of runs with the same verdict. */
export function causeSentence(runs: readonly Run[], words: Wording): Sentence[] {
  const [run] = runs as [Run];
  const { verdict } = run;
  const alarm = alarmSentence(run);
  if (alarm !== null)
    return [alarm.map((span) => (typeof span === 'string' ? { text: span, tone: 'bad' } : span))];
  if (verdict === null || verdict.class === 'rejected') return [];
  const shown = verdict.blockers.slice(0, MAX_CAUSES);
  const causes = shown.map(({ rule, path, count: seen }, at): Sentence => {
    const what = run.findings.find((finding) => finding.rule === rule && finding.path === path)?.what;
    const times = seen > 1 ? ` ${count(seen)}×` : '';
    const isSaid = shown.slice(0, at).some((one) => one.rule === rule);
    const why = isSaid ? '' : ` ${firstSentence(words.rules[rule]?.why ?? '')}`;
    return sentence`${code(path)}: ${causeTitle(rule, what, words)}${times}.${why}`;
  });
  const more = verdict.blockers.length - causes.length;
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

/** A smaller share of the bytes is not the most of it. */
const MOST = 0.5;
