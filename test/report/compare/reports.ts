/** Two reports of one payload that differ in one thing. */

import type { RunComparison } from '../../../src/model/documents/comparison.ts';
import type { RatioEstimate } from '../../../src/model/documents/measurement.ts';
import type { Report, Run } from '../../../src/model/documents/report.ts';
import type { Crossover, SweepReport } from '../../../src/model/documents/sweep.ts';
import type { RuntimeName } from '../../../src/model/names.ts';
import { compareReports, compareSweeps } from '../../../src/report/compare/compare.ts';
import {
  advice,
  estimate,
  finding,
  payload,
  report,
  run,
  sweepPoint,
  sweepReport,
  trial,
  verdict,
} from '../../make.ts';

export const NESTED = finding('jsc/nested-value', '$.task');

export const before = run('bun@1.4.5', {
  verdict: verdict({ class: 'serialized', path: 'serializer' }),
  findings: [NESTED],
  trials: [trial('json-text', 0.5), trial('compiled', 0.8, { path: '$.rows', inPlace: null })],
  advice: advice('apply', { remedy: 'json-text', path: '$', gain: estimate(0.5) }),
});

export const reportOf = (...runs: Run[]): Report => report(payload('orders', runs));

/** @param at among all but the first */
const inFile = <T>(report: T, at = -1) => ({ file: `${'abcd'[at + 1]}.json`, report });

export const compared = (first: Report, ...others: Report[]) =>
  compareReports([inFile(first), ...others.map((one, at) => inFile(one, at))]);

/** `before` against itself with changes. */
export function changed(changes: Partial<Run>): RunComparison {
  const [only] = compared(reportOf(before), reportOf({ ...before, ...changes })).runs;
  return only as RunComparison;
}

const SERIES = { channel: 'worker', payload: 'rows', unit: 'items' } as const;

/** `json-text` over `raw` at sizes, on one runtime. */
export function sweepOf(
  [name, version]: [RuntimeName, string],
  ratios: Record<number, RatioEstimate>,
  crossings: Pick<Crossover, 'size' | 'ci'>[] = [],
  strategy = 'json-text',
): SweepReport {
  const runtime = { name, version };
  const point = (size: string, of: string, ratio: RatioEstimate | null) =>
    sweepPoint({ runtime, strategy: of, size: Number(size), ratio });
  const points = Object.entries(ratios).flatMap(([size, ratio]) => [
    point(size, 'raw', null),
    point(size, strategy, ratio),
  ]);
  const crossovers = crossings.map(
    (crossing): Crossover => ({
      ...{ runtime, ...SERIES, ...crossing, between: ['raw', strategy] },
      cheaper: { below: 'raw', above: strategy },
    }),
  );
  return sweepReport(points, { crossovers });
}

export const comparedSweeps = (first: SweepReport, ...others: SweepReport[]) =>
  compareSweeps([inFile(first), ...others.map((one, at) => inFile(one, at))]);
