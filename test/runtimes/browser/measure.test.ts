/** Times and memory in pages of the browsers of this machine, and modules of users there. */

import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { stop } from 'esbuild';
import { loadTries } from '../../../src/app/sources/tries.ts';
import type { Plan } from '../../../src/model/documents/trial.ts';
import type { BrowserName, Channel } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { planOf } from '../../../src/model/rules/remedy.ts';
import type { FoundRuntime, Guest } from '../../../src/model/run/runtime.ts';
import type { AnswerTo, GuestRequest, SampleSet, Variant } from '../../../src/model/wire/wire.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { median } from '../../../src/stats/intervals/intervals.ts';
import { bothModes, FLOOR, measureRequest, ORIGINAL } from '../../guest/measure/requests.ts';
import { TEST_BROWSERS } from '../../support/fetched.ts';
import { openRequest, PayloadFolder } from '../../support/payload-folder.ts';
import { missing, runtime, testOnBrowsers } from '../../support/runtimes.ts';
import { askPage, closePages } from '../../support/shared-page.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import { onlyInWhole, usually } from '../../support/whole.ts';

const folder = new PayloadFolder();
after(killAll);

const row = (id: number) => ({ id, name: `customer ${id}`, tags: ['a', 'b'], at: { x: id / 3, y: id } });
const rows = (length: number) => Array.from({ length }, (_, id) => row(id));
const small = folder.json('small', row(1));

type Ask = <R extends GuestRequest>(request: R) => Promise<AnswerTo<R['type']>>;

const allPositive = ({ roundTrip, send }: SampleSet): boolean => median(roundTrip) > 0 && median(send) > 0;

const buffers = folder.module(
  'buffers.mjs',
  `const bytes = (length) => new Uint8Array(length).fill(7);
export const value = () => ({ n: 1, pixels: bytes(300_000), tiles: [{ data: bytes(262_144).buffer }, { data: bytes(9).buffer }] });`,
);
const AS_BLOBS: Plan = { path: '$', paths: ['$.pixels', '$.tiles[*].data'] };

/** Bytes that are put as Blobs come back while the database is there, and are timed until then. */
async function assertBlobs(browser: FoundRuntime): Promise<void> {
  const channel = 'indexeddb';
  const blob = { remedy: 'blob', plan: AS_BLOBS };
  const proof = await askPage(browser, { type: 'prove', recipe: buffers, channel, ...blob });
  assert.deepEqual([proof.equality, proof.losses, proof.reason], ['equal', [], null]);
  const variants = [FLOOR, ORIGINAL, ...bothModes('blob', AS_BLOBS)];
  const request = measureRequest(buffers, { channel, variants, maxRounds: 3 });
  const { sets } = await askPage(browser, request);
  for (const set of sets) {
    assert.equal(set.error, null, set.variant);
    assert.ok(allPositive(set) && median(set.receive) > 0, set.variant);
  }
}

const OTHERS = ['message-port', 'broadcast', 'structured-clone', 'indexeddb'] as const;
const CHANNELS = ['worker', ...OTHERS] as const;

for (const sender of ['main', 'worker'] as const)
  testOnBrowsers(
    `no time is 0, whatever the step of the clock; sender: ${sender}`,
    async (browser) => {
      const { name } = browser;
      const isAll = sender === 'main' && name === 'chromium';
      for (const channel of isAll ? CHANNELS : usually<Channel>(['worker'], OTHERS)) {
        const request = measureRequest(small, { channel, maxRounds: 15, warmupMs: 20 });
        const { sets, rounds } = await askPage(browser, request, sender);
        assert.equal(rounds, 15, channel);
        for (const set of sets) {
          assert.equal(set.error, null);
          assert.ok(allPositive(set), `${channel} ${set.variant}`);
          assert.equal(set.receive.length > 0, channel !== 'structured-clone');
          if (channel !== 'structured-clone') assert.ok(median(set.receive) > 0, `${channel} ${set.variant}`);
          const isStored = channel === 'indexeddb';
          const { written = [], result = [] } = set;
          assert.equal(written.length > 0 && median(written) > 0, isStored);
          assert.equal(result.length > 0, isStored && name !== 'firefox');
        }
      }
      if (sender === 'main') await assertBlobs(browser);
    },
    sender === 'main'
      ? usually<BrowserName>(['chromium', 'firefox'], ['webkit'])
      : usually<BrowserName>(['chromium'], TEST_BROWSERS.slice(1)),
  );

const canvas =
  "const canvas = () => Object.assign(document.createElement('canvas'), { width: 8, height: 8 });";
const drawn = (name: string, factory: string) =>
  folder.module(`${name}.mjs`, `${canvas}\nexport const value = ${factory};`);
