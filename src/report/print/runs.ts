/** Runs in a few words: their advice, the rows of tables and the contents of a page. */

import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { PayloadReport, Report, Run } from '../../model/documents/report.ts';
import { channelRow } from '../../model/names.ts';
import { stemOf } from '../../model/report/recipe.ts';
import { carries } from '../../stats/evidence.ts';
import { amounts, type ColumnOf, columnsOf, known } from '../columns.ts';
import type { Table } from '../doc.ts';
import { tableOf } from '../nodes.ts';
import { counted, gainFactor, gainInterval, medianText, time } from '../text/numbers.ts';
import { code, muted, type Span, type StyledText } from '../words.ts';
import { failureStep, runNames, runtimeName, SHORT_ADVICE, statusText } from './texts.ts';

/** "json-text", "no rewrite", "not measured", "see its error"; "" without advice. */
export function adviceShort(run: Run): string {
  const { advice, status, error, channel, verdict } = run;
  if (advice === null && verdict?.class === 'rejected') return 'fix the causes';
  if (advice === null) return status === 'classified' && error !== null ? 'not measured' : failureStep(run);
  if (advice.action === 'not-the-clone') return channelRow(channel).fewer ?? SHORT_ADVICE[advice.action];
  return (advice.action === 'apply' ? advice.remedy : null) ?? SHORT_ADVICE[advice.action];
}

/** True if further measuring or trying may change the answer. */
export const isOpen = ({ advice }: Run): boolean =>
  advice?.action === 'not-tried' || advice?.action === 'unsure';

/** "json-text: 2.5x" */
export const adviceWithGain = (advice: string, gain: RatioEstimate | null): string =>
  gain === null ? advice : `${advice}: ${gainFactor(gain)}`;

export const gainOf = ({ advice }: Run): RatioEstimate | null =>
  advice?.action === 'apply' ? advice.gain : null;

/** A run is missing if the payload could not be loaded, or if no runtime ran it. */
type Row = { id: string; run?: Run };

/** @param ofSeveral true if the payloads are named, and compared by bytes */
export function runsTable(title: string, payloads: readonly PayloadReport[], ofSeveral = false) {
  const rows = payloads.flatMap(({ id, runs }): Row[] =>
    runs.length === 0 ? [{ id }] : runs.map((run) => ({ id, run })),
  );
  const runs = rows.flatMap(({ run }) => run ?? []);
  const hasChannels = new Set(runs.map(({ channel }) => channel)).size > 1;
  const hasClass = ofSeveral || runs.every(({ measurement }) => measurement === null);
  return tableOf(title, rows, [
    { head: ofSeveral ? 'payload' : '', cell: ({ id }) => (ofSeveral ? code(id) : '') },
    { head: ofSeveral ? 'runtime' : '', cell: ({ run }) => (run ? runtimeName(run) : 'no runtime') },
    { head: 'channel', cell: ({ run }) => (run && hasChannels ? run.channel : '') },
    { head: 'class', cell: ({ run }) => (!run ? FAILED : hasClass ? classCell(run) : ''), rank: 3 },
    amounts('a message', ({ run }) => known(run?.measurement?.roundTrip, medianText)),
    amounts('blocks sender', ({ run }) => known(run?.measurement?.send, medianText), 1),
    amounts('receiver', ({ run }) => known(run?.measurement?.receive, medianText), 0),
    amounts('per MB', ({ run }) => (run && ofSeveral ? known(timePerMB(run), time) : ''), 2),
    { head: 'do', cell: ({ run }) => (run ? adviceCell(run) : 'see its error') },
    amounts('then', ({ run }) => known(run && rewrittenNs(run, gainOf(run)), time)),
    { head: 'faster', cell: ({ run }) => known(run && gainOf(run), fasterText), rank: 2 },
  ]);
}

const FAILED = { text: 'failed', tone: 'bad', marked: true } as const;

/** "serialized", "serialized, changed": losses do not have their own column. */
function classCell(run: Run): StyledText {
  const status = statusText(run);
  return isChanged(run) ? { text: `${status.text}, changed`, tone: 'fair', marked: true } : status;
}

const isChanged = ({ verdict, findings }: Run): boolean =>
  verdict !== null && verdict.class !== 'rejected' && findings.some(({ level }) => level === 'lossy');

