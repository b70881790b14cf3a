/** What `npm run record:apps` compares: each bar can be missed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedMessages } from '../../src/model/documents/recorded/recording.ts';
import { messages } from '../make.ts';
import { agreementOf, countsOf } from './agreement.ts';
import { summaryOf } from './summary.ts';

const SITE = 'Worker.postMessage src/pool.js:41';

interface Row {
  what: string;
  /** 1,200 messages of 1,000 bytes were counted, and a row tells of the same number if it tells nothing else. */
  told?: Partial<RecordedMessages>[];
  bytes?: number;
  wrong?: string[];
  tail?: number;
  missed?: string[];
}

const bytes = (low: number, high: number) => ({
  bytes: { total: (low + high) / 2, ci: [low, high] as [number, number], max: 1 },
});
const inAll = (told: number) => `Worker.postMessage: ${told} told in all, 1200 counted`;
const missed = ['numbers of messages'];

const ROWS: Row[] = [
  { what: 'equal numbers' },
  { what: 'two groups', told: [700, 500].map((count) => ({ count, ...bytes(5e5, 6e5) })) },
  {
    what: 'one less',
    told: [{ count: 1199 }],
    wrong: [`${SITE}: 1199 told, 1200 counted`, inAll(1199)],
    missed,
  },
  { what: 'some less, and the recording says so', told: [{ count: 1190, estimated: true }], tail: 10 },
  { what: 'one more', told: [{ count: 1201, estimated: true }], wrong: [inAll(1201)], missed },
  {
    what: 'a site that was not counted',
    told: [{}, { count: 1, site: { user: null, library: null } }],
    wrong: ['Worker.postMessage nowhere: 1 told, 0 counted', inAll(1201)],
    missed,
  },
  { what: 'bytes beyond the interval', bytes: 1_300_000, missed: ['bytes within the interval'] },
  { what: 'a wide interval', told: [bytes(800_000, 1_300_000)], missed: ['width of the intervals'] },
  { what: 'a third of the bytes', bytes: 400_000, missed: ['bytes within the interval', 'bytes of a site'] },
  { what: 'no size', told: [{ bytes: null }] },
];

for (const { what, told = [{}], bytes: counted = 1_200_000, ...expected } of ROWS)
  test(what, () => {
    const known = { threads: 1, thrown: new Map<string, number>(), posted: new Map<string, never>() };
    const sites = agreementOf(told.map(messages), {
      ...{ ...known, sites: new Map([[SITE, { count: 1200, bytes: counted }]]) },
    });
    const counts = countsOf(sites);
    assert.deepEqual(counts.wrong.sort(), expected.wrong ?? []);
    assert.equal(counts.tail, expected.tail ?? 0);
    const one = { name: what, differences: [], varies: [], counts, sites, advice: [] };
    const own = expected.missed ?? [];
    assert.deepEqual(summaryOf([one]).missed, own);
    const same = { id: 'pool.js:41', recorded: [], posted: [] };
    assert.deepEqual(summaryOf([{ ...one, advice: [same] }]).missed, own);
    const other = {
      ...one,
      differences: ['another stdout'],
      advice: [same, { ...same, posted: ['slow v8/rope'] }],
    };
    const all = ['output, exit code, files or messages', ...own, 'advice'];
    assert.deepEqual(summaryOf([other]).missed.sort(), all.sort());
  });
