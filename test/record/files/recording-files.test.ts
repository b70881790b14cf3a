import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonSchema } from '../../../src/app/store/documents.ts';
import type { ValueTree } from '../../../src/model/documents/recorded/value-tree.ts';
import * as files from '../../../src/record/files/recording-files.ts';
import { COUNTERS_MAGIC, HEADER, THREAD_FIELDS } from '../../../src/record/threads/counters.ts';
import { header, messages, recording } from '../../make.ts';
import { putFiles, type RepositoryFiles } from '../../support/git-repository.ts';
import { merged } from '../../support/merged.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { isToolError, rejection } from '../../support/tool-errors.ts';

const folder = tempFolder('recording');
const GONE = join(folder, 'none');

const TREES: ValueTree[] = [
  null,
  'é',
  { is: 'undefined' },
  { is: 'number', number: '-0' },
  { is: 'bigint', bigint: '12345678901234567890' },
  { is: 'object', id: 0, entries: [['__proto__', { is: 'same', id: 0 }]], flags: ['null-prototype'] },
  { is: 'array', items: [1, null], at: [0, 2], of: 3 },
  { is: 'map', entries: [[{ is: 'date', date: null }, 1]] },
  { is: 'set', items: [{ is: 'regexp', source: 'a', letters: 'gi' }], of: 9 },
  { is: 'error', tag: 'TypeError', message: 'no', cause: { is: 'boxed', value: true } },
  { is: 'view', type: 'Uint8Array', bytes: 3, offset: 8, on: { is: 'buffer', bytes: 8192 }, content: 'AAEC' },
  { is: 'buffer', bytes: 3, content: 'AAEC', shared: true },
  { is: 'text', units: 9, beyond: [1, 0, 0, 0, 2, 0], flags: ['rope'], like: 1 },
  { is: 'left', left: 'too deep' },
];

const FULL = recording(
  { gaps: [{ what: 'A worker with an environment of its own.', count: 2 }], exit: null, runtime: null },
  [
    {},
    { sample: null, bytes: null, send: null, queue: null, received: null },
    ...TREES.map((sample) => ({ sample })),
  ],
);
const LINES = files.recordingText(FULL).trimEnd().split('\n');

describe('a recording', () => {
  test('that is written is read back', () =>
    assert.deepEqual(files.parseRecording(files.recordingText(FULL), 'a.cprof'), FULL));

  test('fits the JSON Schema, line by line', () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    const validate = ajv.compile(jsonSchema('recording.schema.json'));
    for (const line of LINES) assert.ok(validate(JSON.parse(line)), JSON.stringify(validate.errors));
    assert.equal(validate({ ...messages(), count: -1 }), false);
  });

  test('that would be too large is written without values, then without the last groups', () => {
    const sample: ValueTree = { is: 'left', left: 'x'.repeat(3000) };
    const given = recording({}, [{ sample }, { sample }, { sample }]);
    const line = Buffer.byteLength(JSON.stringify(messages({ sample: null }))) + 1;
    const text = files.recordingText(given, 2 ** 20 + 3000 + 2 * line + 50);
    const read = files.parseRecording(text, 'a.cprof');
    const actual = read.messages.map((one) => one.sample !== null);
    assert.deepEqual(actual, [true, false]);
    const what = 'Messages left out: the file would be too large.';
    assert.deepEqual(read.header.gaps, [{ what, count: 1 }]);
  });

  test('keeps fields of a different version', () => {
    const other = { ...messages(), later: [1], wait: { followed: 4, median: 8e7, listener: null } };
    const text = [header(), other].map((line) => JSON.stringify(line)).join('\n');
    assert.deepEqual(files.parseRecording(text, 'a.cprof').messages[0], other);
  });
});

const first = JSON.stringify(header());
const line = (more: object) => JSON.stringify({ ...messages(), ...more });
const deep = (levels: number) => `${'{"is":"array","items":['.repeat(levels)}1${']}'.repeat(levels)}`;
const SAMPLE = `"sample":${JSON.stringify(messages().sample)}`;
const withSample = (sample: string) => `${first}\n${line({}).replace(SAMPLE, `"sample":${sample}`)}`;

const HOSTILE: [what: string, text: string, message: RegExp][] = [
  ['empty', '', /not valid JSON/],
  ['a report', '{"schema":"clone-prof/report@1"}', /"schema" is "clone-prof\/report@1"/],
  ['of an older version', first.replace('@2', '@1'), /recording@2: .*recording@1/],
  ['with a bad line inside', `${first}\n{"a":\n${line({})}\n`, /line 2 is not valid JSON/],
  ['with an infinite size', `${first}\n${line({}).replace('1200000', '1e999')}`, /bytes/],
  ['with __proto__ for a site', `${first}\n{"__proto__":${line({})}}`, /line 2: \$\.site/],
  ['with a name of a megabyte', `${first}\n\n${line({ from: 'x'.repeat(1e6) })}`, /line 3: \$\.from/],
  ['nested 100,000 levels deep', withSample(deep(1e5)), /line 2 is nested more than 500 levels deep/],
  ['whose header is', `{"schema":"clone-prof/recording@2","gaps":${deep(1e5)}}`, /line 1 is nested/],
  ['of 1,000,000 lines', `${first}\n${'{}\n'.repeat(1e6)}`, /more than 10000 lines/],
];

