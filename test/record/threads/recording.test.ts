import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Frame, Recording, Site } from '../../../src/model/documents/recorded/recording.ts';
import type { ValueTree } from '../../../src/model/documents/recorded/value-tree.ts';
import type { Serialization } from '../../../src/model/names.ts';
import type { PostingApi } from '../../../src/model/recording/recording.ts';
import { permissionGap } from '../../../src/record/command-options.ts';
import * as files from '../../../src/record/files/recording-files.ts';
import { addressOf } from '../../../src/record/tap/messages/log.ts';
import * as layout from '../../../src/record/threads/counters.ts';
import * as threads from '../../../src/record/threads/recorded-thread.ts';
import { type RecordedRun, recordingOf } from '../../../src/record/threads/recording.ts';
import { sampleBytes } from '../../../src/record/threads/sample-bytes.ts';
import { unitsOfTexts } from '../../support/count-bytes.ts';
import { threadFiles } from '../../support/thread-files.ts';

const ENDED: { code: number | null; signal: string | null } = { code: 0, signal: null };
const frame = (file: string): Frame => ({ file, line: 7, column: 1, name: null });
const site: Site = { user: frame('/app/dist/a.js'), library: null };
const tree: ValueTree = { is: 'object', entries: [['name', { is: 'text', units: 40 }]] };
const posted = { api: 'structuredClone', site, count: 5, bytes: 40, sendNs: 500, tree } as const;
const PLACE = { api: posted.api, site, to: null };
const FILES = threadFiles({ pid: 1, thread: 0, file: '/app/dist/a.js', posted: [posted] });
const LINES = String(FILES['1-0.ndjson']);
const COUNTERS = FILES['1-0.cnt'] as Uint8Array;

const RUN: RecordedRun = {
  ...{ command: ['node', 'a.js'], values: 'none', version: '0.1.0', exit: ENDED, elapsedMs: 50 },
  ...{ unreachable: null, hasLeft: false, isFull: false, gaps: [] },
};

const threadOf = (lines: string, counters: Uint8Array | null = COUNTERS, thread = 0) =>
  files.readThread({ pid: 1, thread, lines, counters });

async function recorded(all: threads.RecordedThread[], more: Partial<RecordedRun> = {}): Promise<Recording> {
  const bytesOf = await sampleBytes(all, unitsOfTexts);
  const mapFrame = (one: Frame) => one;
  const recording = recordingOf(
    all,
    { ...RUN, ...more },
    { root: '/app', bytesOf, mapFrame, isWhole: files.isWhole },
  );
  // Whatever the threads wrote, the recording can be read again.
  const read = files.parseRecording(files.recordingText(recording), 'a.cprof');
  assert.deepEqual(read, JSON.parse(JSON.stringify(recording)));
  return recording;
}

test('messages that the engine has sized correct those that are made again', async () => {
  const message = (nth: number, more: object) => ({
    ...{ record: 'message', group: 0, nth, extent: 40, tree, ...more },
  });
  const records = [message(0, { bytes: 44 }), message(1, { bytes: 44 }), message(2, {})];
  const kept = LINES.split('\n').filter((line) => !line.includes('"message"'));
  const lines = [...kept, ...records.map((one) => JSON.stringify(one))].join('\n');
  const thread = threadOf(lines);
  const known = await sampleBytes([thread], unitsOfTexts);
  assert.deepEqual(known(thread.messages[0]!), { bytes: 44, error: 0 });
  assert.equal(known(thread.messages[2]!)?.bytes, 44);
});

test('a program that was killed is a gap', async () => {
  const exit = { ...ENDED, code: null, signal: 'SIGKILL' };
  const { header } = await recorded([threadOf(LINES)], { exit });
  assert.match(header.gaps[0]?.what ?? '', /was killed/);
});

test('posts that threw: cut, and without what a program called its error', async () => {
  const thrown = (id: number, error: string) =>
    JSON.stringify({
      ...{ record: 'thrown', id, ...PLACE, error, stack: [frame('/app/dist/a.js')] },
      refused: { path: '$.a', what: 'w'.repeat(2000) },
    });
  const counted = '{"record":"throws","id":0,"count":40}';
  const lines = [LINES, thrown(0, 'DataCloneError'), counted, thrown(1, 'for bob@example.com'), ''];
  const all = (await recorded([threadOf(lines.join('\n'))])).header.thrown ?? [];
  const actual = all.map(({ error, count, posts, stack }) => [error, count, posts, stack[0]?.file]);
  assert.deepEqual(actual, [
    ['DataCloneError', 40, 46, 'dist/a.js'],
    ['Error', 1, 46, 'dist/a.js'],
  ]);
  assert.ok(all.every(({ refused }) => refused!.what.length < 200));
});

test('kinds of thrown posts and gaps beyond the limits are left out', async () => {
  const kinds = Array.from({ length: 103 }, (_, id) => [
    { record: 'thrown', id, ...PLACE, error: `E${id}`, refused: null, stack: [] },
    { record: 'throws', id, count: id + 1 },
  ]);
  const written = kinds.flat().map((record) => `${JSON.stringify(record)}\n`);
  const gap = (i: number) => `{"record":"gap","what":"gap ${i}"}\n`;
  const told = await recorded([threadOf(LINES + written.join(''))]);
  const { thrown = [], gaps } = told.header;
  assert.deepEqual([thrown.length, thrown.at(-1)!.count], [100, 4]);
  // The three rarest.
  assert.deepEqual(gaps, [{ what: 'a post that threw, beyond the kinds that are kept', count: 1 + 2 + 3 }]);
  const many = Array.from({ length: 5000 }, (_, i) => gap(i)).join('');
  assert.equal((await recorded([threadOf(LINES + many)])).header.gaps.length, 100);
});

