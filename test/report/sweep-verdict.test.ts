/** The sentence of a sweep that says what it found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StrategyResult, SweepPoint, SweepReport } from '../../src/model/documents/sweep.ts';
import { verdictOf } from '../../src/report/print/sweep.ts';
import { seriesOf } from '../../src/report/print/sweep-series.ts';
import * as make from '../make.ts';

const SIZES = [1, 10, 100];
const US = 1000;

type Medians = Record<string, number[]>;

const point = (strategy: string, size: number, median: number): SweepPoint =>
  make.sweepPoint({
    ...{ strategy, size, unit: 'items' },
    roundTrip: {
      median: median * US,
      ci: [median * US * 0.97, median * US * 1.03],
      samples: 300,
      processes: 3,
    },
  });

type Sizes = Partial<Pick<StrategyResult, 'faster' | 'slower' | 'even' | 'undecided'>>;

function sweepOf(medians: Medians, standings: Record<string, Sizes>, crossing?: number): SweepReport {
  const points = Object.entries(medians).flatMap(([strategy, times]) =>
    times.map((median, at) => point(strategy, SIZES[at]!, median)),
  );
  const [first] = points as [SweepPoint];
  const place = { runtime: first.runtime, channel: first.channel, payload: first.payload, unit: first.unit };
  const results = Object.entries(standings).map(
    ([strategy, sizes]): StrategyResult => ({
      ...{ ...place, strategy },
      ...{ faster: [], slower: [], even: [], undecided: [], ...sizes },
    }),
  );
  const crossovers =
    crossing === undefined
      ? []
      : Object.keys(standings).map((strategy) => ({
          ...place,
          between: ['raw', strategy] as [string, string],
          size: crossing,
          ci: [crossing * 0.9, crossing * 1.1] as [number, number],
          cheaper: { below: 'raw', above: strategy },
        }));
  return make.sweepReport(points, { standings: results, crossovers });
}

const RAW = [10, 100, 1000];
const ROWS: [name: string, report: SweepReport, verdict: string][] = [
  [
    'faster from a size on',
    sweepOf({ raw: RAW, 'json-text': [20, 90, 500] }, { 'json-text': { slower: [1], faster: [10, 100] } }, 5),
    'From 5 items on json-text is faster: 2.0x at 100 items (500 µs instead of 1.00 ms). Below, post the object.',
  ],
  [
    'one is the fastest, and a simpler one is faster too',
    sweepOf(
      { raw: RAW, 'json-text': [20, 90, 500], compiled: [9, 50, 100] },
      { 'json-text': { faster: [10, 100], slower: [1] }, compiled: { faster: SIZES } },
    ),
    'Compiled is faster: 10x at 100 items (100 µs instead of 1.00 ms). json-text, which is simpler, is 2.0x as fast there.',
  ],
  [
    'nothing is faster',
    sweepOf({ raw: RAW, 'json-text': [20, 200, 2000] }, { 'json-text': { slower: SIZES } }),
    'Post the object: json-text is not faster at 100 items.',
  ],
  [
    'undecided, and the curves are ten times apart',
    sweepOf({ raw: RAW, 'json-text': [1, 10, 100] }, { 'json-text': { undecided: SIZES } }),
    'Not decided, but json-text took 100 µs instead of 1.00 ms at 100 items: measure longer with -b.',
  ],
  [
    'undecided at the largest size alone',
    sweepOf(
      { raw: RAW, 'json-text': [5, 50, 950], compiled: [20, 200, 1900] },
      { 'json-text': { faster: [1, 10], undecided: [100] }, compiled: { slower: [1, 10], undecided: [100] } },
    ),
    'Json-text is faster from 1 to 10 items; undecided: json-text and compiled at 100 items: the intervals are too wide. Measure longer with -b, on a quiet machine.',
  ],
  [
    'one of three strategies is undecided, and none is faster',
    sweepOf(
      { raw: RAW, 'json-text': [20, 200, 2000], compiled: [9, 95, 300] },
      { 'json-text': { slower: SIZES }, compiled: { even: [1, 10], undecided: [100] } },
    ),
    'Json-text is not faster; compiled is not faster from 1 to 10 items; undecided: compiled at 100 items, but compiled took 300 µs instead of 1.00 ms at 100 items: measure longer with -b.',
  ],
  [
    'undecided, and about as fast',
    sweepOf({ raw: RAW, 'json-text': [9, 95, 990] }, { 'json-text': { undecided: SIZES } }),
    'Not decided: the intervals are too wide. Measure longer with -b, on a quiet machine.',
  ],
];

for (const [name, report, verdict] of ROWS)
  test(`verdict of a sweep: ${name}`, () =>
    assert.deepEqual(
      seriesOf(report).map((one) => verdictOf(one)?.text),
      [verdict],
    ));
