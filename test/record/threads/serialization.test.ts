import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Serialization } from '../../../src/model/names.ts';
import type { PostingApi } from '../../../src/model/recording/recording.ts';
import type { RecordedThread } from '../../../src/record/threads/recorded-thread.ts';
import { serializations } from '../../../src/record/threads/recorded-thread.ts';

const thread = (pid: number, started: RecordedThread['children']): RecordedThread => ({
  ...{
    pid,
    thread: 0,
    started: null,
    groups: new Map(),
    messages: [],
    thrown: new Map(),
    gaps: [],
    arrived: new Map(),
  },
  ...{ ended: true, counters: null, unreadable: 0, children: started },
});
const child = (serialization?: Serialization) => ({
  ...{ record: 'child' as const, pid: 2, thread: 0, program: 'node' },
  ...(serialization && { serialization }),
});
const SITE = { user: null, library: null };
const group = { record: 'group', id: 0, site: SITE, class: '', to: null, counter: 0 } as const;

interface Row {
  what: string;
  api: PostingApi;
  own?: Serialization;
  started?: Serialization;
  is: Serialization | null | undefined;
}

const ROWS: Row[] = [
  {
    what: 'as the end that posts knows it',
    api: 'process.send',
    own: 'advanced',
    started: 'json',
    is: 'advanced',
  },
  { what: 'as the process was started', api: 'process.send', started: 'advanced', is: 'advanced' },
  { what: 'started by a process that was not recorded', api: 'process.send', is: null },
  { what: 'to a child, not to the process itself', api: 'ChildProcess.send', started: 'advanced', is: null },
  { what: 'to a child', api: 'ChildProcess.send', own: 'json', is: 'json' },
  { what: 'within a process', api: 'Worker.postMessage', started: 'json', is: undefined },
];

for (const { what, api, own, started, is } of ROWS)
  test(`serialization of messages: ${what}`, () => {
    const from = thread(2, []);
    const of = serializations([thread(1, [child(started)]), from]);
    assert.equal(of(from, { ...group, api, ...(own && { serialization: own }) }).serialization, is);
  });
