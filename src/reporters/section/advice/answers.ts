/**
 * The answer of each run in a row: what a round trip costs now, what it would cost rewritten, what to do, and how sure
 * that is. First on a terminal, in Markdown and in the index of a page.
 */
import { carries } from '../../../core/evidence.ts';
import type { Estimate, RatioEstimate } from '../../../model/documents/measurement.ts';
import type { PayloadReport, Report, Run, RunError } from '../../../model/documents/report.ts';
import type { Channel } from '../../../model/names.ts';
import { gainFactor, gainInterval, medianText, time, timeInterval } from '../../text/numbers.ts';
import type { GainChart, GainRow } from '../model/charts.ts';
import { type Column, columnsOf, known } from '../model/columns.ts';
import { fastestFirst, runtimeName } from '../model/run-groups.ts';
import { code, type StyledText } from '../model/sentence.ts';
import { statusText } from '../model/verdict.ts';
import { adviceShort, isDecided } from './advice.ts';
import { rateCell, timePerMB, timesCheapest } from './rate.ts';

/**
 * - sure: decided by the measurement, or by a rejection, which needs none
 * - unsure: measured, and what was tried is not decided, or not all could be tried
 */
type Certainty = 'sure' | 'unsure' | 'not-measured' | 'failed';

export interface AnswerRow {
  payload: string;
  /** "node 24.21.0"; null where the payload could not be loaded, or no runtime ran it. */
  runtime: string | null;
  channel: Channel | null;
  status: StyledText;
  /** Round trip of the original, ns; null where it was not measured. */
  now: Estimate | null;
  /** Round trip with the advised rewrite and its conversion, ns: `now.median` times `gain`. Null where none is advised, and where the size of the gain is not known. */
  best: Estimate | null;
  /** Round trip beyond an empty one, ns a MB. */
  perMB: number | null;
  /** Gain of the advised rewrite; null without one, and where the original cannot be posted. */
  gain: RatioEstimate | null;
  /** "columns", "no rewrite", "fix the causes", "fewer, larger messages"; of a failed run "raise --timeout". */
  advice: string;
  /** `advice` is the name of a rewrite. */
  isRewrite: boolean;
  certainty: Certainty;
}

/** In the order of the report, the runs of a payload fastest first. */
export const answerRows = ({ payloads }: Pick<Report, 'payloads'>): AnswerRow[] =>
  payloads.flatMap((payload) => payloadAnswers(payload));

/** At least one. */
export const payloadAnswers = ({ id, runs, error }: PayloadReport): AnswerRow[] =>
  runs.length === 0 ? [unanswered(id, error)] : fastestFirst(runs).map((run) => toAnswerRow(id, run));

function toAnswerRow(payload: string, run: Run): AnswerRow {
  const { channel, advice, measurement } = run;
  const now = measurement?.roundTrip ?? null;
  const isRewrite = advice?.action === 'apply';
  const gain = isRewrite ? advice.gain : null;
  return {
    ...{ payload, channel, now, gain, isRewrite },
    runtime: runtimeName(run),
    status: statusText(run),
    best: now && carries(gain, 'size') ? scaled(now.median, gain) : null,
    perMB: timePerMB(run),
    advice: adviceShort(run),
    certainty:
      run.status === 'failed' ? 'failed' : isDecided(run) ? 'sure' : advice ? 'unsure' : 'not-measured',
  };
}

const unanswered = (payload: string, error: RunError | null): AnswerRow => ({
  ...{ payload, runtime: null, channel: null },
  status: { text: 'failed', tone: 'bad', marked: true },
  ...{ now: null, best: null, perMB: null, gain: null, isRewrite: false, certainty: 'failed' },
  advice: error === null ? '' : 'see its error',
});

/** Only ratios are compared within a process, so the interval is that of the ratio. */
const scaled = (median: number, { ratio, ci, ...sampled }: RatioEstimate): Estimate => ({
  ...sampled,
  median: median * ratio,
  ci: [median * ci[0], median * ci[1]],
});

export const adviceWithGain = ({ advice, gain }: Pick<AnswerRow, 'advice' | 'gain'>): string =>
  gain === null ? advice : `${advice}: ${gainFactor(gain)}`;

