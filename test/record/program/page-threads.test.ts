import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readThread } from '../../../src/record/files/thread-files.ts';
import { PageThreads } from '../../../src/record/program/page/page-threads.ts';
import { Targets } from '../../../src/record/program/page/record-page.ts';
import { HEADER, THREAD_FIELDS } from '../../../src/record/threads/counters.ts';
import type { DevTools, OnEvent } from '../../../src/runtimes/browser/browser.ts';

const NOT_SENT = 'A message that the recorder in a page does not send.';

const NOTHING = { file: 'http://a/', at: 1, counters: [], workers: [] };
const state = (more: object) => JSON.stringify({ ...NOTHING, ...more });
const counted = (index: string, value: string) =>
  `{"file":"http://b/","at":1,"workers":[],"counters":[[${index},${value}]]}`;

const PAGE = { id: '1', type: 'page', parent: '' };

const NONSENSE = [
  ...['', 'x', '{', '{}', 'null', '[]', '['.repeat(1e5)],
  ...[counted('0.5', '1'), counted('-1', '1'), ...['"1"', '1e999', '-2'].map((one) => counted('4', one))],
  ...[state({ file: 1 }), state({ kind: 'tab' }), state({ at: -1 }), state({ counters: [4, 3] })],
  ...[{}, [1], [['a', 1]], [['a', 1, null]]].map((workers) => state({ workers })),
];

test('a page that calls the recorder’s function with anything else does no harm', () => {
  const threads = new PageThreads({ name: 'chromium', version: '143' });
  threads.receive('1', 1, state({ kind: 'page', counters: [[HEADER.total, 1]] }), PAGE);
  for (const text of NONSENSE) threads.receive('1', 1, text, PAGE);
  threads.receive('2', 1, state({}), undefined);
  threads.receive('1', 2, '{"record":7}', PAGE);
  threads.receive('1', 1, '{"record":"message","group":7}\n{"record":"thread","pid":9}\nnonsense', PAGE);
  // The last of a counter stands, and what no counter has is passed over.
  const counters = [
    [HEADER.total, 3],
    [THREAD_FIELDS, 1],
  ];
  threads.receive('1', 1, state({ counters }), PAGE);
  const files = threads.finish().map(readThread);
  assert.deepEqual(threads.gaps.list, [{ what: NOT_SENT, count: NONSENSE.length + 2 }]);
  const [read] = files;
  assert.deepEqual([files.length, read!.started?.file, read!.unreadable], [1, 'http://a/', 3]);
  assert.equal(read!.counters?.[HEADER.total], 3);
});

test('a flood ends at the limits', () => {
  const threads = new PageThreads({ name: 'chromium', version: '143' }, { threads: 2, bytes: 1000 });
  for (let i = 0; i < 5; i++) {
    threads.receive('1', i, state({ kind: 'iframe', file: null }), PAGE);
    for (let k = 0; k < 100; k++) threads.receive('1', i, `{"record"${'x'.repeat(90)}\n`, PAGE);
  }
  const { length } = threads.finish();
  assert.equal(length, 2);
  assert.deepEqual(
    threads.gaps.list.map(({ what, count }) => [what, count]),
    [
      ['Records beyond the most that are kept.', 190],
      ['A thread beyond the most that are read.', 3],
      [NOT_SENT, 300],
    ],
  );
});

test('a page is opened when the recorder is in it, and gone when its tab is closed or crashes', async () => {
  // It agrees with everything.
  const browser = { onEvent: (() => undefined) as OnEvent, send: async () => ({}) };
  const threads = new PageThreads({ name: 'chromium', version: '143' });
  const settings = { binding: '_b', doctor: false, values: 'none' as const, startedAt: 0, salt: '' };
  const targets = new Targets({ devtools: browser as unknown as DevTools, threads, script: '', settings });
  const seen: string[] = [];
  targets.onPage = (session) => seen.push(`opened ${session}`);
  targets.onGone = (session, how) => seen.push(`${how} ${session}`);
  targets.watch();
  for (const [id, method] of Object.entries({
    1: 'Target.detachedFromTarget',
    2: 'Inspector.targetCrashed',
  })) {
    const targetInfo = { targetId: id, type: 'page', url: 'http://a/' };
    browser.onEvent('Target.attachedToTarget', { sessionId: id, targetInfo }, '');
    await new Promise((resolve) => setImmediate(resolve));
    browser.onEvent(method, { sessionId: id }, id);
  }
  assert.deepEqual(seen, ['opened 1', 'closed 1', 'opened 2', 'crashed 2']);
});