test('a thread that wrote nothing', async () =>
  assert.deepEqual((await recorded([threadOf('')])).messages, []));

test('counters that no recorder writes', async () => {
  for (const value of [-1, 2 ** 53 - 1]) {
    const all = new Float64Array(COUNTERS.slice().buffer).fill(value, 3);
    await recorded([1, 2].map((thread) => threadOf(LINES, new Uint8Array(all.buffer), thread)));
  }
});

const WRONG: [what: string, text: string, by: string][] = [
  ['a value whose entries are none', '"entries":[', '"entries":[7,'],
  ['a text that is too long to be made', '"units":40', '"units":4e15'],
  ['a frame with a long name', '"name":null', `"name":"${'x'.repeat(1e5)}"`],
  ['a site of its own prototype', '"site":{"user"', '"site":{"__proto__":{"user":null},"user"'],
  ['a gap of a megabyte', '"record":"end"', `"record":"gap","what":"${'x'.repeat(1e6)}"`],
  ['a version that is none', '"version":"20.20.2"', `"version":"${'x'.repeat(1e5)}"`],
];
for (const [what, text, by] of WRONG) {
  test(`${what}: a gap at most, and a recording that can be read`, async () => {
    assert.ok(LINES.includes(text), text);
    const { header, messages } = await recorded([threadOf(LINES.replaceAll(text, () => by))]);
    assert.ok(header.gaps.length > 0 || messages.length === 1);
  });
}

test('the site, by the source map', () => {
  const of = (user: Frame | null, library: Site['library'] = null): Site => ({ user, library });
  const inPackage = (name: string, file: string, version: string | null = null) =>
    of(null, { name, version, frame: frame(file) });
  const ROWS: [given: Site, file: string, expected: Site][] = [
    [site, 'src/a.ts', of(frame('src/a.ts'))],
    [site, '../node_modules/@a/b/src/x.ts', inPackage('@a/b', '../node_modules/@a/b/src/x.ts')],
    [site, 'node_modules/a/node_modules/b/x.ts', inPackage('b', 'node_modules/a/node_modules/b/x.ts')],
    [site, 'src/node_modules', of(frame('src/node_modules'))],
    [inPackage('piscina', '/p.js', '5.3.2'), '/p.ts', inPackage('piscina', '/p.ts', '5.3.2')],
  ];
  for (const [given, file, expected] of ROWS)
    assert.deepEqual(threads.threadNames([], '/app', () => frame(file)).site(given), expected);
});

describe('the permission model', () => {
  const ROWS: [command: string, options: string | undefined, gap: boolean][] = [
    ['node app.js', undefined, false],
    ['node --permission app.js', undefined, true],
    ['node --experimental-permission --allow-fs-read=* app.js', undefined, true],
    ['node --permission --allow-fs-read=* --allow-fs-write=* app.js', undefined, false],
    ['npm start', '--max-old-space-size=100  --permission', true],
    ['node app.mjs --permission admin', undefined, false],
    ['node -r ./hook.cjs --permission app.js', undefined, true],
    ['npm start -- --permission', undefined, true],
    ['node --permission=false-friend app.js', '', false],
  ];
  for (const [command, options, gap] of ROWS)
    test(`${command} ${options ?? ''}: ${gap}`, () =>
      assert.equal(permissionGap(command.split(' '), options) !== null, gap));
});

// Threads: what they could not tell themselves.

interface Late {
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

const LATE: Late[] = [
  { what: 'all arrived', posted: [3, 2], arrived: 5, counts: [3, 2], isRight: true },
  { what: 'more arrived, of one class', posted: [3], arrived: 7, counts: [7], isRight: true },
  { what: 'more arrived, of two classes', posted: [2, 3], arrived: 8, counts: [2, 6], isRight: false },
  { what: 'fewer arrived', posted: [3], arrived: 1, counts: [3], isRight: false },
  { what: 'it posted elsewhere too', posted: [3], other: true, arrived: 4, counts: [4], isRight: false },
  { what: 'it told all itself', posted: [3], ended: true, arrived: 9, counts: [3], isRight: false },
  { what: 'no end counts', posted: [3], sent: 0, arrived: 0, counts: [3], isRight: false },
  { what: 'it posted nothing', posted: [], arrived: 0, counts: [], isRight: false },
];

for (const { what, posted, sent, other, ended, arrived, counts, isRight } of LATE) {
  test(`late messages: ${what}`, () => {
    const site = { user: frame('w.js'), library: null };
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
    const thread = threadOf(lines, new Uint8Array(fields.buffer), 1);
    assert.equal(threads.countLate(thread), isRight);
    const { counters } = thread;
    const told = (at: number) => posted.map((_, id) => Math.round(counters![layout.groupStart(id) + at]!));
    assert.deepEqual(told(layout.GROUP.count), counts);
    const extents = counts.map((one) => 10 * one);
    assert.deepEqual(told(layout.GROUP.extent), extents);
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
  const [parent, from] = [1, 2].map((pid) => files.readThread({ pid, thread: 0, lines: '', counters: null }));
  const of = threads.serializations([{ ...parent!, children: [child] }, from!]);
  for (const [api, own, is] of ROWS) {
    const { serialization } = of(from!, { ...group, api, ...(own && { serialization: own }) });
    assert.equal(serialization, is, api);
  }
});

// Names of threads.

const ROOT = 'http://localhost:5173/';

const read = (thread: number, kind: string | undefined, file: string | null) => {
  const runtime = { name: 'chromium', version: '143' };
  const started = { record: 'thread', pid: 1, thread, parent: null, kind, runtime, file, at: 1 };
  return threadOf(JSON.stringify(started), null, thread);
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
  const names = threads.threadNames([page], ROOT, (frame) => frame);
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