/** A row each; `ofSeveral`: of several payloads, which are named. */
export function answerColumns(answers: readonly AnswerRow[], ofSeveral = false): Column[] {
  const severalChannels = new Set(answers.flatMap(({ channel }) => channel ?? [])).size > 1;
  const times = timesCheapest(answers);
  return columnsOf(answers, [
    { head: 'payload', cell: ({ payload }) => (ofSeveral ? code(payload) : '') },
    { head: 'runtime', cell: signedRuntime },
    { head: 'channel', cell: ({ channel }) => (severalChannels ? (channel ?? '') : '') },
    { head: 'class', cell: ({ status }) => status, rank: 4 },
    { head: 'now', cell: ({ now }) => known(now, medianText), align: 'right', rank: 6 },
    { head: '95 %', cell: ({ now }) => known(now, timeInterval), align: 'right', rank: 0 },
    {
      head: 'per MB',
      cell: (row) => (ofSeveral ? rateCell(row, times.get(row)) : ''),
      ...{ align: 'right', rank: 4.5 },
    },
    {
      head: 'rewritten',
      cell: ({ best }) => known(best, ({ median }) => `→ ${time(median)}`),
      align: 'right',
      rank: 3,
    },
    { head: 'gain', cell: ({ gain }) => known(gain, gainFactor), align: 'right' },
    { head: '95 %', cell: ({ gain }) => known(gain, gainInterval), align: 'right', rank: 1 },
    { head: 'do', cell: ({ advice }) => advice },
  ]);
}

function signedRuntime({ runtime, now, isRewrite, certainty }: AnswerRow): StyledText {
  const text = runtime ?? 'no runtime';
  if (certainty === 'unsure') return { text, tone: 'fair', marked: 'unsure' };
  if (certainty === 'not-measured') return { text, tone: 'muted', marked: true };
  if (certainty === 'sure' && isRewrite) return { text, tone: 'good', marked: 'faster' };
  return now === null ? { text, tone: 'bad', marked: true } : { text, marked: 'same' };
}

/** The hero of a payload: each run now and with the advised rewrite. */
export function gainChart(payload: PayloadReport): GainChart | null {
  if (payload.runs.length === 0) return null;
  const answers = payloadAnswers(payload);
  const runs = fastestFirst(payload.runs);
  const severalChannels = new Set(runs.map(({ channel }) => channel)).size > 1;
  const rows = answers.map((answer, index): GainRow => {
    const { runtime, channel, status, now, best, certainty } = answer;
    return {
      status,
      name: severalChannels ? `${runtime}, ${channel}` : `${runtime}`,
      now: now && knownRange(now),
      best: best && knownRange(best),
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
const knownRange = (estimate: Estimate): Estimate =>
  carries(estimate, 'size') ? estimate : { ...estimate, ci: [estimate.median, estimate.median] };

function aboutRow({ name, status, now, best, advice }: GainRow): string {
  const rewritten = best === null ? '' : `, ${time(best.median)} rewritten`;
  const measured = now === null ? '' : `: ${time(now.median)} now${rewritten}`;
  return `${name}, ${status.text}${measured}.${advice === '' ? '' : ` ${advice}.`}`;
}

export type Overview = NonNullable<ReturnType<typeof makeOverview>>;

/** All payloads on all runtimes, the most expensive first; null for one alone. Recorded sites have a ranking of their own. */
export function makeOverview(report: Report) {
  const all = report.payloads.map((payload, place) => ({ payload, place }));
  const payloads = all.filter(({ payload }) => payload.traffic === undefined);
  if (payloads.length < 2) return null;
  const answers = payloads.map(({ payload }) => payloadAnswers(payload));
  const channels = new Set(answers.flat().flatMap(({ channel }) => channel ?? []));
  const runName = ({ runtime, channel }: AnswerRow): string =>
    channels.size > 1 ? `${runtime}, ${channel}` : `${runtime}`;
  const runtimes = [
    ...new Set(
      payloads.flatMap(({ payload }) => payload.runs.map((run) => runName(toAnswerRow(payload.id, run)))),
    ),
  ];
  const rows = payloads.map(({ payload, place }, index) => {
    const own = answers[index] ?? [];
    const cost = slowestTrip(own);
    return {
      ...{ id: payload.id, place, cost },
      costText: cost === null ? 'not measured' : time(cost),
      cells: runtimes.map((name) => own.find((one) => one.runtime === null || runName(one) === name) ?? null),
    };
  });
  return { runtimes, rows: rows.sort((a, b) => (b.cost ?? -1) - (a.cost ?? -1)) };
}

/** Time of one round trip on the slowest runtime, ns. */
function slowestTrip(answers: readonly AnswerRow[]): number | null {
  const medians = answers.flatMap(({ now }) => now?.median ?? []);
  return medians.length === 0 ? null : Math.max(...medians);
}