const pixels = drawn('pixels', "() => canvas().getContext('2d').getImageData(0, 0, 8, 8)");
const bitmap = drawn('bitmap', 'async () => ({ tile: await createImageBitmap(canvas()) })');
const control = { ...drawn('control', '() => canvas().transferControlToOffscreen()'), transfer: ['$'] };
const style = drawn('style', '() => getComputedStyle(document.body)');

testOnBrowsers(
  'what only a page can make is handed to the receiver, or goes one way; a profile is refused',
  async (browser) => {
    const ask: Ask = (request) => askPage(browser, request);
    for (const [recipe, answers] of [
      [pixels, 'handed'],
      [bitmap, 'handed'],
      [control, 'empty'],
    ] as const) {
      const { sets, answers: seen } = await ask(measureRequest(recipe));
      assert.equal(seen?.with, answers, recipe.id);
      assert.match(seen!.why, /^the factory 'value' threw: ReferenceError: .*document.*\bline 1, /);
      assert.deepEqual(
        sets.map(({ error }) => error),
        [null, null],
        recipe.id,
      );
      assert.ok(sets.every(allPositive), recipe.id);
    }
    const moving: [Recipe, string, Plan][] = [
      [pixels, 'image-buffer', { path: '$', paths: ['$'] }],
      [bitmap, 'transfer', { path: '$.tile', paths: ['$.tile'], classes: ['ImageBitmap'] }],
    ];
    for (const [recipe, remedy, plan] of moving) {
      const { equality, losses, reason } = await ask({ type: 'prove', recipe, remedy, plan });
      assert.deepEqual([equality, losses, reason], ['equal', [], null]);
      // Each message moves a value of its own.
      const variants = [FLOOR, ORIGINAL, ...bothModes(remedy, plan)];
      const { sets } = await ask(measureRequest(recipe, { variants }));
      assert.deepEqual(
        sets.map(({ error, roundTrip }) => [error, roundTrip.length > 1]),
        Array(4).fill([null, true]),
      );
    }
    const described = (recipe: Recipe) =>
      ask({ ...({ type: 'describe', recipe, channel: 'worker' } as const), confirm: true });
    assert.equal(typeof (await described(pixels)).readBackNs, 'number');
    assert.equal((await described(bitmap)).readBackNs, undefined);
    // Chromium lists keys of it that are not there.
    const { confirmation } = await described(style);
    assert.equal(confirmation?.path, 'rejected');
    assert.match(confirmation.evidence, /clone/);
    const unmade = { ms: 1, folder: '/', name: 'x' };
    await assert.rejects(ask({ type: 'profile', recipe: small, channel: 'worker', ...unmade }), {
      code: 'profiler-missing',
      message: 'pages have no profiler: record one with the DevTools of the browser',
    });
  },
  usually<BrowserName>(['chromium'], ['firefox', 'webkit']),
);

/** 30 kB: within a thousand of them the garbage is collected, and with it a worker that nothing holds. */
const medium = folder.json('medium', rows(400));

test('firefox: 1,000 round trips of 30 kB, posted by a worker', {
  skip: missing('firefox') || onlyInWhole,
}, async () => {
  const browser = runtime('firefox');
  const request = measureRequest(medium, { minRounds: 1000, maxRounds: 1000, oneWay: [] });
  const { rounds, sets } = await askPage(browser, request, 'worker');
  assert.equal(rounds, 1000);
  assert.deepEqual(
    sets.map(({ error, roundTrip }) => [error, roundTrip.length]),
    [
      [null, 1000],
      [null, 1000],
    ],
  );
});

const flat = folder.json(
  'flat',
  Array.from({ length: 200_000 }, (_, id) => id / 3),
);

for (const name of usually<BrowserName>(['chromium'], ['webkit', 'firefox'])) {
  const skip = process.platform === 'linux' ? missing(name) : 'only Linux shows the memory of a process';
  test(`${name}: memory of messages in flight grows with the payload`, { skip }, async () => {
    const browser = runtime(name);
    await closePages(browser);
    const request = { type: 'memory', variant: ORIGINAL, messages: 8 } as const;
    const perMessage = async (recipe: Recipe, channel: Channel = 'worker') =>
      (await folder.ask(browser, { ...request, recipe, channel })).perMessage;
    // 1.6 MB of numbers: on the wire and received.
    const [bytes, overWindow] = [await perMessage(flat), await perMessage(flat, 'window')];
    for (const each of [bytes, overWindow]) assert.ok(each > 1e6 && each < 32e6, `${each}`);
    assert.ok((await perMessage(small)) < bytes / 2);
  });
}

test('other runtimes refuse a choice of the sender', async () => {
  await assert.rejects(folder.ask(runtime('node'), measureRequest(small), { sender: 'worker' }), {
    code: 'sender-unsupported',
  });
});

// Where the clock is coarse, send and receive are timed by bursts of messages: one that fails midway leaves none to others.