describe('an invalid recording is a one-line error', () => {
  for (const [what, text, message] of HOSTILE) {
    test(what, () =>
      assert.throws(
        () => files.parseRecording(text, 'a.cprof'),
        (error: Error) => {
          isToolError('document-bad', message)(error);
          assert.match(error.message, /^a\.cprof: [^\n]{1,900}clone-prof record -- node app\.js$/);
          return true;
        },
      ),
    );
  }

  test('a missing file, a folder', async () => {
    await rejection('file-missing', files.readRecording(GONE, 'none', {}));
    await rejection('file-unreadable', files.readRecording(folder, 'folder', {}));
  });

  test('a device without end', { skip: process.platform === 'win32' }, async () => {
    const { message } = await rejection('file-unreadable', files.readRecording('/dev/zero', 'zero', {}));
    assert.match(message, /not a regular file/);
  });

  test('a deep sample that may be kept is read', () => {
    assert.ok(files.parseRecording(withSample(deep(200)), 'a.cprof').messages[0]?.sample);
  });
});

describe('a file may be replaced', () => {
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const ROWS: [string, string, boolean][] = [
    ['a recording', files.recordingText(recording()), true],
    ['a recording of another version', first.replace('@2', '@1'), true],
    ['an empty file', '', true],
    ['a report', '{"schema":"clone-prof/report@1"}', false],
    ['notes', 'hello', false],
  ];
  for (const [what, text, expected] of ROWS)
    test(`${what}: ${expected}`, () => assert.equal(files.mayBeReplaced(put('one', text)), expected));

  test('if it is missing, but not if it is a link to notes', () => {
    assert.equal(files.mayBeReplaced(GONE), true);
    symlinkSync(put('notes', 'hello'), join(folder, 'link'));
    assert.equal(files.mayBeReplaced(join(folder, 'link')), false);
  });
});

const RECORDS = ['{"record":"thread"}', '{"record":"gap","what":"a[\\"{"}', '{"record":"end"}'];
const TEXT = RECORDS.map((line) => `${line}\n`).join('');
const COUNTERS = Uint8Array.of(1, 2, 3);

function folderOf(given: RepositoryFiles): string {
  const made = tempFolder('threads');
  putFiles(made, given);
  return made;
}

const CUT = 'The end of a file of a thread was left out: it is too large.';

const read = (given: RepositoryFiles, limits?: Parameters<typeof files.readThreadFiles>[1]) => {
  const { threads, gaps } = files.readThreadFiles(folderOf(given), limits);
  return {
    threads: threads.map(({ pid, thread, lines }) => `${pid} ${thread} ${lines.split('\n').length}`),
    gaps: gaps.map(({ what, count }) => `${count} ${what}`),
  };
};

describe('files of threads', () => {
  test('are read in order, with their counters; other files are not theirs', () => {
    const others = { 'settings.json': '{}', 'x.ndjson': TEXT, '7-1.ndjson.tmp': TEXT, '9-9.cnt': COUNTERS };
    const own = { '7-10.ndjson': '', '7-2.ndjson': TEXT, '7-0.ndjson': TEXT, '7-0.cnt': COUNTERS };
    const { threads, gaps } = files.readThreadFiles(folderOf({ ...own, ...others }));
    assert.deepEqual(gaps, []);
    const lines = RECORDS.join('\n');
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
    const own = { '7-0.cnt': counters(30), '7-1.cnt': counters(12), '8-0.cnt': COUNTERS, 'x.ndjson': TEXT };
    const wrong = { '9-0.cnt': counters(5, 1), '9-1.cnt': counters(-1), '9-2.cnt': counters(Number.NaN) };
    assert.equal(files.postedSoFar(folderOf({ ...own, ...wrong })), 42);
    assert.equal(files.postedSoFar(GONE), 0);
  });

  test('a folder that is gone gives no threads, and a line that was being written is left out', () => {
    assert.deepEqual(files.readThreadFiles(GONE), { threads: [], gaps: [] });
    assert.deepEqual(read({ '7-0.ndjson': TEXT.slice(0, -9) }), { threads: ['7 0 2'], gaps: [] });
  });
});

describe('the amount that is read is limited', () => {
  const { length } = TEXT;
  const limits = { files: 2, fileBytes: 2 * length - 5, allBytes: 9 * length };

  test('a file, their number', () => {
    const more = { '3-0.ndjson': TEXT, '4-0.ndjson': TEXT };
    const own = { '1-0.ndjson': TEXT, '2-0.ndjson': TEXT.repeat(3), ...more };
    assert.deepEqual(read(own, limits), {
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
  const linked = folderOf({ '1-0.ndjson': TEXT, ...links });
  execFileSync('mkfifo', [join(linked, '3-0.ndjson')]);
  mkdirSync(join(linked, '4-0.ndjson'));
  const { threads, gaps } = files.readThreadFiles(linked);
  const actual = threads.map(({ pid, counters }) => [pid, counters]);
  assert.deepEqual(actual, [[1, null]]);
  assert.deepEqual(gaps, [{ what: 'A file of a thread could not be read.', count: 4 }]);
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
  files.readThread(thread(records.map((one) => JSON.stringify(one)).join('\n')));

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
    const { messages } = merged([files.readThread(thread(text))], '/app', sized);
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
    const counters = (given: Uint8Array) => files.readThread(thread('', given)).counters;
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
