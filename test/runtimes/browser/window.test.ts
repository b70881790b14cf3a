/** A page with its frame, over `window.postMessage`, and with its service worker, in the browsers of this machine. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lossErrors, toldLosses } from '../../../src/engines/classify/observed.ts';
import { ENGINES } from '../../../src/engines/index.ts';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import { type BrowserName, type Channel, IPC_CHANNELS } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { planOf } from '../../../src/model/rules/remedy.ts';
import type { FoundRuntime, Guest } from '../../../src/model/run/runtime.ts';
import type { Variant } from '../../../src/model/wire/wire.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { median } from '../../../src/stats/intervals/intervals.ts';
import { bothModes, FLOOR, measureRequest, ORIGINAL, ROUNDS } from '../../guest/measure/requests.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { testOnBrowsers } from '../../support/runtimes.ts';
import { askPage } from '../../support/shared-page.ts';
import { usually } from '../../support/whole.ts';

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

testOnBrowsers('round trips and sends are timed, and buffers are transferred', assertTimed('window'), USUAL);

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

// What is told of values of the platform, against what arrives. Here, because the browsers run already.

const CHANNELS = usually<Channel>(
  ['worker', 'indexeddb', 'service-worker'],
  ['message-port', 'structured-clone', 'broadcast', 'window'],
);

const VALUES = fileURLToPath(new URL('./platform-values.js', import.meta.url));
const TERMS = { deadlineMs: 60_000 };

/** A module for a page that does something with values of these names. */
function platformRecipe(file: string, call: 'made' | 'accepted', names?: readonly string[]) {
  const list = names === undefined ? '' : JSON.stringify(names);
  const text = `import { ${call} } from ${JSON.stringify(VALUES)};\nexport const value = () => ${call}(${list});\n`;
  return folder.module(`${file}.mjs`, text);
}

/** The name of the value that a path leads to, below its part. */
const nameIn = (path: string): string => /^\$\.part\d+\.([^.[{]+)/.exec(path)?.[1] ?? path;
const isValue = ({ depth }: Facts): boolean => depth === 2;

/** A port takes them, and nobody can read them. Chromium moves a data channel that is posted at once, listed or not. */
const TAKEN = /^RTCCertificate|^RTCDataChannel|^exceptionHalf$/;

const words = ({ untold, false: wrong }: ReturnType<typeof lossErrors>): string[] => [
  ...untold.map(({ path, what }) => `not told: ${path} ${what}`),
  ...wrong.map(({ rule, example }) => `told, and not so: ${rule} at ${example}`),
];

/** What arrives over a channel of those that are told to arrive, in one message; each other is posted alone. */
async function errorsOver(guest: Guest, browser: FoundRuntime, shape: Shape, channel: Channel) {
  const told = toldLosses(shape, ENGINES[browser.engine], { runtime: browser, channel });
  const isRefused = new Set(
    told.filter(({ kinds }) => kinds.includes('delivery')).map(({ example }) => nameIn(example)),
  );
  const names = [...new Set(shape.patterns.filter(isValue).map(({ example }) => nameIn(example)))];
  const arriving = names.filter((name) => !isRefused.has(name));
  const recipe = platformRecipe(`arriving-${channel}`, 'made', arriving);
  const { refused, losses } = await guest.ask({ type: 'losses', recipe, channel }, TERMS);
  if (losses === null) return { refused: [...isRefused], errors: [`all are refused: ${refused}`] };
  const of = told.filter(({ example }) => !isRefused.has(nameIn(example)));
  return { refused: [...isRefused], errors: words(lossErrors(of, losses)) };
}

async function toldOfPlatform(browser: FoundRuntime): Promise<void> {
  const guest = await folder.startGuest(browser);
  const everything = platformRecipe('all', 'made');
  const { shape } = await guest.ask(
    { type: 'describe', recipe: everything, channel: 'structured-clone', confirm: false },
    TERMS,
  );
  const errors: Record<string, string[]> = {};
  let all: string[] = [];
  for (const channel of CHANNELS) {
    const over = await errorsOver(guest, browser, shape, channel);
    errors[channel] = over.errors;
    if (channel === 'message-port') all = over.refused;
  }
  const recipe = platformRecipe('refused', 'accepted', all);
  const { json } = await guest.ask({ type: 'sample', recipe, mostBytes: 1e6 }, TERMS);
  const taken = (JSON.parse(json ?? '[]') as string[]).filter((name) => !TAKEN.test(name));
  errors.refused = taken.map((name) => `told as refused, and taken: ${name}`);
  await guest.close();
  const made = shape.patterns.filter(isValue).reduce((sum, { count }) => sum + count, 0);
  assert.ok(made >= 120, `${made} values`);
  const wrong = Object.entries(errors).filter(([, found]) => found.length > 0);
  assert.deepEqual(wrong, []);
}

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

const WITH_WORKER: [
  what: string,
  body: (browser: FoundRuntime) => Promise<void>,
  browsers?: readonly BrowserName[],
][] = [
  [
    'round trips and sends are timed, and buffers are listed: the sender loses them',
    assertTimed('service-worker'),
    usually<BrowserName>(['chromium', 'firefox'], ['webkit']),
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

for (const [what, body, browsers = USUAL] of WITH_WORKER) testOnBrowsers(what, body, browsers);
