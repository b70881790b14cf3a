import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { postedSoFar, readThread, readThreadFiles } from '../../../src/record/files/thread-files.ts';
import { COUNTERS_MAGIC, HEADER, THREAD_FIELDS } from '../../../src/record/threads/counters.ts';
import { putFiles, type RepositoryFiles } from '../../support/git-repository.ts';
import { merged } from '../../support/merged.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const GONE = join(tempFolder('threads'), 'none');

const LINES = ['{"record":"thread"}', '{"record":"gap","what":"a[\\"{"}', '{"record":"end"}'];
const TEXT = LINES.map((line) => `${line}\n`).join('');
const COUNTERS = Uint8Array.of(1, 2, 3);

function folderOf(files: RepositoryFiles): string {
  const folder = tempFolder('threads');
  putFiles(folder, files);
  return folder;
}

const UNREADABLE_FILE = 'A file of a thread could not be read.';
const CUT = 'The end of a file of a thread was left out: it is too large.';

const read = (files: RepositoryFiles, limits?: Parameters<typeof readThreadFiles>[1]) => {
  const { threads, gaps } = readThreadFiles(folderOf(files), limits);
  return {
    threads: threads.map(({ pid, thread, lines }) => `${pid} ${thread} ${lines.split('\n').length}`),
    gaps: gaps.map(({ what, count }) => `${count} ${what}`),
  };
};

describe('files of threads', () => {
  test('are read in order, with their counters; other files are not theirs', () => {
    const others = { 'settings.json': '{}', 'x.ndjson': TEXT, '7-1.ndjson.tmp': TEXT, '9-9.cnt': COUNTERS };
    const files = { '7-10.ndjson': '', '7-2.ndjson': TEXT, '7-0.ndjson': TEXT, '7-0.cnt': COUNTERS };
    const { threads, gaps } = readThreadFiles(folderOf({ ...files, ...others }));
    assert.deepEqual(gaps, []);
    const lines = LINES.join('\n');
    assert.deepEqual(
      threads.map(({ counters, ...one }) => ({ ...one, counters: counters && [...counters] })),
      [
        { pid: 7, thread: 0, lines, counters: [1, 2, 3] },
        { pid: 7, thread: 2, lines, counters: null },
        { pid: 7, thread: 10, lines: '', counters: null },
      ],
    );
  });

  test('have the number of messages until now in their counters, if these are counters', () => {
    const counters = (total: number, magic = COUNTERS_MAGIC) => {
      const view = new DataView(new ArrayBuffer(8 * THREAD_FIELDS));
      view.setFloat64(8 * HEADER.magic, magic, true);
      view.setFloat64(8 * HEADER.total, total, true);
      return new Uint8Array(view.buffer);
    };
    const files = { '7-0.cnt': counters(30), '7-1.cnt': counters(12), '8-0.cnt': COUNTERS, 'x.ndjson': TEXT };
    const wrong = { '9-0.cnt': counters(5, 1), '9-1.cnt': counters(-1), '9-2.cnt': counters(Number.NaN) };
    assert.equal(postedSoFar(folderOf({ ...files, ...wrong })), 42);
    assert.equal(postedSoFar(GONE), 0);
  });

  test('a folder that is gone gives no threads, and a line that was being written is left out', () => {
    assert.deepEqual(readThreadFiles(GONE), { threads: [], gaps: [] });
    assert.deepEqual(read({ '7-0.ndjson': TEXT.slice(0, -9) }), { threads: ['7 0 2'], gaps: [] });
  });
});

describe('the amount that is read is limited', () => {
  const { length } = TEXT;
  const limits = { files: 2, fileBytes: 2 * length - 5, allBytes: 9 * length };

  test('a file, their number', () => {
    const more = { '3-0.ndjson': TEXT, '4-0.ndjson': TEXT };
    const files = { '1-0.ndjson': TEXT, '2-0.ndjson': TEXT.repeat(3), ...more };
    assert.deepEqual(read(files, limits), {
      threads: ['1 0 3', '2 0 5'],
      gaps: ['2 A thread beyond the most that are read.', `1 ${CUT}`],
    });
  });

  test('all files together', () =>
    assert.deepEqual(read({ '1-0.ndjson': TEXT, '2-0.ndjson': TEXT }, { ...limits, allBytes: TEXT.length }), {
      threads: ['1 0 3', '2 0 1'],
      gaps: [`1 ${CUT}`],
    }));
});

test('links, pipes and folders are not followed, and nothing is waited for', {
  skip: process.platform === 'win32',
}, () => {
  const links = { '2-0.ndjson': { link: '1-0.ndjson' }, '1-0.cnt': { link: '/dev/zero' } };
  const folder = folderOf({ '1-0.ndjson': TEXT, ...links });
  execFileSync('mkfifo', [join(folder, '3-0.ndjson')]);
  mkdirSync(join(folder, '4-0.ndjson'));
  const { threads, gaps } = readThreadFiles(folder);
  const actual = threads.map(({ pid, counters }) => [pid, counters]);
  assert.deepEqual(actual, [[1, null]]);
  assert.deepEqual(gaps, [{ what: UNREADABLE_FILE, count: 4 }]);
});

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
const threadOf = (...records: unknown[]) =>
  readThread(thread(records.map((one) => JSON.stringify(one)).join('\n')));

const DEEP = Array.from({ length: 300 }).reduce((inner) => ({ is: 'array', items: [inner] }), 1);

/** Each is one line that cannot be read. */
const UNREADABLE: [string, unknown[]][] = [
  ['no record', [5]],
  ['another record', [{ record: '__proto__' }]],
  ['a value that is nested too deeply', [GROUP, { ...MESSAGE, tree: DEEP }]],
  ['a group of no site', [{ ...GROUP, site: null }]],
  ['a message of no group', [MESSAGE]],
  ['too long a line', [GROUP, { ...MESSAGE, tree: 'x'.repeat(8 * 2 ** 20) }]],
  ['too large a count', [GROUP, { ...MESSAGE, bytes: 1e300 }]],
  ['a value that is none', [GROUP, { ...MESSAGE, tree: { is: 'array', items: 5 } }]],
];

describe('files of a recorded thread', () => {
  for (const [name, records] of UNREADABLE)
    test(`${name} is left out and reported`, () => {
      const thread = threadOf(...records);
      assert.equal(thread.unreadable, 1);
      const { header } = merged([thread], '/app', () => null);
      assert.deepEqual(header.gaps[0], { what: 'an unreadable line of a recorded thread', count: 1 });
    });

  test('a last line that is cut off leaves those before it', () => {
    const text = `${[THREAD, GROUP, MESSAGE].map((one) => JSON.stringify(one)).join('\n')}\n{"record":"mess`;
    const sized = ({ bytes = 0 }) => ({ bytes, error: 0 });
    const { messages } = merged([readThread(thread(text))], '/app', sized);
    const actual = messages.map(({ count, estimated, bytes }) => [count, estimated, bytes?.total]);
    assert.deepEqual(actual, [[1, true, 12]]);
  });

  test('a message that is written again, when its errors have stacks, is one', () => {
    const other = { ...MESSAGE, nth: 1 };
    const { messages } = threadOf(GROUP, MESSAGE, { ...MESSAGE, bytes: 90 }, other);
    const actual = messages.map(({ nth, bytes }) => [nth, bytes]);
    assert.deepEqual(actual, [
      [0, 90],
      [1, 12],
    ]);
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
