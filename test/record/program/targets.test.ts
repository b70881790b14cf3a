import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageThreads } from '../../../src/record/program/page/page-threads.ts';
import { Targets } from '../../../src/record/program/page/record-page.ts';
import type { DevTools, JsonFields, OnEvent } from '../../../src/runtimes/browser/browser.ts';
import { project } from '../../support/temp-project.ts';

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

async function watched(workdir: string) {
  const browser = new Agreeing();
  const threads = new PageThreads(workdir, { name: 'chromium', version: '143' });
  const settings = { binding: '_b', doctor: false, values: 'none' as const, startedAt: 0, salt: '' };
  const targets = new Targets({ devtools: browser as unknown as DevTools, threads, script: '', settings });
  const seen: string[] = [];
  targets.onPage = (session) => seen.push(`opened ${session}`);
  targets.onGone = (session, how) => seen.push(`${how} ${session}`);
  const attached = (sessionId: string, targetId: string, type: string, parent = '') =>
    browser.onEvent(
      'Target.attachedToTarget',
      { sessionId, targetInfo: { targetId, type, url: 'http://a/' } },
      parent,
    );
  await targets.watch();
  return { browser, seen, attached };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a page is opened when the recorder is in it, and gone when its tab is closed', async (t) => {
  const { workdir } = await project(t);
  const { browser, seen, attached } = await watched(workdir);
  attached('1', 'page', 'page');
  await settled();
  browser.onEvent('Target.detachedFromTarget', { sessionId: '1' }, '');
  attached('2', 'other', 'page');
  await settled();
  browser.onEvent('Inspector.targetCrashed', {}, '2');
  assert.deepEqual(seen, ['opened 1', 'closed 1', 'opened 2', 'crashed 2']);
});

test('every target continues; the recorder is put into each target once, if it can run there', async (t) => {
  const { workdir } = await project(t);
  const { browser, attached } = await watched(workdir);
  attached('1', 'shared', 'shared_worker');
  attached('2', 'shared', 'shared_worker', '9');
  attached('3', 'ui', 'browser_ui');
  await settled();
  const bindings = browser.sent.filter((one) => one.endsWith('Runtime.addBinding'));
  assert.deepEqual(bindings, ['1 Runtime.addBinding']);
  for (const session of ['1', '2']) assert.ok(browser.sent.includes(`${session} Debugger.disable`), session);
  for (const session of ['1', '2', '3'])
    assert.ok(browser.sent.includes(`${session} Runtime.runIfWaitingForDebugger`), session);
});