function adviceCell(run: Run): Span {
  const { advice } = run;
  if (advice?.action !== 'apply' || advice.remedy === null) return muted(adviceShort(run));
  const { path, remedy } = advice;
  return path === null || path === '$' ? remedy : `${remedy} ${path}`;
}

/** Time of a round trip with a rewrite of this gain, ns; null if the size of the gain is not known. */
export const rewrittenNs = ({ measurement }: Run, gain: RatioEstimate | null): number | null =>
  measurement && carries(gain, 'size') ? measurement.roundTrip.median * gain.ratio : null;

const fasterText = (gain: RatioEstimate): string =>
  carries(gain, 'size') ? `${gainFactor(gain)} (${gainInterval(gain)})` : gainFactor(gain);

/** Minimum multiple of an empty round trip: below it, bytes do not explain the time. */
const NEAR_FLOOR = 1.5;
/** Minimum bytes: single values would decide the rate of a smaller payload. */
const MIN_BYTES = 1000;

/** Time beyond an empty round trip, ns per MB; null if bytes do not decide it, or if it is not known. */
function timePerMB({ measurement, bytes }: Run): number | null {
  const size = bytes?.copied ?? 0;
  if (measurement === null || size < MIN_BYTES || !carries(measurement.roundTrip, 'size')) return null;
  const { roundTrip, floor } = measurement;
  if (roundTrip.median <= NEAR_FLOOR * floor.roundTrip) return null;
  return ((roundTrip.median - floor.roundTrip) / size) * 1e6;
}

/** Name of the file if it holds a single payload of that name, else the id of the payload. */
export function titleOf({ id, source: { file, export: name } }: PayloadReport): StyledText {
  return code(name === null && stemOf(file) === id ? file : id);
}

export const anchorOf = (place: number): string => `payload-${place + 1}`;

/** The most expensive payload first; null for a single payload. Recorded sites are ranked separately. */
export function contentsOf({ payloads }: Report): { places: readonly number[]; table: Table } | null {
  const rows = payloads
    .map((payload, place) => ({ payload, place, cost: slowestNs(payload) }))
    .filter(({ payload }) => payload.traffic === undefined)
    .sort((a, b) => (b.cost ?? -1) - (a.cost ?? -1));
  if (rows.length < 2) return null;
  const runs = payloads.flatMap((payload) => (payload.traffic === undefined ? payload.runs : []));
  const nameOf = runNames(runs);
  const runtimes = [...new Set(runs.map(nameOf))];
  const columns = columnsOf(rows, [
    { head: 'payload', cell: ({ payload }) => titleOf(payload) },
    amounts('a message, slowest', ({ cost }) => known(cost, time) || 'not measured'),
    ...runtimes.map((head): ColumnOf<(typeof rows)[number]> => {
      const cell = ({ payload }: (typeof rows)[number]) => {
        const run = payload.runs.find((one) => nameOf(one) === head);
        if (run !== undefined) return contentsCell(run);
        return payload.runs.length > 0 ? '' : { ...FAILED, text: 'failed: see its error' };
      };
      return { head, cell };
    }),
  ]);
  const title = `${rows.length} payloads on ${counted(runtimes.length, 'runtime')}`;
  const places = rows.map(({ place }) => place);
  return { places, table: { type: 'table', title, columns, anchors: places.map(anchorOf) } };
}

function slowestNs({ runs }: PayloadReport): number | null {
  const medians = runs.flatMap(({ measurement }) => measurement?.roundTrip.median ?? []);
  return medians.length === 0 ? null : Math.max(...medians);
}

/** Colours mark failures and gains only. */
function contentsCell(run: Run): Span {
  const [status, advice] = [statusText(run), adviceShort(run)];
  if (status.tone === 'bad') return { ...status, text: [status.text, advice].filter(Boolean).join(': ') };
  if (isChanged(run))
    return { text: `${advice || status.text}, arrives changed`, tone: 'fair', marked: true };
  if (advice === '') return status.text;
  if (isOpen(run)) return { text: advice, marked: 'unsure' };
  return run.advice?.action === 'apply' ? { text: advice, tone: 'good', marked: 'faster' } : advice;
}
