import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readThread } from '../../../src/record/files/thread-files.ts';
import { COUNTERS_MAGIC, HEADER, THREAD_FIELDS } from '../../../src/record/threads/counters.ts';
import { merged } from '../../support/merged.ts';

const THREAD = {
  ...{ record: 'thread', pid: 1, thread: 0, parent: null, file: '/app/main.js', at: 5 },
  runtime: { name: 'node', version: '20.20.2' },
};
const SITE = { api: 'structuredClone', site: { user: null, library: null } };
const GROUP = { record: 'group', id: 0, ...SITE, class: 'a', to: null, counter: 0 };
const MESSAGE = { record: 'message', group: 0, nth: 0, extent: 3, bytes: 12 };
const thread = (lines: string, counters: Uint8Array | null = null) => ({
  ...{ pid: 1, thread: 0, lines, counters },
});
const read = (...records: unknown[]) =>
  readThread(thread(records.map((one) => JSON.stringify(one)).join('\n')));

/** Each is one line that cannot be read. */
const UNREADABLE: [string, unknown[]][] = [
  ['no record', [5]],
  ['another record', [{ record: '__proto__' }]],
  ['a group of no site', [{ ...GROUP, site: null }]],
  ['a message of no group', [MESSAGE]],
  ['an unknown function', [{ ...GROUP, api: 'alert' }]],
  [
    'a site with a line that is no number',
    [{ ...GROUP, site: { user: { file: 'a', line: '1', column: 1, name: null }, library: null } }],
  ],
  ['a negative count', [GROUP, { ...MESSAGE, nth: -1 }]],
  ['too large a count', [GROUP, { ...MESSAGE, bytes: 1e300 }]],
  ['a value that is none', [GROUP, { ...MESSAGE, tree: { is: 'array', items: 5 } }]],
  ['a runtime of no name', [{ ...THREAD, runtime: { name: 'x', version: '1' } }]],
];

describe('files of a recorded thread', () => {
  for (const [name, records] of UNREADABLE)
    test(`${name} is left out and reported`, () => {
      const thread = read(...records);
      assert.equal(thread.unreadable, 1);
      const { header } = merged([thread], '/app', () => null);
      assert.deepEqual(header.gaps[0], { what: 'an unreadable line of a recorded thread', count: 1 });
    });

  test('a last line that is cut off leaves those before it', () => {
    const text = `${[THREAD, GROUP, MESSAGE].map((one) => JSON.stringify(one)).join('\n')}\n{"record":"mess`;
    const { messages } = merged([readThread(thread(text))], '/app', ({ bytes }) => ({
      bytes: bytes!,
      error: 0,
    }));
    assert.deepEqual(
      messages.map(({ count, estimated, bytes }) => [count, estimated, bytes?.total]),
      [[1, true, 12]],
    );
  });

  test('a message that is written again, when its errors have stacks, is one', () => {
    const other = { ...MESSAGE, nth: 1 };
    const { messages } = read(GROUP, MESSAGE, { ...MESSAGE, bytes: 90 }, other);
    assert.deepEqual(
      messages.map(({ nth, bytes }) => [nth, bytes]),
      [
        [0, 90],
        [1, 12],
      ],
    );
  });

  test('counters with a different layout or impossible values are not read', () => {
    const fields = new Float64Array(THREAD_FIELDS);
    const bytes = () => new Uint8Array(fields.buffer.slice(0));
    const counters = (given: Uint8Array) => readThread(thread('', given)).counters;
    assert.equal(counters(bytes()), null);
    fields[HEADER.magic] = COUNTERS_MAGIC;
    assert.notEqual(counters(bytes()), null);
    assert.equal(counters(bytes().subarray(8)), null);
    for (const odd of [Number.NaN, -5, 1e300, Number.POSITIVE_INFINITY]) {
      fields[HEADER.total] = odd;
      assert.equal(counters(bytes()), null);
    }
  });
});
