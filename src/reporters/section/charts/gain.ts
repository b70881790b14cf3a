/** The hero of a payload: each run now and with the advised rewrite. */
import { carries } from '../../../core/evidence.ts';
import type { Estimate } from '../../../model/documents/measurement.ts';
import type { PayloadReport } from '../../../model/documents/report.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { time } from '../../text/numbers.ts';
import { adviceWithGain, answerColumns, payloadAnswers } from '../advice/answers.ts';
import type { GainChart, GainRow } from '../model/charts.ts';
import { fastestFirst } from '../model/run-groups.ts';

export function gainChart(payload: PayloadReport, words: Wording): GainChart | null {
  if (payload.runs.length === 0) return null;
  const answers = payloadAnswers(payload, words);
  const runs = fastestFirst(payload.runs);
  const severalChannels = new Set(runs.map(({ channel }) => channel)).size > 1;
  const rows = answers.map((answer, index): GainRow => {
    const { runtime, channel, status, now, best, certainty } = answer;
    return {
      status,
      name: severalChannels ? `${runtime}, ${channel}` : `${runtime}`,
      now: now && drawnOf(now),
      best: best && drawnOf(best),
      floor: runs[index]?.measurement?.floor.roundTrip ?? null,
      advice: adviceWithGain(answer),
      isSure: certainty === 'sure',
    };
  });
  const isFaster = answers.some(({ best }) => best !== null);
  return {
    kind: 'gain',
    title: isFaster ? 'A round trip now, and with the advised rewrite' : 'A round trip now',
    about: rows.map(aboutRow).join(' '),
    columns: answerColumns(answers),
    isDrawnOnly: true,
    rows,
  };
}

/** Without an end where the interval says nothing. */
const drawnOf = (estimate: Estimate): Estimate =>
  carries(estimate, 'size') ? estimate : { ...estimate, ci: [estimate.median, estimate.median] };

function aboutRow({ name, status, now, best, advice }: GainRow): string {
  const rewritten = best === null ? '' : `, ${time(best.median)} rewritten`;
  const measured = now === null ? '' : `: ${time(now.median)} now${rewritten}`;
  return `${name}, ${status.text}${measured}.${advice === '' ? '' : ` ${advice}.`}`;
}
