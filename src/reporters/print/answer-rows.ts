/**
 * The answer of each run in a row: the cost of a round trip now and rewritten, the advice, and its certainty. For the rows of
 * -q, the chart of gains and the contents of a page.
 */
import { carries } from '../../core/evidence.ts';
import type { Estimate, RatioEstimate } from '../../model/documents/measurement.ts';
import type { PayloadReport, Report, Run, RunError } from '../../model/documents/report.ts';
import type { Channel } from '../../model/names.ts';
import type { AnswerRow, Overview } from '../section/model/answer-row.ts';
import type { GainChart, GainRow } from '../section/model/charts.ts';
import { type Column, columnsOf, known } from '../section/model/columns.ts';
import { failureStep } from '../section/model/failure.ts';
import { runtimeName } from '../section/model/run-groups.ts';
import { code, type Span, type StyledText } from '../section/model/sentence.ts';
import { SHORT_ADVICE } from '../section/model/texts.ts';
import { groupedBy } from '../text/grouped.ts';
import { count, gainFactor, gainInterval, medianText, time, timeInterval } from '../text/numbers.ts';
import { statusText } from './verdict.ts';

/** Measured runs by round trip, then classified ones, then failed ones. */
export function fastestFirst(runs: readonly Run[]): Run[] {
  const place = (run: Run) => {
    if (run.measurement !== null) return run.measurement.roundTrip.median;
    return run.status === 'failed' ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER;
  };
  return [...runs].sort((a, b) => place(a) - place(b));
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

/** The file, if it holds a single payload and has its name; else the id of the payload. */
export function titleOf({ id, source: { file, export: name } }: PayloadReport): StyledText {
  const own = /([^/\\]*?)(\.[^.]*)?$/.exec(file)?.[1];
  return code(name === null && own === id ? file : id);
}

/** Anchor of the section of a payload, by its place in the report. */
export const anchorOf = (place: number): string => `payload-${place + 1}`;

/** All payloads on all runtimes, the most expensive first; null for one alone. Recorded sites have a ranking of their own. */
export function makeOverview(report: Report): Overview | null {
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
      ...{ name: titleOf(payload).text, anchor: anchorOf(place), place, cost },
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

/** "json-text", "no rewrite", "not measured", "see its error"; "" without advice. */
export function adviceShort(run: Run): string {
  const { advice, status, error, channel } = run;
  if (isHopeless(run)) return 'fix the causes';
  if (advice === null) return status === 'classified' && error !== null ? 'not measured' : failureStep(run);
  if (advice.action === 'not-the-clone') return FEWER[channel] ?? SHORT_ADVICE[advice.action];
  return (advice.action === 'apply' ? advice.remedy : null) ?? SHORT_ADVICE[advice.action];
}

/** The advice to send fewer messages, in the words of channels that store. */
const FEWER: Partial<Record<Channel, string>> = {
  storage: 'fewer, larger files',
  indexeddb: 'fewer, larger records',
};

/** Nothing helps but to fix its causes. */
const isHopeless = ({ verdict, advice }: Run): boolean =>
  verdict?.class === 'rejected' && (advice === null || advice.action === 'unsure');

/** Nothing is left to measure or to try. */
const isDecided = (run: Run): boolean =>
  isHopeless(run) ||
  (run.advice !== null && run.advice.action !== 'not-tried' && run.advice.action !== 'unsure');

// The cost of a payload for its bytes distinguishes payloads that the engine treats alike.

/** Below this multiple of an empty round trip, bytes do not explain the time. */
const NEAR_FLOOR = 1.5;
/** With fewer bytes the rate would be that of single values. */
const MIN_BYTES = 1000;

/** Time of a round trip beyond an empty one, ns a MB; null if bytes do not decide it, or if it is not known. */
function timePerMB({ measurement, wireBytes, bytes }: Run): number | null {
  const size = wireBytes ?? bytes?.copied ?? 0;
  if (measurement === null || size < MIN_BYTES || !carries(measurement.roundTrip, 'size')) return null;
  const { roundTrip, floor } = measurement;
  if (roundTrip.median <= NEAR_FLOOR * floor.roundTrip) return null;
  return ((roundTrip.median - floor.roundTrip) / size) * 1e6;
}

interface Rated {
  runtime: string | null;
  channel: Channel | null;
  status: StyledText;
  perMB: number | null;
}

/** Less may be noise. */
const MIN_TIMES = 2;
const MANY_TIMES = 5;

/** How many times that of the cheapest of its class there; rows that cost about as little are left out. */
export function timesCheapest<Row extends Rated>(rows: readonly Row[]): Map<Row, number> {
  const kinds = groupedBy(rows, ({ runtime, channel, status }) =>
    JSON.stringify([runtime, channel, status.text]),
  );
  return new Map(
    [...kinds.values()].flatMap((own) => {
      const least = Math.min(...own.flatMap(({ perMB }) => perMB ?? []));
      return own.flatMap((row): [Row, number][] =>
        row.perMB !== null && row.perMB >= MIN_TIMES * least ? [[row, row.perMB / least]] : [],
      );
    }),
  );
}

/** "62.1 ms", "62.1 ms (14x)" */
function rateCell({ perMB }: Rated, times: number | undefined): Span {
  if (perMB === null) return '';
  if (times === undefined) return time(perMB);
  const text = `${time(perMB)} (${count(Math.round(times))}x)`;
  return times < MANY_TIMES ? text : { text, tone: 'poor' };
}

export const ABOUT_RATES =
  'per MB: the round trip beyond that of an empty message, for the bytes posted; in brackets how many times that of the cheapest of its class on that runtime.';
