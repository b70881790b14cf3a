import type { Estimate } from '../../../src/model/documents/measurement.ts';
import type { SweepPoint, SweepReport } from '../../../src/model/documents/sweep.ts';
import { findCrossovers, strategyResults } from '../../../src/sweep/run/sizes.ts';
import { sweepPoint, sweepReport } from '../../make.ts';

const HOSTILE = '\u001b[31m::error::\u202e</script><img src=x onerror=alert(1)>"\'&';

const estimate = (median: number, share = 0.06): Estimate => ({
  median,
  ci: [median * (1 - share), median * (1 + share)],
});

const RUNTIMES = {
  node: { name: 'node', version: '24.21.0' },
  bun: { name: 'bun', version: '1.4.5' },
  older: { name: 'bun', version: '1.2.20' },
} as const satisfies Record<string, SweepPoint['runtime']>;

/** ns of a round trip: a fixed part, and one for each item. */
type Costs = Readonly<Record<string, readonly [fixed: number, perItem: number]>>;

const SIZES = [1, 3, 10, 32, 100, 316, 1000];

const NODE: Costs = {
  raw: [11_000, 1000],
  'json-text': [25_000, 480],
  'partial-text': [30_000, 520],
  'bytes-transferred': [52_000, 940],
  columns: [90_000, 60],
};
const BUN: Costs = { ...NODE, raw: [6000, 1450], 'json-text': [9000, 300], columns: [61_000, 75] };

function pointsOf(runtime: SweepPoint['runtime'], payload: string, costs: Costs): SweepPoint[] {
  const trip = (strategy: string, size: number) => costs[strategy]![0] + costs[strategy]![1] * size;
  return SIZES.flatMap((size) =>
    Object.keys(costs).map((strategy) => {
      const time = trip(strategy, size);
      const ratio = time / trip('raw', size);
      return sweepPoint({
        ...{ runtime, payload, strategy, size, roundTrip: estimate(time) },
        ...{ send: estimate(time / 3), receive: estimate(time / 6) },
        ratio: strategy === 'raw' ? null : { ratio, ci: [ratio * 0.95, ratio * 1.05] },
      });
    }),
  );
}

const sweepOf = (points: SweepPoint[], more: Partial<SweepReport> = {}): SweepReport =>
  sweepReport(points, {
    dimension: { by: 'items', path: '$.rows', size: 100, grain: 1, weight: 12_000 },
    ...{ crossovers: findCrossovers(points), standings: strategyResults(points), ...more },
  });

/** Two runtimes, on which strategies cross at other sizes. */
export const strategies = sweepOf([
  ...pointsOf(RUNTIMES.node, 'rows', NODE),
  ...pointsOf(RUNTIMES.bun, 'rows', BUN),
]);

const LENGTHS = [11, 14_336, 3_670_016];

/** Times of here, and the published figures beside them, for texts of these lengths. */
const published = (runtime: SweepPoint['runtime'], on: string, here: number[], there: number[]) =>
  LENGTHS.map((size, at) =>
    sweepPoint({
      ...{ runtime, payload: 'string', size, unit: 'chars' },
      ...{ roundTrip: estimate(here[at]! * 12), send: estimate(here[at]!) },
      published: {
        ...{ value: there[at]!, of: 'send', on, source: 'bun.com/blog/postMessage', measured: here[at]! },
      },
    }),
  );

export const preset = sweepOf(
  [
    ...published(RUNTIMES.older, 'Bun 1.2.20', [910, 1900, 410_000], [598, 1350, 326_290]),
    ...published(RUNTIMES.bun, 'Bun 1.2.21', [870, 890, 900], [543, 460, 593]),
    ...published(RUNTIMES.node, 'Node 24.6', [1400, 2100, 390_000], [806, 1220, 242_110]),
  ],
  { preset: 'bun-strings', title: 'postMessage of one string', dimension: null },
);

/** One size from 0 on, names that are attacks, strategies that failed, nothing known of others. */
export const hostile = sweepOf(
  pointsOf(RUNTIMES.node, HOSTILE, { raw: [100, 10], [HOSTILE]: [90, 20] }).map((point, at) => ({
    ...point,
    ...(at < 2 && { size: 0 }),
    ...(at > 8 && { roundTrip: null, send: null, ratio: null, error: { code: 'x', message: HOSTILE } }),
  })),
  {
    title: HOSTILE,
    folklore: { says: HOSTILE, strategy: HOSTILE, source: HOSTILE },
    leftOut: [{ runtime: RUNTIMES.node, strategy: HOSTILE, reason: HOSTILE }],
    interrupted: true,
  },
);

export const nothing = sweepOf([], { dimension: null, interrupted: true });

export const FROZEN_SWEEPS: Readonly<Record<string, SweepReport>> = { strategies, preset, hostile, nothing };
