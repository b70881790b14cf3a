/** The hero of a payload: each run now and with the advised rewrite. */
import { carries } from '../../../core/evidence.ts';
import type { Estimate } from '../../../model/documents/measurement.ts';
import type { PayloadReport } from '../../../model/documents/report.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { time } from '../../text/numbers.ts';
import { type AnswerRow, adviceWithGain, answerColumns, payloadAnswers } from '../advice/answers.ts';
import type { GainChart, GainRow } from '../model/charts.ts';
import { fastestFirst } from '../model/run-groups.ts';

/** Null where no runtime ran it. */
export function gainChart(payload: PayloadReport, words: Wording): GainChart | null {
  if (payload.runs.length === 0) return null;
  const answers = payloadAnswers(payload, words);
  const runs = fastestFirst(payload.runs);
  const severalChannels = new Set(runs.map(({ channel }) => channel)).size > 1;
  const rows = answers.map((answer, index): GainRow => {
    const { runtime, channel, status, now, best, certainty } = answer;
    return {
      name: severalChannels ? `${runtime}, ${channel}` : `${runtime}`,
      status,
      now: now && drawnOf(now),
      best: best && drawnOf(best),
      floor: runs[index]?.measurement?.floor.roundTrip ?? null,
      advice: adviceWithGain(answer),
      isSure: certainty === 'sure',
    };
  });
  return {
    kind: 'gain',
    title: best(answers) ? 'A round trip now, and with the advised rewrite' : 'A round trip now',
    about: rows.map(aboutRow).join(' '),
    columns: answerColumns(answers),
    isDrawnOnly: true,
    rows,
  };
}

/** Without an end where the interval says nothing. */
const drawnOf = (estimate: Estimate): Estimate =>
  carries(estimate, 'size') ? estimate : { ...estimate, ci: [estimate.median, estimate.median] };

const best = (answers: readonly AnswerRow[]): boolean => answers.some((answer) => answer.best !== null);

/** "node 24.21.0, serialized: 412 µs now, 140 µs rewritten. json-text: 2.9x." */
function aboutRow({ name, status, now, best: rewritten, advice }: GainRow): string {
  const times = [
    ...(now === null ? [] : [`${time(now.median)} now`]),
    ...(rewritten === null ? [] : [`${time(rewritten.median)} rewritten`]),
  ];
  const measured = times.length === 0 ? '' : `: ${times.join(', ')}`;
  return `${name}, ${status.text}${measured}.${advice === '' ? '' : ` ${advice}.`}`;
}
