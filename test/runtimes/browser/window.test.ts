/** A page with its frame, over `window.postMessage`, and with its service worker, in the browsers of this machine. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { lossErrors, toldLosses } from '../../../src/engines/classify/losses.ts';
import { ENGINES } from '../../../src/engines/index.ts';
import { type BrowserName, type Channel, IPC_CHANNELS } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { planOf } from '../../../src/model/rules/remedy.ts';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import type { Variant } from '../../../src/model/wire/wire.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { median } from '../../../src/stats/intervals/intervals.ts';
import { bothModes, FLOOR, measureRequest, ORIGINAL, ROUNDS } from '../../guest/measure/requests.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { testOnBrowsers } from '../../support/runtimes.ts';
import { askPage } from '../../support/shared-page.ts';
import { usually } from '../../support/whole.ts';
import { platformAnswer } from './platform-values.ts';

const folder = new PayloadFolder();
after(killAll);

const rows = folder.value('[{ id: 1, at: { x: 2 } }, { id: 2 }]');
const pixels = folder.value('() => ({ pixels: new Uint8Array(1e6) })');

const over = (channel: Channel, recipe: Recipe, variants: Variant[] = []) =>
  measureRequest(recipe, { channel, variants: [FLOOR, ORIGINAL, ...variants], warmupMs: 20 });

/** What the browsers have in common: their own measuring is `round trips and sends` here and `measure`. */
const USUAL = usually<BrowserName>(['chromium'], ['firefox', 'webkit']);

/** Nobody can wait for a receiver. A buffer is transferred, so that each message has a new value. */
const assertTimed = (channel: Channel) => async (browser: FoundRuntime) => {
  const transfer = bothModes('transfer', { paths: ['$.pixels'] });
  for (const request of [over(channel, rows), over(channel, pixels, transfer)]) {
    const { sets, rounds } = await askPage(browser, request);
    assert.equal(rounds, ROUNDS);
    for (const { error, roundTrip, send, receive } of sets) {
      assert.equal(error, null);
      assert.ok(median(roundTrip) > 0);
      assert.deepEqual([send.length, receive.length], [ROUNDS, 0]);
    }
  }
};

testOnBrowsers('round trips and sends are timed, and buffers are transferred', assertTimed('window'));

/** A rewrite that says what arrives. */
const seesSharedMemory = folder.file(
  'shared.mjs',
  `export const apply = () => new SharedArrayBuffer(8);
  export function restore(message) {
    if (!(message instanceof SharedArrayBuffer)) throw new Error('arrived as ' + message.constructor.name);
    return message;
  }`,
);

testOnBrowsers('memory is shared with a frame, but in WebKit', async (browser) => {
  const tried = { name: 'shared', title: '', file: seesSharedMemory, calls: null };
  const { sets } = await askPage(browser, over('window', rows, bothModes('shared', planOf(tried))));
  const errors = sets.flatMap(({ error }) => error ?? []);
  assert.deepEqual(errors, browser.name === 'webkit' ? ['Error: arrived as ArrayBuffer'] : []);
});

testOnBrowsers('a stack that the program has set is told to be lost where it is', async (browser) => {
  const recipe = folder.module(
    'stack.mjs',
    `const set = (error, stack = 'of the program') => Object.assign(error, { stack });
     export const value = () => [
       set(new RangeError('x')), set(new DOMException('x')), set(new DOMException('x'), { a: 1 }), new Error('x'),
     ];`,
  );
  const channel = 'window';
  const { shape } = await askPage(browser, { type: 'describe', recipe, channel, confirm: false });
  const { losses } = await askPage(browser, { type: 'losses', recipe, channel });
  const told = toldLosses(shape, ENGINES[browser.engine], { runtime: browser, channel });
  // No clone of Chromium has the stack of a DOMException, which the shape does not show.
  const ofException = browser.name === 'chromium' ? ['$[1].stack', '$[2].stack'] : [];
  assert.deepEqual(lossErrors(told, losses!).false, []);
  assert.deepEqual(
    lossErrors(told, losses!).untold.map(({ path }) => path),
    ofException,
  );
});

testOnBrowsers('a refusal that no rule explains names the value', async (browser) => {
  const recipe = folder.module(
    'odd.mjs',
    `export const value = () => ({ id: 1, bytes: new Uint8Array(8), inside: [2, new ReadableStream()] });
     export const transfer = ({ bytes }) => [bytes.buffer];`,
  );
  const request = { type: 'describe', recipe, channel: 'structured-clone', confirm: true } as const;
  const { confirmation } = await askPage(browser, request);
  assert.deepEqual([confirmation?.path, confirmation?.refused], ['rejected', '$.inside[1]']);
});

