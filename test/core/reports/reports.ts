/** Two reports of one payload that differ in one thing. */
import { compareReports } from '../../../src/core/reports/compare.ts';
import type { RunComparison } from '../../../src/model/report/comparison.ts';
import type { Report, Run } from '../../../src/model/report/report.ts';
import {
  advice,
  estimate,
  finding,
  payload,
  report,
  run,
  trial,
  verdict,
} from '../../reporters/frozen/build.ts';

export const NESTED = finding('jsc/nested-value', '$.task');

export const before = run('bun@1.4.5', {
  verdict: verdict({ class: 'serialized', path: 'serializer' }),
  findings: [NESTED],
  trials: [trial('json-text', 0.5), trial('columns', 0.8, { path: '$.rows', inPlace: null })],
  advice: advice('apply', { remedy: 'json-text', path: '$', gain: estimate(0.5) }),
});

export const reportOf = (...runs: Run[]): Report => report(payload('orders', runs));

export const compared = (first: Report, ...others: Report[]) =>
  compareReports([
    { file: 'a.json', report: first },
    ...others.map((report, at) => ({ file: `${'bcd'[at]}.json`, report })),
  ]);

/** `before` against itself with changes. */
export function changed(changes: Partial<Run>): RunComparison {
  const [only] = compared(reportOf(before), reportOf({ ...before, ...changes })).runs;
  return only as RunComparison;
}