/** In a round trip each end applies and restores in turn; only in a burst it does one of them several times in succession. */
function rewrite(name: string, apply: string, restore: string): Variant {
  const text = `let applied = 0, restored = 0;
    export const apply = (payload) => { restored = 0; applied++; ${apply}; return JSON.stringify(payload); };
    export const restore = (message) => { applied = 0; restored++; ${restore}; return JSON.parse(message); };`;
  const tried = { name, title: '', file: folder.file(`${name}.mjs`, text), calls: null };
  return { id: name, remedy: name, plan: planOf(tried), mode: 'with-conversion' };
}

const ROUNDS = 20;
const SENDS = "if (applied === 2) throw new Error('the second is not sent')";
const RECEIVES = "if (restored === 2) throw new Error('the second is not received')";
const FAILING = [
  rewrite('sends', SENDS, ''),
  rewrite('receives', '', RECEIVES),
  rewrite('neither', SENDS, RECEIVES),
];

testOnBrowsers(
  'a burst that fails midway leaves no message to the next variant',
  async (browser) => {
    for (const channel of usually<Channel>(['worker'], ['message-port', 'broadcast'])) {
      const variants = [FLOOR, ORIGINAL, ...FAILING, rewrite('good', '', '')];
      const request = measureRequest(small, { channel, variants, maxRounds: ROUNDS, warmupMs: 5 });
      const { sets, rounds } = await folder.ask(browser, request);
      assert.equal(rounds, ROUNDS);
      const errors = sets.map(({ error }) => error?.replace(/^Error: /, '').replace(/ \(.*/, '') ?? null);
      const [sends, receives, neither] = errors.slice(2);
      assert.deepEqual([errors[0], errors[1], errors[5]], [null, null, null], channel);
      assert.match(`${sends}`, /the second is not sent/, channel);
      assert.match(`${receives}`, /the second is not received/, channel);
      assert.match(`${neither}`, /the second is not (sent|received)/, channel);
      for (const { variant, roundTrip, receive } of [sets[0]!, sets[1]!, sets[5]!]) {
        assert.equal(roundTrip.length, ROUNDS, `${channel} ${variant}`);
        assert.ok(receive.length > 0, `${channel} ${variant}`);
      }
    }
  },
  usually<BrowserName>(['chromium'], ['webkit']),
);

// Modules of users.

describe('modules of the user in a page', { skip: missing('chromium') }, () => {
  let guest: Guest;
  before(async () => {
    guest = await folder.startGuest(runtime('chromium'));
  });
  after(async () => {
    await guest.close();
    await stop();
  });
  const describing = (recipe: Recipe) =>
    guest.ask({ type: 'describe', recipe, channel: 'worker', confirm: false });

  test('the position of an error is that of the file, also in a module that it imports', async () => {
    folder.file(
      'deep.ts',
      'interface A { a: 1 }\nexport const deep = () => {\n  throw new RangeError("deep");\n};\n',
    );
    const outer = folder.module(
      'outer.ts',
      "import { deep } from './deep';\nexport const value = () => deep();",
    );
    const { path } = folder;
    await assert.rejects(describing(outer), ({ message }: Error) => {
      assert.match(message, /the factory 'value' threw: RangeError: deep \(deep\.ts, line 3, column 9\)$/);
      return !message.includes(path.concat('/deep.ts'));
    });
    const loading = folder.module('loading.mjs', '\n  null.x;\nexport const value = 1;');
    await assert.rejects(
      guest.ask(openRequest(loading)),
      /threw while loading: TypeError: .*\(line 2, column 8\)$/,
    );
  });

  test('rewrites of --try are bundled too: proven in the page, or refused in one line', async () => {
    folder.file(
      'mine.ts',
      'export const apply = (v: unknown): string => JSON.stringify(v);\nexport const restore = JSON.parse;',
    );
    symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    const options = { cwd: folder.path, workdir: join(folder.path, 'work') };
    const tries = await loadTries(
      ['mine.ts', 'msgpackr', 'cbor-x', 'devalue', 'superjson', 'seroval', 'v8'],
      options,
    );
    const recipe = folder.value('() => [{ a: 1, b: "x" }, { a: 2, b: "y" }]');
    const proofs: unknown[] = [];
    for (const tried of tries) {
      const asked = { type: 'prove', recipe, remedy: tried.name, plan: planOf(tried) } as const;
      const { equality, reason } = await guest.ask(asked);
      proofs.push([tried.name, equality, reason]);
    }
    const equal = ['mine.ts', 'msgpackr', 'cbor-x', 'devalue', 'superjson', 'seroval'];
    assert.deepEqual(proofs, [
      ...equal.map((name) => [name, 'equal', null]),
      ['v8', 'refused', "v8: this runtime cannot load it: it imports 'node:v8', which no browser has"],
    ]);
  });
});
