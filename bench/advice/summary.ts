/** What runs of `analyze` say together, each with its budget. */
import type { RatioEstimate } from '../../src/model/report/report.ts';
import { medianOf } from '../interleave.ts';
import type { Row } from '../table.ts';
import { type AdviceRun, advisedGain, isOpen, widthOf } from './one-run.ts';

const MEAN_SECONDS = 4.5;
const OPEN_SHARE = 1 / 24;
const WIDTH = 1.25;
/** Share of the original's time that an advised rewrite takes. */
const GAIN = 0.3;
const NOTHING_SHARE = 4 / 24;

const limited = (row: Omit<Row, 'held'>): Row => ({ ...row, held: row.value <= (row.budget ?? 0) });

/** Of nothing, no claim is held. */
const median = (values: number[]) => (values.length > 0 ? medianOf(values) : Number.POSITIVE_INFINITY);

const namesOf = (runs: readonly AdviceRun[]) =>
  runs.map(({ payload, runtime }) => `${payload} on ${runtime.name}`).join(', ');

/** `name`: of the build and the group of payloads. None where no payload of the group was run. */
export function summaryRows(name: string, runs: readonly AdviceRun[]): Row[] {
  if (runs.length === 0) return [];
  const open = runs.filter(isOpen);
  const nothing = runs.filter(({ run }) => run.advice?.action === 'nothing');
  const gains = runs.flatMap((run) => advisedGain(run) ?? []);
  const share = (part: number) => Math.floor(part * runs.length);
  const seconds = runs.reduce((sum, { wholeMs }) => sum + wholeMs / 1000, 0);
  const counted = { unit: `of ${runs.length}` };
  return [
    limited({
      what: `${name}: mean of whole runs`,
      value: seconds / runs.length,
      unit: 's',
      budget: MEAN_SECONDS,
    }),
    limited({
      what: `${name}: advice not decided`,
      ...counted,
      value: open.length,
      budget: share(OPEN_SHARE),
      note: namesOf(open),
    }),
    limited({
      what: `${name}: width of the advised ratio's interval, median of ${gains.length}`,
      value: median(gains.map(widthOf)),
      unit: 'x',
      budget: WIDTH,
    }),
    limited({
      what: `${name}: share of the original's time that the advised rewrite takes, median of ${gains.length}`,
      value: median(gains.map(({ ratio }) => ratio)),
      unit: 'x',
      budget: GAIN,
    }),
    limited({
      what: `${name}: advised nothing`,
      ...counted,
      value: nothing.length,
      budget: share(NOTHING_SHARE),
      note: namesOf(nothing),
    }),
  ];
}

const short = ({ ratio, ci }: RatioEstimate) =>
  `${ratio.toFixed(3)} [${ci.map((end) => end.toFixed(3)).join(', ')}]`;

export function runRow(name: string, one: AdviceRun): Row {
  const { advice: told, measurement, trials } = one.run;
  const gain = advisedGain(one);
  const trip = ((measurement?.roundTrip.median ?? 0) / 1e6).toFixed(2);
  return {
    what: `${name}: ${one.payload} on ${one.runtime.name}`,
    value: one.wholeMs / 1000,
    unit: 's',
    budget: null,
    held: null,
    note: `${gain ? `${told?.remedy} ${short(gain)}` : told?.action}; ${trip} ms a trip x ${measurement?.roundTrip.samples}`,
    raw: { measuredMs: one.measuredMs, advice: told, trials },
  };
}
