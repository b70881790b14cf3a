/** What `npm run record:apps` compares: each bar can be missed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedMessages } from '../../src/model/documents/recorded/recording.ts';
import { messages } from '../make.ts';
import { agreementOf, countsOf } from './agreement.ts';
import type { CountedSite } from './counter/counted.ts';
import { summaryOf } from './summary.ts';

const SITE = 'Worker.postMessage src/pool.js:41';

interface Row {
  what: string;
  told?: Partial<RecordedMessages>[];
  counted?: CountedSite;
  /** What is wrong with the numbers. */
  wrong?: string[];
  tail?: number;
  missed?: string[];
}

const bytes = (low: number, high: number) => ({
  total: (low + high) / 2,
  ci: [low, high] as [number, number],
  max: 1,
});

const ROWS: Row[] = [
  { what: 'equal numbers' },
  {
    what: 'two groups of one site',
    told: [
      { count: 700, bytes: bytes(5e5, 6e5) },
      { count: 500, bytes: bytes(5e5, 6e5) },
    ],
  },
  {
    what: 'a message less than was counted',
    told: [{ count: 1199 }],
    wrong: [`${SITE}: 1199 told, 1200 counted`, 'Worker.postMessage: 1199 told in all, 1200 counted'],
    missed: ['numbers of messages'],
  },
  { what: 'some less, and the recording says so', told: [{ count: 1190, estimated: true }], tail: 10 },
  {
    what: 'one more',
    told: [{ count: 1201, estimated: true }],
    wrong: ['Worker.postMessage: 1201 told in all, 1200 counted'],
    missed: ['numbers of messages'],
  },
  {
    what: 'a site that was not counted',
    told: [{}, { count: 1, site: { user: null, library: null } }],
    wrong: [
      'Worker.postMessage nowhere: 1 told, 0 counted',
      'Worker.postMessage: 1201 told in all, 1200 counted',
    ],
    missed: ['numbers of messages'],
  },
  {
    what: 'bytes beyond the interval',
    counted: { count: 1200, bytes: 1_300_000 },
    missed: ['bytes within the interval'],
  },
  {
    what: 'a wide interval',
    told: [{ bytes: bytes(800_000, 1_300_000) }],
    missed: ['width of the intervals'],
  },
  {
    what: 'bytes that are three times as many',
    counted: { count: 1200, bytes: 400_000 },
    missed: ['bytes within the interval', 'bytes of a site'],
  },
  { what: 'no size', told: [{ bytes: null }] },
];

for (const { what, told = [{}], counted = { count: 1200, bytes: 1_200_000 }, ...expected } of ROWS) {
  test(what, () => {
    const sites = agreementOf(told.map(messages), {
      threads: 1,
      thrown: new Map(),
      posted: new Map(),
      sites: new Map([[SITE, counted]]),
    });
    const counts = countsOf(sites);
    assert.deepEqual(counts.wrong.sort(), (expected.wrong ?? []).sort());
    assert.equal(counts.tail, expected.tail ?? 0);
    const one = { name: what, differences: [], varies: [], counts, sites, advice: [] };
    assert.deepEqual(summaryOf([one]).missed, expected.missed ?? []);
    const differing = summaryOf([{ ...one, differences: ['another stdout'] }]).missed;
    assert.deepEqual(differing, ['output, exit code, files or messages', ...(expected.missed ?? [])]);
  });
}

test('other advice for what was recorded than for what was posted', () => {
  const same = { id: 'pool.js:41', recorded: [], posted: [] };
  const other = { ...same, posted: ['slow v8/rope'] };
  const counts = { counted: 0, tail: 0, wrong: [] };
  const missedBy = (...advice: (typeof other)[]) =>
    summaryOf([{ name: 'a', differences: [], varies: [], counts, sites: [], advice }]).missed;
  assert.deepEqual(missedBy(same), []);
  assert.deepEqual(missedBy(same, other), ['advice']);
});
