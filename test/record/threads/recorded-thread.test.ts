import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Serialization } from '../../../src/model/names.ts';
import type { PostingApi } from '../../../src/model/recording/recording.ts';
import { readThread } from '../../../src/record/files/recording-files.ts';
import { addressOf } from '../../../src/record/tap/messages/log.ts';
import * as layout from '../../../src/record/threads/counters.ts';
import { countLate, serializations, threadNames } from '../../../src/record/threads/recorded-thread.ts';

const FRAME = { file: 'w.js', line: 1, column: 1, name: null };

interface Row {
  what: string;
  /** Messages that were counted, by class. */
  posted: number[];
  /** By another function than self.postMessage. */
  other?: boolean;
  ended?: boolean;
  arrived: number;
  counts: number[];
  isRight: boolean;
  /** As the thread counts it; all that it posted if it is not given. */
  sent?: number;
}

const ROWS: Row[] = [
  { what: 'all arrived', posted: [3, 2], arrived: 5, counts: [3, 2], isRight: true },
  { what: 'more arrived, of one class', posted: [3], arrived: 7, counts: [7], isRight: true },
  { what: 'more arrived, of two classes', posted: [2, 3], arrived: 8, counts: [2, 6], isRight: false },
  { what: 'fewer arrived', posted: [3], arrived: 1, counts: [3], isRight: false },
  { what: 'it posted elsewhere too', posted: [3], other: true, arrived: 4, counts: [4], isRight: false },
  { what: 'it told all itself', posted: [3], ended: true, arrived: 9, counts: [3], isRight: false },
  { what: 'no end counts', posted: [3], sent: 0, arrived: 0, counts: [3], isRight: false },
  { what: 'it posted nothing', posted: [], arrived: 0, counts: [], isRight: false },
];

for (const { what, posted, sent, other, ended, arrived, counts, isRight } of ROWS) {
  test(`late messages: ${what}`, () => {
    const site = { user: FRAME, library: null };
    const group = { record: 'group', api: 'self.postMessage', site };
    const groups = posted.map((_, id) => ({ ...group, id, class: `${id}`, to: 'parent', counter: id }));
    const records = [
      ...groups,
      ...(other
        ? [{ ...group, id: 9, api: 'MessagePort.postMessage', class: 'x', to: null, counter: 9 }]
        : []),
      ...(ended ? [{ record: 'end' }] : []),
    ];
    const fields = new Float64Array(layout.THREAD_FIELDS);
    fields[layout.HEADER.magic] = layout.COUNTERS_MAGIC;
    fields[layout.WAYS.up.sent] = sent ?? posted.reduce((sum, one) => sum + one, 0);
    fields[layout.WAYS.up.received] = arrived;
    for (const [id, count] of posted.entries()) {
      fields[layout.groupStart(id) + layout.GROUP.count] = count;
      fields[layout.groupStart(id) + layout.GROUP.extent] = 10 * count;
    }
    const lines = records.map((one) => JSON.stringify(one)).join('\n');
    const thread = readThread({ pid: 1, thread: 1, lines, counters: new Uint8Array(fields.buffer) });
    assert.equal(countLate(thread), isRight);
    const { counters } = thread;
    const actual = posted.map((_, id) => counters![layout.groupStart(id) + layout.GROUP.count]);
    assert.deepEqual(actual, counts);
    assert.deepEqual(
      posted.map((_, id) => Math.round(counters![layout.groupStart(id) + layout.GROUP.extent]!)),
      counts.map((one) => 10 * one),
    );
  });
}

test('serialization of messages: as its end knows it, else as the process was started', () => {
  const site = { user: null, library: null };
  const group = { record: 'group', id: 0, site, class: '', to: null, counter: 0 } as const;
  const ROWS: [PostingApi, own: Serialization | undefined, is: Serialization | null | undefined][] = [
    ['process.send', 'json', 'json'],
    ['process.send', undefined, 'advanced'],
    ['ChildProcess.send', undefined, null],
    ['Worker.postMessage', undefined, undefined],
  ];
  const child = { record: 'child', pid: 2, thread: 0, program: 'node', serialization: 'advanced' } as const;
  const [parent, from] = [1, 2].map((pid) => readThread({ pid, thread: 0, lines: '', counters: null }));
  const of = serializations([{ ...parent!, children: [child] }, from!]);
  for (const [api, serialization, is] of ROWS)
    assert.equal(
      of(from!, { ...group, api, ...(serialization && { serialization }) }).serialization,
      is,
      api,
    );
});

// Names of threads.

const ROOT = 'http://localhost:5173/';

const read = (thread: number, kind: string | undefined, file: string | null) => {
  const runtime = { name: 'chromium', version: '143' };
  const started = { record: 'thread', pid: 1, thread, parent: null, kind, runtime, file, at: 1 };
  return readThread({ pid: 1, thread, lines: JSON.stringify(started), counters: null });
};

const NAMES: [kind: string | undefined, file: string | null, name: string][] = [
  ['page', ROOT, 'page'],
  ['page', `${ROOT}app/`, 'page app/'],
  ['iframe', 'http://other/ad.html', 'iframe http://other/ad.html'],
  ['shared worker', `${ROOT}s.js`, 'shared worker s.js'],
  ['service worker', null, 'service worker'],
  [undefined, `${ROOT}w.js`, 'worker w.js'],
  [undefined, 'blob:', 'worker blob:'],
];

test('threads of a page, and receivers of its messages, are named by their kinds and addresses', () => {
  const page = read(1, 'page', ROOT);
  const names = threadNames([page], ROOT, (frame) => frame);
  for (const [kind, file, name] of NAMES) {
    assert.equal(names.of(read(1, kind, file)), name);
    assert.equal(names.receiver(page, `${kind ?? 'worker'} ${file ?? ''}`), name);
  }
  assert.equal(names.receiver(page, 'self'), 'page');
});

test('an unknown kind makes a record unreadable', () => {
  assert.equal(read(1, 'tab', ROOT).unreadable, 1);
});

const ADDRESSES: [url: string, address: string][] = [
  ['http://localhost:5173/src/main.ts?t=173#top', 'http://localhost:5173/src/main.ts'],
  ['http://localhost/#/route?user=7', 'http://localhost/'],
  ['blob:http://localhost/7f2c', 'blob:'],
  ['data:text/javascript,postMessage("secret")', 'data:'],
  ['', ''],
];

for (const [url, address] of ADDRESSES) test(`address: ${url}`, () => assert.equal(addressOf(url), address));
