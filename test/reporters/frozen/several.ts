import type { Report } from '../../../src/model/documents/report.ts';
import { advice, facts, finding, measurement, payload, report, run, shape, verdict } from '../../make.ts';

const NODE = 'node@24.21.0';
const serialized = { verdict: verdict({ path: 'fast-object' }) };

const costing = (us: number, wireBytes: number) => ({
  ...serialized,
  ...{ measurement: measurement(us * 1000, { wireBytes }), wireBytes },
});

const DEEP = finding('v8/deep-nesting', '$', { level: 'note' });
const MANY = finding('spec/class-instance', `$.a${'.to.out'.repeat(30)}.to..`, {
  level: 'lossy',
  count: 2449,
});

/** A chain of objects that the engine can post and not read back. */
const graph = run(NODE, {
  ...serialized,
  status: 'failed',
  error: {
    code: 'measure-failed',
    message:
      'could not be measured: the message arrived but could not be read: RangeError: Maximum call stack size exceeded',
  },
  shape: shape({
    nodes: 5027,
    depth: 2514,
    jsonBytes: null,
    patterns: [
      facts('$', 'object'),
      facts(MANY.path, 'object', { depth: 64, parent: 'object', count: 2449 }),
    ],
  }),
  findings: [MANY, DEEP],
  ...{ measurement: null, advice: null },
});

/** One class on one runtime: what each costs for its bytes tells them apart. */
export const several: Report = report(
  payload('tile', [run(NODE, costing(660, 400_000))]),
  payload('orders', [run(NODE, costing(910, 23_900))]),
  payload('log', [run(NODE, costing(260, 51_000))]),
  payload('settings', [run(NODE, { ...costing(11, 300), advice: advice('not-the-clone') })]),
  payload('graph', [graph]),
);
