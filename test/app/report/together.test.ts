import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Report } from '../../../src/model/documents/report.ts';
import type { SweepReport } from '../../../src/model/documents/sweep.ts';
import type { RuntimeName } from '../../../src/model/names.ts';
import {
  joinReports,
  type Stored,
  type StoredResult,
  together,
} from '../../../src/report/stored/stored-reports.ts';
import { payload, report, run, sweepPoint, sweepReport } from '../../make.ts';
import { compared } from '../../report/compare/reports.ts';
import { frozen } from '../../report/render.ts';

const on = (spec: Parameters<typeof run>[0], ...ids: string[]): Report =>
  report(...ids.map((id) => payload(id, [run(spec)])));

const elsewhere = (one: Report): Report => ({ ...one, machine: { ...one.machine, cpu: 'Other' } });
const unloaded = report(payload('orders', [], { error: { code: 'file-missing', message: 'x' } }));

const sweep = (version: string, name: RuntimeName = 'node', more: Partial<SweepReport> = {}): SweepReport =>
  sweepReport([sweepPoint({ runtime: { name, version } })], more);

const files = (results: readonly StoredResult[]) =>
  results.map((report, at): Stored => ({ file: `${'abcd'[at]}.json`, report }));

const NODE = on('node@24.0.0', 'orders');
const NODE_26 = on('node@26.0.0', 'orders');
const BUN = on('bun@1.4.5', 'orders');
const ROWS = on('node@24.0.0', 'rows');

const DECIDED: [what: string, results: StoredResult[], join: boolean, is: string][] = [
  ['one payload on two runtimes', [NODE, BUN], false, 'report@1'],
  ['two machines', [NODE, elsewhere(NODE)], false, 'comparison@1'],
  ['two versions of a runtime', [NODE, NODE_26], false, 'comparison@1'],
  ['two versions of a runtime, --join', [NODE, NODE_26], true, 'report@1'],
  ['a payload that one could not load', [NODE, unloaded], false, 'comparison@1'],
  ['one that was interrupted first', [NODE, report(payload('orders', []))], false, 'comparison@1'],
  ['sweeps of two runtimes', [sweep('24.0.0'), sweep('1.4.5', 'bun')], false, 'sweep@1'],
  ['sweeps of two versions', [sweep('24.0.0'), sweep('26.0.0')], false, 'comparison@1'],
  ['one comparison', [compared(NODE, NODE)], false, 'comparison@1'],
];

describe('several stored results become one', () => {
  for (const [what, results, join, is] of DECIDED) {
    test(`${what}: ${is}`, () => assert.equal(together(files(results), join).schema, `clone-prof/${is}`));
  }

  test('payloads of one name and file are one; one that failed to load is taken from the other report', () => {
    const [node, bun] = [run('node@24.0.0'), run('bun@1.4.5')];
    const other = payload('orders', [bun], { source: { file: 'other/orders.json', export: null } });
    const error = { code: 'file-missing', message: 'x' };
    const { payloads } = joinReports([
      report(payload('orders', [node]), payload('rows', [], { error })),
      report(payload('orders', [bun]), payload('rows', [bun])),
      report(other),
    ]);
    assert.deepEqual(payloads, [payload('orders', [node, bun]), payload('rows', [bun]), other]);
  });

  test('the date is kept if all reports have the same; a recording is listed once', () => {
    const recording = frozen('recording');
    const a = { ...recording, date: '2026-01-31' };
    const joined = joinReports([a, a]);
    assert.deepEqual([joined.recordings, joined.date], [recording.recordings, '2026-01-31']);
    assert.equal(joinReports([a, { ...a, date: '2026-02-01' }]).date, undefined);
  });

  test('a sweep of two runtimes has the points of both', () => {
    const joined = together(files([sweep('24.0.0'), sweep('26.0.0', 'node', { interrupted: true })]), true);
    assert.deepEqual(joined, {
      ...sweep('24.0.0'),
      points: [
        sweepPoint({ runtime: { name: 'node', version: '24.0.0' } }),
        sweepPoint({ runtime: { name: 'node', version: '26.0.0' } }),
      ],
      interrupted: true,
    });
  });
});

const REFUSED: [what: string, results: StoredResult[], says: RegExp, join?: boolean][] = [
  [
    'nothing in common on two machines',
    [NODE, elsewhere(ROWS)],
    /^report: a\.json and b\.json cannot be joined: they differ in payload, machine/,
  ],
  ['another seed', [NODE, { ...ROWS, seed: 2 }], /cannot be joined: they differ in .*seed$/],
  ['one of three apart', [NODE, NODE, ROWS], /^report: c\.json has no payload on a runtime of a\.json/],
  ['a report and a sweep', [NODE, sweep('24.0.0')], /a\.json is a report and b\.json a sweep/],
  ['two comparisons', [compared(NODE, NODE), compared(NODE, NODE)], /a\.json is a comparison already/],
  ['sweeps of two payloads', [sweep('24.0.0'), sweep('1.4.5', 'bun', { title: 'x' })], /differ in payload/],
  [
    '--join of one sweep twice',
    [sweep('24.0.0'), sweep('24.0.0')],
    /both have rows on the same runtime\. Without --join/,
    true,
  ],
];

describe('reports that can be neither joined nor compared are refused', () => {
  for (const [what, results, says, join = false] of REFUSED) {
    test(what, () => assert.throws(() => together(files(results), join), { code: 'usage', message: says }));
  }
});
