import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { readThread } from '../../../src/record/files/recording-files.ts';
import { PageThreads, Targets } from '../../../src/record/program/page-targets.ts';
import { HEADER, THREAD_FIELDS } from '../../../src/record/threads/counters.ts';
import { DevTools, type JsonFields, type OnEvent } from '../../../src/runtimes/browser/browser.ts';

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

/** A browser that agrees with everything, and stops where it was told to. */
class Agreeing {
  readonly sent: string[] = [];
  onEvent: OnEvent = () => undefined;

  async send(method: string, _params: JsonFields, session = ''): Promise<JsonFields> {
    this.sent.push(`${session} ${method}`);
    const isStopped = this.sent.includes(`${session} Debugger.setInstrumentationBreakpoint`);
    if (isStopped && method === 'Runtime.runIfWaitingForDebugger')
      this.onEvent('Debugger.paused', {}, session);
    return {};
  }
}

async function watched() {
  const browser = new Agreeing();
  const threads = new PageThreads({ name: 'chromium', version: '143' });
  const settings = { binding: '_b', doctor: false, values: 'none' as const, startedAt: 0, salt: '' };
  const targets = new Targets({ devtools: browser as unknown as DevTools, threads, script: '', settings });
  const seen: string[] = [];
  targets.onPage = (session) => seen.push(`opened ${session}`);
  targets.onGone = (session, how) => seen.push(`${how} ${session}`);
  await targets.watch();
  const attached = async (sessionId: string, targetId: string, type: string, parent = '') => {
    const targetInfo = { targetId, type, url: 'http://a/' };
    browser.onEvent('Target.attachedToTarget', { sessionId, targetInfo }, parent);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { browser, threads, seen, attached };
}

test('a page is opened when the recorder is in it, and gone when its tab is closed or crashes', async () => {
  const { browser, seen, attached } = await watched();
  await attached('1', 'page', 'page');
  browser.onEvent('Target.detachedFromTarget', { sessionId: '1' }, '');
  await attached('2', 'other', 'page');
  browser.onEvent('Inspector.targetCrashed', {}, '2');
  assert.deepEqual(seen, ['opened 1', 'closed 1', 'opened 2', 'crashed 2']);
});

test('every target continues; the recorder is put into each target once, if it can run there', async () => {
  const { browser, attached } = await watched();
  await attached('1', 'shared', 'shared_worker');
  await attached('2', 'shared', 'shared_worker', '9');
  await attached('3', 'ui', 'browser_ui');
  const bindings = browser.sent.filter((one) => one.endsWith('Runtime.addBinding'));
  assert.deepEqual(bindings, ['1 Runtime.addBinding']);
  for (const session of ['1', '2']) assert.ok(browser.sent.includes(`${session} Debugger.disable`), session);
  for (const session of ['1', '2', '3'])
    assert.ok(browser.sent.includes(`${session} Runtime.runIfWaitingForDebugger`), session);
});

test('a service worker that starts again continues, and is another thread', async () => {
  const { browser, threads, attached } = await watched();
  const sessions = ['1', '2'];
  for (const session of sessions) await attached(session, 'service', 'service_worker');
  const payload = state({ counters: [[HEADER.total, 1]] });
  const told = () =>
    browser.onEvent('Runtime.bindingCalled', { name: '_b', payload, executionContextId: 1 }, '1');
  told();
  browser.sent.length = 0;
  for (const session of sessions) browser.onEvent('Inspector.targetReloadedAfterCrash', {}, session);
  await new Promise((resolve) => setImmediate(resolve));
  const times = (method: string) => browser.sent.filter((one) => one.endsWith(` ${method}`)).length;
  const methods = ['Runtime.addBinding', 'Runtime.runIfWaitingForDebugger', 'Debugger.disable'];
  assert.deepEqual(methods.map(times), [1, 2, 2]);
  told();
  assert.deepEqual(
    threads
      .finish()
      .map(readThread)
      .map(({ counters }) => counters?.[HEADER.total]),
    [1, 1],
  );
});

test('a command of a session that has ended is not waited for', async () => {
  const input = new PassThrough();
  const asked = new DevTools(input, new PassThrough()).send('Runtime.enable', {}, '7');
  input.write(`${JSON.stringify({ method: 'Target.detachedFromTarget', params: { sessionId: '7' } })}\0`);
  assert.equal(await asked, null);
});

test('a line of a page that is longer than one of a program may be is not read', () => {
  const threads = new PageThreads({ name: 'chromium', version: '143' });
  threads.receive('1', 1, state({ kind: 'page', counters: [[HEADER.total, 1]] }), PAGE);
  threads.receive('1', 1, JSON.stringify({ record: 'gap', what: 'x'.repeat(9 * 2 ** 20) }), PAGE);
  const [read] = threads.finish().map(readThread);
  assert.deepEqual([read!.unreadable, read!.gaps], [1, []]);
});
