/** Answer of each run in a few words, for tables, the chart of gains and the contents of a page. */
import { carries } from '../../core/evidence.ts';
import type { Estimate, RatioEstimate } from '../../model/documents/measurement.ts';
import type { PayloadReport, Report, Run } from '../../model/documents/report.ts';
import { channelRow } from '../../model/names.ts';
import { stemOf } from '../../model/report/file-name.ts';
import type { Table } from '../doc.ts';
import type { GainChart, GainRow } from '../section/model/charts.ts';
import { type ColumnOf, columnsOf, known } from '../section/model/columns.ts';
import { failureStep } from '../section/model/failure.ts';
import { runNames } from '../section/model/run-groups.ts';
import { code, type Span, type StyledText } from '../section/model/sentence.ts';
import { SHORT_ADVICE } from '../section/model/texts.ts';
import { counted, gainFactor, medianText, time, timeInterval } from '../text/numbers.ts';
import { statusText } from './verdict.ts';

/** Measured runs by round trip, then classified runs, then failed runs. */
export function fastestFirst(runs: readonly Run[]): Run[] {
  const place = (run: Run) => {
    if (run.measurement !== null) return run.measurement.roundTrip.median;
    return run.status === 'failed' ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER;
  };
  return [...runs].sort((a, b) => place(a) - place(b));
}

/** "json-text", "no rewrite", "not measured", "see its error"; "" without advice. */
export function adviceShort(run: Run): string {
  const { advice, status, error, channel } = run;
  if (isHopeless(run)) return 'fix the causes';
  if (advice === null) return status === 'classified' && error !== null ? 'not measured' : failureStep(run);
  if (advice.action === 'not-the-clone') return channelRow(channel).fewer ?? SHORT_ADVICE[advice.action];
  return (advice.action === 'apply' ? advice.remedy : null) ?? SHORT_ADVICE[advice.action];
}

/** True if only fixing the causes helps. */
const isHopeless = ({ verdict, advice }: Run): boolean => verdict?.class === 'rejected' && advice === null;

/** True if further measuring or trying would not change the answer. */
export const isDecided = (run: Run): boolean =>
  isHopeless(run) ||
  (run.advice !== null && run.advice.action !== 'not-tried' && run.advice.action !== 'unsure');

/** "json-text: 2.5x" */
export const adviceWithGain = (advice: string, gain: RatioEstimate | null): string =>
  gain === null ? advice : `${advice}: ${gainFactor(gain)}`;

const gainOf = ({ advice }: Run): RatioEstimate | null => (advice?.action === 'apply' ? advice.gain : null);

/** Chart of each run now and with the advised rewrite; null without runs. */
export function gainChart({ runs }: PayloadReport): GainChart | null {
  if (runs.length === 0) return null;
  const rows = fastestFirst(runs).map((run): GainRow => {
    const { measurement } = run;
    const [now, gain] = [measurement?.roundTrip ?? null, gainOf(run)];
    return {
      status: statusText(run),
      name: runNames(runs)(run),
      now: now && knownRange(now),
      best: now && carries(gain, 'size') ? scaled(now.median, gain) : null,
      floor: measurement?.floor.roundTrip ?? null,
      advice: adviceWithGain(adviceShort(run), gain),
      isSure: isDecided(run),
    };
  });
  const isFaster = rows.some(({ best }) => best !== null);
  return {
    kind: 'gain',
    title: isFaster ? 'A round trip now, and with the advised rewrite' : 'A round trip now',
    about: rows.map(aboutRow).join(' '),
    columns: columnsOf(rows, [
      { head: 'runtime', cell: ({ name }) => name },
      { head: 'now', cell: ({ now }) => known(now, medianText), align: 'right' },
      { head: '95 %', cell: ({ now }) => known(now, timeInterval), align: 'right' },
      { head: 'rewritten', cell: ({ best }) => known(best, medianText), align: 'right' },
      { head: 'do', cell: ({ advice }) => advice },
    ]),
    isDrawnOnly: true,
    rows,
  };
}

/** Ratios are compared within a process, so the interval is scaled from the ratio's interval. */
const scaled = (median: number, { ratio, ci, ...sampled }: RatioEstimate): Estimate => ({
  ...sampled,
  median: median * ratio,
  ci: [median * ci[0], median * ci[1]],
});

/** Collapses the interval to the median if it is not reliable. */
const knownRange = (estimate: Estimate): Estimate =>
  carries(estimate, 'size') ? estimate : { ...estimate, ci: [estimate.median, estimate.median] };

function aboutRow({ name, status, now, best, advice }: GainRow): string {
  const rewritten = best === null ? '' : `, ${time(best.median)} rewritten`;
  const measured = now === null ? '' : `: ${time(now.median)} now${rewritten}`;
  return `${name}, ${status.text}${measured}.${advice === '' ? '' : ` ${advice}.`}`;
}

/** Name of the file if it holds a single payload of that name, else the id of the payload. */
export function titleOf({ id, source: { file, export: name } }: PayloadReport): StyledText {
  return code(name === null && stemOf(file) === id ? file : id);
}

/** Anchor of a payload's section, by its index in the report. */
export const anchorOf = (place: number): string => `payload-${place + 1}`;

/** List of contents of a page, the most expensive payload first; null for a single payload. Recorded sites are ranked separately. */
export function contentsOf({ payloads }: Report): { places: readonly number[]; table: Table } | null {
  const rows = payloads
    .flatMap((payload, place) => (payload.traffic === undefined ? [{ payload, place }] : []))
    .map((row) => ({ ...row, cost: slowestNs(row.payload) }))
    .sort((a, b) => (b.cost ?? -1) - (a.cost ?? -1));
  if (rows.length < 2) return null;
  const runs = payloads.flatMap((payload) => (payload.traffic === undefined ? payload.runs : []));
  const nameOf = runNames(runs);
  const runtimes = [...new Set(runs.map(nameOf))];
  const columns = columnsOf(rows, [
    { head: 'payload', cell: ({ payload }) => titleOf(payload) },
    { head: 'a message, slowest', cell: ({ cost }) => known(cost, time) || 'not measured', align: 'right' },
    ...runtimes.map((head): ColumnOf<(typeof rows)[number]> => {
      const cell = ({ payload }: (typeof rows)[number]) => {
        const run = payload.runs.find((one) => nameOf(one) === head);
        if (run !== undefined) return adviceSpan(run);
        return payload.runs.length > 0 ? '' : FAILED;
      };
      return { head, cell };
    }),
  ]);
  const title = `${rows.length} payloads on ${counted(runtimes.length, 'runtime')}`;
  const places = rows.map(({ place }) => place);
  return { places, table: { type: 'table', title, columns, anchors: places.map(anchorOf) } };
}

const FAILED: Span = { text: 'failed: see its error', tone: 'bad', marked: true };

/** Round trip on the slowest runtime, ns; null if none was measured. */
function slowestNs({ runs }: PayloadReport): number | null {
  const medians = runs.flatMap(({ measurement }) => measurement?.roundTrip.median ?? []);
  return medians.length === 0 ? null : Math.max(...medians);
}

/** Advice for the contents. Colours mark failures and gains only. */
function adviceSpan(run: Run): Span {
  const [status, advice] = [statusText(run), adviceShort(run)];
  if (status.tone === 'bad') return { ...status, text: `${status.text} ${advice}` };
  if (run.advice !== null && !isDecided(run)) return { text: advice, marked: 'unsure' };
  if (run.advice?.action === 'apply') return { text: advice, tone: 'good', marked: 'faster' };
  return advice || status.text;
}
