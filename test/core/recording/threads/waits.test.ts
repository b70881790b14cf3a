import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  COUNTERS_MAGIC,
  GROUP,
  groupStart,
  HEADER,
  THREAD_FIELDS,
} from '../../../../src/core/recording/threads/counters.ts';
import { merge } from '../../../../src/core/recording/threads/merge.ts';
import { collect, follow, WAY } from '../../../../src/core/recording/threads/way.ts';
import { readThread } from '../../../../src/store/thread-files.ts';

interface Row {
  what: string;
  /** Of fields of the way, ms; `number` and `counter` too. */
  way: Partial<Record<keyof typeof WAY, number>>;
  /** followed, sum, unready, receiving, in ms. */
  counted: [number, number, number, number];
  /** Another may be followed. */
  isFree: boolean;
}

const AT = { from: 100, to: 102 };
const ROWS: Row[] = [
  { what: 'it is still on its way', way: AT, counted: [0, 0, 0, 0], isFree: false },
  { what: 'the call has not returned', way: { taken: 130 }, counted: [0, 0, 0, 0], isFree: false },
  { what: 'the thread did something else', way: { ...AT, taken: 132 }, counted: [1, 30, 0, 0], isFree: true },
  {
    what: 'it was taken before the call returned',
    way: { ...AT, taken: 101 },
    counted: [1, 0, 0, 0],
    isFree: true,
  },
  {
    what: 'the thread received others, from before the call returned on',
    way: { ...AT, taken: 132, receivingMs: 32 },
    counted: [1, 30, 0, 30],
    isFree: true,
  },
  {
    what: 'the receiver did not listen, and received others then',
    way: { ...AT, taken: 132, listening: 122, receivingMs: 7 },
    counted: [1, 30, 20, 7],
    isFree: true,
  },
  {
    what: 'the receiver listened before',
    way: { ...AT, taken: 132, listening: 12 },
    counted: [1, 30, 0, 0],
    isFree: true,
  },
  {
    what: 'a counter that there is not',
    way: { ...AT, taken: 132, counter: 1e6 },
    counted: [0, 0, 0, 0],
    isFree: true,
  },
];

for (const { what, way, counted, isFree } of ROWS) {
  test(`a message that was followed: ${what}`, () => {
    const fields = new Float64Array(THREAD_FIELDS);
    follow(fields, HEADER.upWay, 3, 1, 100);
    for (const [name, value] of Object.entries(way))
      fields[HEADER.upWay + WAY[name as keyof typeof WAY]] = value;
    const sender = new Float64Array(THREAD_FIELDS);
    collect(fields, HEADER.upWay, sender);
    const { followed, waitSumNs, unreadyNs, receivingNs } = GROUP;
    const of = [followed, waitSumNs, unreadyNs, receivingNs].map((at) => sender[groupStart(1) + at]!);
    assert.deepEqual([of[0], ...of.slice(1).map((ns) => ns! / 1e6)], counted);
    assert.equal(fields[HEADER.upWay + WAY.number] === 0, isFree);
  });
}

const FRAME = { file: '/app/main.js', line: 1, column: 1, name: null };
const SITE = { user: FRAME, library: null };
const listener = (name: string, of: string, line = 7) => ({
  ...{ record: 'listener', of, name },
  site: { user: { ...FRAME, line }, library: null },
});

interface Thread {
  thread: number;
  records: object[];
  /** Fields of the counters. */
  fields: Record<number, number>;
}

function mergedWait(threads: readonly Thread[]) {
  const read = threads.map(({ thread, records, fields }) => {
    const counters = new Float64Array(THREAD_FIELDS);
    const known = { [HEADER.magic]: COUNTERS_MAGIC, [HEADER.pid]: 5, [HEADER.thread]: thread };
    const all = { ...known, [HEADER.parentThread]: thread === 0 ? -1 : 0, ...fields };
    for (const [at, value] of Object.entries(all)) counters[Number(at)] = value;
    const started = {
      ...{ record: 'thread', pid: 5, thread, parent: { pid: thread === 0 ? 1 : 5, thread: 0 }, at: thread },
      ...{ runtime: { name: 'node', version: '20.20.2' }, file: thread === 0 ? '/app/main.js' : '/app/w.js' },
    };
    const lines = [started, ...records].map((one) => JSON.stringify(one)).join('\n');
    return readThread({ pid: 5, thread, lines, counters: new Uint8Array(counters.buffer) });
  });
  return merge(read, '/app').messages[0]!.wait;
}

const main = (fields: Record<number, number>): Thread => ({
  thread: 0,
  records: [
    { record: 'site', id: 0, api: 'Worker.postMessage', site: SITE },
    { record: 'group', id: 0, site: 0, class: 'c', to: 'worker /app/w.js', counter: 0 },
    { record: 'message', group: 0, nth: 0, hint: 1, bytes: 10 },
  ],
  fields: { [groupStart(0)]: 3, ...fields },
});
/** The last message to it was taken 8 ms after the call. */
const last = { number: 3, counter: 0, from: 10, to: 12, taken: 20, receivingMs: 6 };
const worker = (thread: number, records: object[]): Thread => ({
  ...{ thread, records },
  fields: Object.fromEntries(
    Object.entries(last).map(([name, value]) => [HEADER.downWay + WAY[name as keyof typeof WAY], value]),
  ),
});

const [ns, group] = [1e6, groupStart(0)];
/** 2 that the thread itself has counted, of 1 and 3 ms. */
const EARLIER = {
  [group + GROUP.followed]: 2,
  [group + GROUP.waitSumNs]: 4 * ns,
  [group + GROUP.waitMaxNs]: 3 * ns,
  [group + GROUP.waits + 7]: 1,
  [group + GROUP.waits + 9]: 1,
};
const ONE = { followed: 1, max: 8 * ns, total: 8 * ns, unready: 0, receiving: 6 * ns };
const RENDER = {
  name: 'render',
  site: { user: { ...FRAME, file: 'main.js', line: 7 }, library: null },
};

test('how long messages waited, and for which listener', () => {
  const render = listener('render', 'parent');
  assert.equal(mergedWait([main(EARLIER)])?.followed, 2);
  assert.equal(mergedWait([main({}), { ...worker(1, [render]), fields: {} }]), undefined);
  const waitOf = (...listeners: object[][]) =>
    mergedWait([main({}), ...listeners.map((records, i) => worker(i + 1, records))])!;
  const { median, ...one } = waitOf([render]);
  assert.deepEqual(one, { ...ONE, listener: RENDER });
  assert.ok(median > 4 * ns && median < 8.4 * ns, `${median}`);
  assert.deepEqual(waitOf([render], [render]).listener, RENDER);
  for (const other of [listener('other', 'parent'), listener('render', 'parent', 8)])
    assert.equal(waitOf([render], [other]).listener, null);
  assert.equal(waitOf([render, listener('other', 'parent')]).listener, null);
  assert.equal(waitOf([listener('render', 'worker /app/w.js')]).listener, null);
  const all = mergedWait([main(EARLIER), worker(1, [render])])!;
  assert.deepEqual([all.followed, all.max, all.total], [3, 8 * ns, 12 * ns]);
});
