import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Frame, Recording, Site } from '../../src/model/documents/recorded/recording.ts';
import type { ValueTree } from '../../src/model/documents/recorded/value-tree.ts';
import { permissionGap } from '../../src/record/command-options.ts';
import {
  isWhole,
  parseRecording,
  readThread,
  recordingText,
} from '../../src/record/files/recording-files.ts';
import type { RecordedThread } from '../../src/record/threads/recorded-thread.ts';
import { threadNames } from '../../src/record/threads/recorded-thread.ts';
import { type RecordedRun, recordingOf } from '../../src/record/threads/recording.ts';
import { sampleBytes } from '../../src/record/threads/sample-bytes.ts';
import { unitsOfTexts } from '../support/count-bytes.ts';
import { threadFiles } from '../support/thread-files.ts';

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

const threadOf = (lines: string, counters = COUNTERS, thread = 0): RecordedThread =>
  readThread({ pid: 1, thread, lines, counters });

async function recorded(threads: RecordedThread[], more: Partial<RecordedRun> = {}): Promise<Recording> {
  const bytesOf = await sampleBytes(threads, unitsOfTexts);
  const mapFrame = (one: Frame) => one;
  const recording = recordingOf(threads, { ...RUN, ...more }, { root: '/app', bytesOf, mapFrame, isWhole });
  // Whatever the threads wrote, the recording can be read again.
  const read = parseRecording(recordingText(recording), 'a.cprof');
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
    assert.deepEqual(threadNames([], '/app', () => frame(file)).site(given), expected);
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
