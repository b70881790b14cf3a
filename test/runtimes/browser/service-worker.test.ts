/** A page and its service worker, in the browsers of this machine. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { BrowserName } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import type { Variant } from '../../../src/model/wire/wire.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { median } from '../../../src/stats/intervals/intervals.ts';
import { bothModes, FLOOR, measureRequest, ORIGINAL } from '../../guest/measure/requests.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { runtime, testOnBrowsers } from '../../support/runtimes.ts';
import { askPage } from '../../support/shared-page.ts';
import { usually } from '../../support/whole.ts';

const folder = new PayloadFolder();
after(killAll);

const channel = 'service-worker';
const ROUNDS = 12;
const rows = folder.module('rows.mjs', 'export const value = [{ id: 1, at: { x: 2 } }, { id: 2 }];');
const pixels = folder.module('pixels.mjs', 'export const value = () => ({ pixels: new Uint8Array(1e6) });');
const shared = folder.module('shared.mjs', 'export const value = () => ({ n: new SharedArrayBuffer(8) });');
/** The receiver imports this module too: its factory shows where it runs. */
const where = folder.module(
  'where.mjs',
  `import { name } from './scope.mjs';
export const value = () => {
  if (name === 'ServiceWorkerGlobalScope') throw new Error('built in ' + name);
  return [1, 2];
};`,
);
folder.file('scope.mjs', 'export const { name } = globalThis.constructor;');
/** Ends each service worker of the page while the messages are posted. */
const ending = folder.module(
  'ending.mjs',
  `export const value = () => {
  navigator.serviceWorker.getRegistrations().then((all) => all.forEach((one) => one.unregister()));
  return { bytes: new Uint8Array(9) };
};`,
);

const over = (recipe: Recipe, variants: Variant[] = []) =>
  measureRequest(recipe, {
    ...{ channel, variants: [FLOOR, ORIGINAL, ...variants] },
    ...{ minRounds: ROUNDS, maxRounds: ROUNDS, warmupMs: 20 },
  });

const USUAL = usually<BrowserName>(['chromium', 'firefox'], ['webkit']);

testOnBrowsers(
  'round trips and sends are timed, and buffers are listed: the sender loses them',
  async (browser) => {
    const plan = bothModes('transfer', { paths: ['$.pixels'] });
    for (const request of [over(rows), over(pixels, plan)]) {
      const { sets, rounds } = await askPage(browser, request);
      assert.equal(rounds, ROUNDS);
      for (const { error, roundTrip, send, receive } of sets) {
        assert.equal(error, null);
        assert.ok(median(roundTrip) > 0);
        assert.deepEqual([send.length, receive.length], [ROUNDS, 0]);
      }
    }
  },
  USUAL,
);

const posted = async (browser: FoundRuntime) => {
  const lost = await askPage(browser, { type: 'losses', recipe: shared, channel });
  assert.deepEqual(
    [lost.refused, lost.losses?.map(({ kind, path }) => [kind, path])],
    [null, [['delivery', '$']]],
  );
  const { losses } = await askPage(browser, { type: 'losses', recipe: rows, channel });
  assert.deepEqual(losses, []);
};

testOnBrowsers('shared memory never arrives, plain data does', posted, USUAL);

const imports = async (browser: FoundRuntime) => {
  const { answers } = await askPage(browser, over(where));
  assert.deepEqual(answers?.why, "the factory 'value' threw: Error: built in ServiceWorkerGlobalScope");
};

testOnBrowsers('the worker evaluates the payload too, in its own scope', imports, USUAL);

const noProof = async (browser: FoundRuntime) => {
  const share = { remedy: 'share', plan: { path: '$', paths: ['$.pixels'] } };
  const { equality, reason } = await askPage(browser, { type: 'prove', recipe: pixels, channel, ...share });
  assert.deepEqual([equality, reason], ['failed', 'the message arrived but could not be deserialized']);
};

testOnBrowsers('a rewrite that shares memory is not proven', noProof, USUAL);

const ELSEWHERE = {
  code: 'channel-unsupported',
  message: /^channel 'service-worker' is not available there: only a page of https or of this machine/,
};

const isOneProcess = async (browser: FoundRuntime) => {
  const request = { type: 'memory', channel, variant: ORIGINAL, messages: 2, recipe: rows } as const;
  await assert.rejects(askPage(browser, request), {
    code: 'channel-unsupported',
    message: /memory cannot be attributed between processes/,
  });
  await assert.rejects(askPage(browser, over(rows), 'worker'), ELSEWHERE);
};

testOnBrowsers('memory is not attributed, and a worker of a page has no service worker', isOneProcess, USUAL);

testOnBrowsers(
  'a service worker that ends is told, and no message is waited for',
  async (browser) => {
    await assert.rejects(askPage(browser, over(ending)), {
      code: 'measure-failed',
      message: /the service worker ended/,
    });
  },
  USUAL,
);

test('Node has no service workers', async () => {
  const request = { type: 'describe', recipe: rows, channel, confirm: false } as const;
  await assert.rejects(folder.ask(runtime('node'), request), ELSEWHERE);
});
