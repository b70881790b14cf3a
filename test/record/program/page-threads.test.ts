import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readThreads } from '../../../src/record/files/thread-files.ts';
import { PageThreads } from '../../../src/record/program/page/page-threads.ts';
import { HEADER, THREAD_FIELDS } from '../../../src/record/threads/counters.ts';
import { project } from '../../support/temp-project.ts';

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

test('a page that calls the recorder’s function with anything else does no harm', async (t) => {
  const { workdir } = await project(t);
  const threads = new PageThreads(workdir, { name: 'chromium', version: '143' });
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
  threads.finish();
  assert.deepEqual(threads.gaps.list, [{ what: NOT_SENT, count: NONSENSE.length + 2 }]);
  const files = readThreads(workdir).threads;
  const [read] = files;
  assert.deepEqual([files.length, read!.started?.file, read!.unreadable], [1, 'http://a/', 3]);
  assert.equal(read!.counters?.[HEADER.total], 3);
});

test('a flood ends at the limits', async (t) => {
  const { workdir } = await project(t);
  const threads = new PageThreads(workdir, { name: 'chromium', version: '143' }, { threads: 2, bytes: 1000 });
  for (let i = 0; i < 5; i++) {
    threads.receive('1', i, state({ kind: 'iframe', file: null }), PAGE);
    for (let k = 0; k < 100; k++) threads.receive('1', i, `{"record"${'x'.repeat(90)}\n`, PAGE);
  }
  threads.finish();
  assert.deepEqual(
    threads.gaps.list.map(({ what, count }) => [what, count]),
    [
      ['Records beyond the most that are kept.', 190],
      ['A thread beyond the most that are read.', 3],
      [NOT_SENT, 300],
    ],
  );
  assert.equal(readThreads(workdir).threads.length, 2);
});
