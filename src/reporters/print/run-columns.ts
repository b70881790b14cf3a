/** Runs as rows of a table: the cost of a message now, the advice, and the cost with it. */
import { carries } from '../../core/evidence.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import { type Column, columnsOf, known } from '../section/model/columns.ts';
import { runtimeName } from '../section/model/run-groups.ts';
import { code, type Span } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import { count, gainFactor, gainInterval, time } from '../text/numbers.ts';
import { doText, thenCell } from './to-do.ts';
import { statusText } from './verdict.ts';

interface Row {
  id: string;
  /** Null if the payload could not be loaded, or if no runtime ran it. */
  run: Run | null;
}

/** Rows of the payloads: each has at least one. */
export const rowsOf = (payloads: readonly PayloadReport[]): Row[] =>
  payloads.flatMap(({ id, runs }): Row[] => {
    const known: readonly (Run | null)[] = runs.length === 0 ? [null] : runs;
    return known.map((run) => ({ id, run }));
  });

/** @param ofSeveral true if the rows are of several payloads, which are named and compared by bytes */
export function runColumns(rows: readonly Row[], ofSeveral = false): Column[] {
  const runs = rows.flatMap(({ run }) => run ?? []);
  const hasChannels = new Set(runs.map(({ channel }) => channel)).size > 1;
  const isTimed = runs.some(({ measurement }) => measurement !== null);
  const times = timesCheapest(runs);
  const of =
    (cell: (run: Run) => Span, none: Span = '') =>
    ({ run }: Row): Span =>
      run === null ? none : cell(run);
  return columnsOf(rows, [
    { head: ofSeveral ? 'payload' : '', cell: ({ id }) => (ofSeveral ? code(id) : '') },
    { head: ofSeveral ? 'runtime' : '', cell: of(runtimeName, 'no runtime') },
    { head: 'channel', cell: of(({ channel }) => (hasChannels ? channel : '')) },
    { head: 'class', cell: of((run) => (isTimed && !ofSeveral ? '' : statusText(run)), FAILED), rank: 3 },
    {
      head: 'a message',
      cell: of(({ measurement }) => known(measurement, ({ roundTrip }) => time(roundTrip.median))),
      align: 'right',
    },
    {
      head: 'blocks sender',
      cell: of(({ measurement }) => known(measurement?.send ?? null, ({ median }) => time(median))),
      ...{ align: 'right', rank: 1 },
    },
    {
      head: 'receiver',
      cell: of(({ measurement }) => known(measurement?.receive ?? null, ({ median }) => time(median))),
      ...{ align: 'right', rank: 0 },
    },
    {
      head: 'per MB',
      cell: of((run) => (ofSeveral ? rateCell(run, times.get(run)) : '')),
      ...{ align: 'right', rank: 2 },
    },
    { head: 'do', cell: of(doText, 'see its error') },
    { head: 'then', cell: of(thenCell), align: 'right' },
    {
      head: 'faster',
      cell: of(({ advice }) => (advice?.action === 'apply' && advice.gain ? fasterText(advice.gain) : '')),
      rank: 2,
    },
  ]);
}

const FAILED = { text: 'failed', tone: 'bad', marked: true } as const;

function fasterText(gain: NonNullable<NonNullable<Run['advice']>['gain']>): string {
  return carries(gain, 'size') ? `${gainFactor(gain)} (${gainInterval(gain)})` : gainFactor(gain);
}

// Time per byte, which distinguishes payloads that the engine treats alike.

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

/** Minimum multiple that is reported: smaller multiples may be noise. */
const MIN_TIMES = 2;
const MANY_TIMES = 5;

/** Multiples of the cheapest run of its class and runtime; runs with about the same cost are omitted. */
export function timesCheapest(runs: readonly Run[]): Map<Run, number> {
  const kinds = groupedBy(runs, (run) =>
    JSON.stringify([runtimeName(run), run.channel, run.verdict?.class ?? null]),
  );
  return new Map(
    [...kinds.values()].flatMap((own) => {
      const least = Math.min(...own.flatMap((run) => timePerMB(run) ?? []));
      return own.flatMap((run): [Run, number][] => {
        const perMB = timePerMB(run);
        return perMB !== null && perMB >= MIN_TIMES * least ? [[run, perMB / least]] : [];
      });
    }),
  );
}

/** "62.1 ms", "62.1 ms (14x)" */
function rateCell(run: Run, times: number | undefined): Span {
  const perMB = timePerMB(run);
  if (perMB === null) return '';
  if (times === undefined) return time(perMB);
  const text = `${time(perMB)} (${count(Math.round(times))}x)`;
  return times < MANY_TIMES ? text : { text, tone: 'poor' };
}

export const ABOUT_RATES =
  'per MB: the round trip beyond that of an empty message, for the bytes posted; in brackets how many times that of the cheapest of its class on that runtime.';
