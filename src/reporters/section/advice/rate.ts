/** What a payload costs for its bytes: tells apart what the engine treats alike. */
import { carries } from '../../../core/evidence.ts';
import type { Run } from '../../../model/documents/report.ts';
import type { Channel } from '../../../model/names.ts';
import { groupedBy } from '../../text/grouped.ts';
import { count, time } from '../../text/numbers.ts';
import type { Span, StyledText } from '../model/sentence.ts';

/** Of a round trip that costs little more than an empty one, bytes do not tell why. */
const NEAR_FLOOR = 1.5;
/** Of fewer the rate is that of single values. */
const MIN_BYTES = 1000;

/** Time of a round trip beyond an empty one, ns a MB; null where bytes do not decide it, or it is not known. */
export function timePerMB({ measurement, wireBytes, bytes }: Run): number | null {
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
export function rateCell({ perMB }: Rated, times: number | undefined): Span {
  if (perMB === null) return '';
  if (times === undefined) return time(perMB);
  const text = `${time(perMB)} (${count(Math.round(times))}x)`;
  return times < MANY_TIMES ? text : { text, tone: 'poor' };
}

export const ABOUT_RATES =
  'per MB: the round trip beyond that of an empty message, for the bytes posted; in brackets how many times that of the cheapest of its class on that runtime.';