/** Here, because the browsers run already. */
const CHANNELS = usually<Channel>(
  ['worker', 'indexeddb', 'service-worker'],
  ['message-port', 'structured-clone', 'broadcast', 'window'],
);

const toldOfPlatform = async (browser: FoundRuntime) => {
  const guest = await folder.startGuest(browser);
  const { made, errors } = await platformAnswer(guest, browser, CHANNELS, folder);
  await guest.close();
  assert.ok(made >= 120, `${made} values`);
  assert.deepEqual(
    Object.entries(errors).filter(([, found]) => found.length > 0),
    [],
  );
};

testOnBrowsers(
  'objects of the platform, in all channels: what is told is what arrives',
  toldOfPlatform,
  USUAL,
);

const dataChannel = folder.value("() => new RTCPeerConnection().createDataChannel('label')");

testOnBrowsers(
  'a data channel moves only in the task that makes it: its first post is in that task',
  async (browser) => {
    const recipe = { ...dataChannel, transfer: ['$'] };
    const { refused } = await folder.ask(browser, { type: 'losses', recipe, channel: 'worker' });
    assert.equal(refused, null);
  },
  usually<BrowserName>(['chromium'], ['firefox']),
);

const describedOver = (channel: Channel) =>
  ({ type: 'describe', recipe: rows, channel, confirm: false }) as const;

testOnBrowsers(
  'pages have no processes, a worker has no windows',
  async (browser) => {
    const unsupported = { code: 'channel-unsupported' };
    for (const channel of [...IPC_CHANNELS, 'node-worker'] as const)
      await assert.rejects(askPage(browser, describedOver(channel)), unsupported);
    await assert.rejects(askPage(browser, over('window', rows), 'worker'), unsupported);
  },
  USUAL,
);

// A page and its service worker.

const shared = folder.value('() => ({ n: new SharedArrayBuffer(8) })');
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
const ending = folder.value(`() => {
  navigator.serviceWorker.getRegistrations().then((all) => all.forEach((one) => one.unregister()));
  return { bytes: new Uint8Array(9) };
}`);

const toItsWorker = { channel: 'service-worker' } as const;
const ELSEWHERE = {
  code: 'channel-unsupported',
  message: /^channel 'service-worker' is not available there: only a page of https or of this machine/,
};

const WITH_WORKER: [what: string, body: (browser: FoundRuntime) => Promise<void>][] = [
  [
    'round trips and sends are timed, and buffers are listed: the sender loses them',
    assertTimed('service-worker'),
  ],
  [
    'shared memory never arrives, plain data does; a rewrite that shares memory is not proven',
    async (browser) => {
      const lost = await askPage(browser, { type: 'losses', recipe: shared, ...toItsWorker });
      assert.deepEqual(
        [lost.refused, lost.losses?.map(({ kind, path }) => [kind, path])],
        [null, [['delivery', '$']]],
      );
      const { losses } = await askPage(browser, { type: 'losses', recipe: rows, ...toItsWorker });
      assert.deepEqual(losses, []);
      const share = { remedy: 'share', plan: { path: '$', paths: ['$.pixels'] }, ...toItsWorker };
      const { equality, reason } = await askPage(browser, { type: 'prove', recipe: pixels, ...share });
      assert.deepEqual([equality, reason], ['failed', 'the message arrived but could not be deserialized']);
    },
  ],
  [
    'the worker evaluates the payload too, in its own scope',
    async (browser) => {
      const { answers } = await askPage(browser, over('service-worker', where));
      assert.deepEqual(answers?.why, "the factory 'value' threw: Error: built in ServiceWorkerGlobalScope");
    },
  ],
  [
    'memory is not attributed, and a worker of a page has no service worker',
    async (browser) => {
      const request = { type: 'memory', variant: ORIGINAL, messages: 2, recipe: rows } as const;
      await assert.rejects(askPage(browser, { ...request, ...toItsWorker }), {
        code: 'channel-unsupported',
        message: /memory cannot be attributed between processes/,
      });
      await assert.rejects(askPage(browser, over('service-worker', rows), 'worker'), ELSEWHERE);
    },
  ],
  [
    'a service worker that ends is told, and no message is waited for',
    (browser) =>
      assert.rejects(askPage(browser, over('service-worker', ending)), {
        code: 'measure-failed',
        message: /the service worker ended/,
      }),
  ],
];

for (const [what, body] of WITH_WORKER)
  testOnBrowsers(what, body, usually<BrowserName>(['chromium', 'firefox'], ['webkit']));
