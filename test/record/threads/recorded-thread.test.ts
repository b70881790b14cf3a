import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Serialization } from '../../../src/model/names.ts';
import type { PostingApi } from '../../../src/model/recording/recording.ts';
import { readThread } from '../../../src/record/files/thread-files.ts';
import {
  COUNTERS_MAGIC,
  GROUP,
  groupStart,
  HEADER,
  THREAD_FIELDS,
  WAYS,
} from '../../../src/record/threads/counters.ts';
import {
  countLate,
  type RecordedThread,
  serializations,
} from '../../../src/record/threads/recorded-thread.ts';

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
    const fields = new Float64Array(THREAD_FIELDS);
    fields[HEADER.magic] = COUNTERS_MAGIC;
    fields[WAYS.up.sent] = sent ?? posted.reduce((sum, one) => sum + one, 0);
    fields[WAYS.up.received] = arrived;
    for (const [id, count] of posted.entries()) {
      fields[groupStart(id) + GROUP.count] = count;
      fields[groupStart(id) + GROUP.extent] = 10 * count;
    }
    const lines = records.map((one) => JSON.stringify(one)).join('\n');
    const thread = readThread({ pid: 1, thread: 1, lines, counters: new Uint8Array(fields.buffer) });
    assert.equal(countLate(thread), isRight);
    const { counters } = thread;
    const actual = posted.map((_, id) => counters![groupStart(id) + GROUP.count]);
    assert.deepEqual(actual, counts);
    assert.deepEqual(
      posted.map((_, id) => Math.round(counters![groupStart(id) + GROUP.extent]!)),
      counts.map((one) => 10 * one),
    );
  });
}

const thread = (pid: number, children: RecordedThread['children']): RecordedThread => ({
  ...readThread({ pid, thread: 0, lines: '', counters: null }),
  children,
});
const child = (serialization?: Serialization) => ({
  ...{ record: 'child' as const, pid: 2, thread: 0, program: 'node' },
  ...(serialization && { serialization }),
});
const SITE = { user: null, library: null };
const group = { record: 'group', id: 0, site: SITE, class: '', to: null, counter: 0 } as const;

interface FormatRow {
  what: string;
  api: PostingApi;
  own?: Serialization;
  started?: Serialization;
  is: Serialization | null | undefined;
}

const FORMATS: FormatRow[] = [
  { what: 'as its end knows it', api: 'process.send', own: 'advanced', started: 'json', is: 'advanced' },
  { what: 'as the process was started', api: 'process.send', started: 'advanced', is: 'advanced' },
  { what: 'started by a process that was not recorded', api: 'process.send', is: null },
  { what: 'to a child, not to the process itself', api: 'ChildProcess.send', started: 'advanced', is: null },
  { what: 'to a child', api: 'ChildProcess.send', own: 'json', is: 'json' },
  { what: 'within a process', api: 'Worker.postMessage', started: 'json', is: undefined },
];

for (const { what, api, own, started, is } of FORMATS)
  test(`serialization of messages: ${what}`, () => {
    const from = thread(2, []);
    const of = serializations([thread(1, [child(started)]), from]);
    assert.equal(of(from, { ...group, api, ...(own && { serialization: own }) }).serialization, is);
  });
