/** What runs of `analyze` say together, each with its budget. */
import type { RatioEstimate } from '../../src/model/documents/measurement.ts';
import { medianOf } from '../interleave.ts';
import type { Row } from '../table.ts';
import { type AdviceRun, advisedGain, isOpen, widthOf } from './one-run.ts';

const MEAN_SECONDS = 5;
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

/** How many of the runs, and which. */
const counted = (what: string, some: readonly AdviceRun[], all: readonly AdviceRun[], mostOf: number): Row =>
  limited({
    what,
    value: some.length,
    unit: `of ${all.length}`,
    budget: Math.floor(mostOf * all.length),
    note: namesOf(some),
  });

const ratio = (what: string, values: number[], budget: number): Row =>
  limited({ what: `${what}, median of ${values.length}`, value: median(values), unit: 'x', budget });

/** `name`: of the build and the group of payloads. None where no payload of the group was run. */
export function summaryRows(name: string, runs: readonly AdviceRun[]): Row[] {
  if (runs.length === 0) return [];
  const nothing = runs.filter(({ run }) => run.advice?.action === 'nothing');
  const gains = runs.flatMap((run) => advisedGain(run) ?? []);
  const shares = gains.map((gain) => gain.ratio);
  const seconds = runs.reduce((sum, { wholeMs }) => sum + wholeMs / 1000, 0) / runs.length;
  return [
    limited({ what: `${name}: mean of whole runs`, value: seconds, unit: 's', budget: MEAN_SECONDS }),
    counted(`${name}: advice not decided`, runs.filter(isOpen), runs, OPEN_SHARE),
    ratio(`${name}: width of the advised ratio's interval`, gains.map(widthOf), WIDTH),
    ratio(`${name}: share of the original's time that the advised rewrite takes`, shares, GAIN),
    counted(`${name}: advised nothing`, nothing, runs, NOTHING_SHARE),
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
