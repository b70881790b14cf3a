import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageThreads } from '../../../src/record/program/page/page-threads.ts';
import { Targets } from '../../../src/record/program/page/record-page.ts';
import type { DevTools, OnEvent } from '../../../src/runtimes/browser/browser.ts';
import { project } from '../../support/temp-project.ts';

test('a page is opened when the recorder is in it, and gone when its tab is closed or crashes', async (t) => {
  const { workdir } = await project(t);
  // It agrees with everything.
  const browser = { onEvent: (() => undefined) as OnEvent, send: async () => ({}) };
  const threads = new PageThreads(workdir, { name: 'chromium', version: '143' });
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
