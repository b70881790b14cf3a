import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CHANNELS, type Channel, IPC_CHANNELS, mayHave, otherIpc } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { planOf } from '../../../src/model/rules/remedy.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import type { Measured, Variant } from '../../../src/model/wire/wire.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { MAIN_RUNTIMES, missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { isWhole, onlyInWhole, usually } from '../../support/whole.ts';
import { bothModes, FLOOR, measureRequest, ORIGINAL, samplesOf, specimen } from './requests.ts';

const noneRunning = trackChildProcesses();
const folder = new PayloadFolder();

/** Declares `inWorker` in a payload module. */
const IN_WORKER = `
  import { isMainThread } from 'node:worker_threads';
  const { Bun, Deno, WorkerGlobalScope } = globalThis;
  const inWorker = Bun ? !Bun.isMainThread : Deno ? WorkerGlobalScope !== undefined : !isMainThread;`;

const LIBRARIES = ['comlink', 'poolifier', 'jest-worker'] as const;

/** Channels over which send and receive are timed apart. */
const ONE_WAY: readonly Channel[] = ['worker', 'node-worker', 'message-port', 'broadcast', 'storage'];

function assertMeasured(measured: Measured, variants = [FLOOR, ORIGINAL], rounds = 12): void {
  const ids = variants.map(({ id }) => id);
  assert.deepEqual(measured.sets.map(({ variant }) => variant).join(), ids.join());
  assert.equal(measured.rounds, rounds);
  for (const { variant, error, roundTrip, send, receive } of measured.sets) {
    assert.equal(error, null, variant);
    assert.equal(roundTrip.length, rounds, variant);
    for (const ns of [...roundTrip, ...send, ...receive]) assert.ok(Number.isInteger(ns) && ns >= 0, variant);
  }
}

/** A one-way message for about every second round trip; where it cannot be timed apart, each trip's own send. */
function assertSides({ sets }: Measured, oneWay: boolean): void {
  const counts = sets.map(({ receive }) => receive.length);
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, `unequal counts: ${counts}`);
  assert.equal(Math.min(...counts) > 0, oneWay, `counts: ${counts}`);
  for (const { send, receive, roundTrip } of sets) {
    assert.equal(send.length, oneWay ? receive.length : roundTrip.length);
  }
}

/** Length of the string that the guest makes of this recipe. */
async function lengthIn(guest: Guest, recipe: Recipe): Promise<number> {
  const ask = { type: 'describe', recipe, channel: 'worker', confirm: false } as const;
  const { shape } = await guest.ask(ask);
  return shape.patterns[0]?.size?.max ?? Number.NaN;
}

/** A failure is of the end that posts: threads have one, processes another. */
const FAILING = usually<Channel>(
  ['worker', 'ipc-advanced'],
  CHANNELS.filter((one) => one !== 'worker' && one !== 'ipc-advanced'),
);

const FALSY = usually(['undefined'], ['0', 'null', 'false', "''", 'NaN']);

/** A runtime, and the guest on it that its tests share. */
interface Suite {
  spec: RuntimeSpec;
  guest: Guest;
  /** A test of the loop, which is the same code on each. */
  common(name: string, body: () => Promise<void>): void;
}

function testTurns(suite: Suite, channel: Channel): void {
  test(`variants take turns over ${channel}`, async () => {
    const other = { ...ORIGINAL, id: 'other', mode: 'other-channel', channel: otherIpc(channel) } as const;
    const variants = [
      FLOOR,
      ORIGINAL,
      ...bothModes('json-text'),
      bothModes('patch')[1]!,
      ...(IPC_CHANNELS.includes(channel) ? [other] : []),
    ];
    // Of a patch each side sends one state after the other, and misses none.
    const recipe = { ...specimen('rows'), sequence: { equal: 0.9, paths: ['$[*].id'] } };
    const measured = await suite.guest.ask(measureRequest(recipe, { channel, variants }));
    assertMeasured(measured, variants);
    assertSides(measured, ONE_WAY.includes(channel));
    const cold = measured.sets.filter((set) => set.cold !== null);
    assert.equal(cold.map(({ variant }) => variant).join(), 'original');
    assert.equal(measured.gc !== null, suite.spec === 'node');
  });
}

function testFailure(suite: Suite, channel: Channel): void {
  test(`a variant that fails over ${channel} is dropped with its reason, and the others go on`, async () => {
    const recipe = folder.value('() => ({ call() {}, rows: [1, 2, 3] })');
    const variants = [FLOOR, ORIGINAL, ...bothModes('toString'), ...bothModes('partial-text')];
    const measured = await suite.guest.ask(measureRequest(recipe, { channel, variants }));
    assert.match(samplesOf(measured, 'original').error ?? '', /cloned/);
    assert.match(samplesOf(measured, 'toString/in-place').error ?? '', /unknown remedy/);
    assert.equal(measured.rounds, 12);
    for (const id of ['floor', 'partial-text/in-place', 'partial-text/with-conversion']) {
      const set = samplesOf(measured, id);
      assert.equal(set.error, null, id);
      assert.ok(set.roundTrip.length >= 12, id);
    }
  });
}

function testEnvelopes(suite: Suite): void {
  // An envelope is made of plain values: it is the same everywhere.
  const vias = usually(LIBRARIES.slice(0, 1), LIBRARIES.slice(1));
  for (const via of vias)
    suite.common(
      `the payload alone is rewritten in the envelope of ${via}, in requests and replies`,
      async () => {
        // JSON.parse throws on anything but the text itself: a side that unwraps the wrong message fails.
        const variants = [FLOOR, ORIGINAL, ...bothModes('json-text')];
        const recipe = { ...specimen('rows'), via };
        for (const channel of ['worker', 'structured-clone'] as const) {
          const measured = await suite.guest.ask(measureRequest(recipe, { channel, variants, maxRounds: 6 }));
          assertMeasured(measured, variants, 6);
        }
        for (const variant of variants.slice(1)) {
          const asked = { type: 'memory', recipe, channel: 'worker', variant, messages: 3 } as const;
          assert.equal((await suite.guest.ask(asked)).messages, 3, variant.id);
        }
      },
    );
}

function testConversion(suite: Suite): void {
  suite.common('each message is converted with conversion, and none in place', async () => {
    const value = folder.module(
      'counted.mjs',
      `class Counted { a = 1; toJSON() { globalThis.conversions = (globalThis.conversions ?? 0) + 1; return { a: 1 }; } }
         export const value = () => new Counted();`,
    );
    const count = folder.value(`() => 'x'.repeat(globalThis.conversions)`);
    const [inPlace, withConversion] = bothModes('partial-text');
    await suite.guest.ask(measureRequest(value, { variants: [inPlace!] }));
    const before = await lengthIn(suite.guest, count);
    assert.ok(before < 12, `${before} conversions in place`);
    await suite.guest.ask(measureRequest(value, { variants: [withConversion!] }));
    const converted = (await lengthIn(suite.guest, count)) - before;
    assert.ok(converted >= 12, `${converted} conversions`);
  });

  suite.common('a far slower variant gets two messages, and the others go on', async () => {
    const recipe = folder.module(
      'slow-to-convert.mjs',
      `class Slow { a = 1; toJSON() { const end = Date.now() + 50; while (Date.now() < end); return { a: 1 }; } }
         export const value = () => new Slow();`,
    );
    const variants = [FLOOR, ORIGINAL, ...bothModes('partial-text')];
    const { sets, rounds } = await suite.guest.ask(measureRequest(recipe, { variants, dropBeyond: 4 }));
    const [floor, original, inPlace, converted] = sets.map(({ roundTrip }) => roundTrip.length);
    assert.deepEqual([floor, original, converted], [12, 12, 1]);
    // On a busy machine its few messages of the first block may be as slow.
    assert.ok(inPlace! >= 1, String(inPlace));
    assert.ok(sets.every(({ error }) => error === null));
    assert.equal(rounds, 12);
  });
}

function testOneWay(suite: Suite): void {
  suite.common(
    'one-way times are taken only for requested variants; the original has several turns in a round',
    async () => {
      const [inPlace, converted] = bothModes('json-text');
      const variants = [FLOOR, ORIGINAL, inPlace!, converted!, { ...inPlace!, id: 'again' }];
      const options = { variants, oneWay: ['original'], originalTurns: 2 };
      const { sets } = await suite.guest.ask(measureRequest(specimen('rows'), options));
      const counts = sets.map(({ roundTrip, send }) => `${roundTrip.length} ${send.length > 0}`);
      assert.deepEqual(counts, ['12 false', '24 true', '12 false', '12 false', '12 false']);
      const none = await suite.guest.ask(measureRequest(specimen('rows'), { variants, oneWay: [] }));
      assert.ok(none.sets.every(({ send, receive }) => send.length + receive.length === 0));
    },
  );

  suite.common('transferred values are built anew for each message', async () => {
    const modules = {
      factory: 'export const value = () => ({ bytes: new Uint8Array(300000).fill(7), n: [1, 2, 3] });',
      constant: 'export const value = { bytes: new Uint8Array(300000).fill(7), n: [1, 2, 3] };',
    };
    for (const [name, text] of Object.entries(modules)) {
      const variants = [FLOOR, ORIGINAL, ...bothModes('transfer', { paths: ['$.bytes'] })];
      const recipe = folder.module(`${name}-bytes.mjs`, text);
      for (const via of [null, 'poolifier'] as const)
        assertMeasured(await suite.guest.ask(measureRequest({ ...recipe, via }, { variants })), variants);
    }
  });
}

function testFalsy(suite: Suite, channels: readonly Channel[]): void {
  test('empty and falsy values are measured too', async () => {
    for (const channel of channels.filter((one) => !IPC_CHANNELS.includes(one))) {
      for (const value of FALSY) {
        const recipe = folder.value(`() => ${value}`);
        const measured = await suite.guest.ask(measureRequest(recipe, { channel, maxRounds: 5 }));
        assertMeasured(measured, undefined, 5);
        assertSides(measured, ONE_WAY.includes(channel));
      }
    }
  });
}

function testFailures(suite: Suite): void {
  suite.common('a failure of the receiver alone is reported with its reason', async () => {
    const recipe = folder.module(
      'call-there.mjs',
      `${IN_WORKER} export const value = () => (inWorker ? { call() {} } : { n: 1 });`,
    );
    const measured = await suite.guest.ask(measureRequest(recipe));
    assert.match(samplesOf(measured, 'original').error ?? '', /DataCloneError/);
    assert.equal(samplesOf(measured, 'floor').error, null);
    assert.ok(samplesOf(measured, 'floor').roundTrip.length >= 12);
  });

  suite.common('a payload that cannot be built in the worker is a failure with its reason', async () => {
    const recipe = folder.module(
      'throws-there.mjs',
      `${IN_WORKER} export const value = () => { if (inWorker) throw new RangeError('not in here'); return [1]; };`,
    );
    const asked = suite.guest.ask(measureRequest(recipe));
    await assert.rejects(asked, { code: 'measure-failed', message: /not in here/ });
  });
}

function variantsOf(name: string, text: string, ending = 'mjs'): Variant[] {
  const tried = { name, title: '', file: folder.file(`tried-${name}.${ending}`, text), calls: null };
  return bothModes(name, planOf(tried));
}

const RESTORE = 'export const restore = (message) => JSON.parse(message);';
const GOOD = `${RESTORE} export const apply = (payload) => {
  if (payload.rows.length !== 2) throw new Error('another rewrite changed it');
  return JSON.stringify(payload);
};`;

/** Rewrites of the user's while they are timed: in the guest and in its peer, beside others. */
const TRIED = [
  ...variantsOf(
    'late',
    `${RESTORE} export const apply = (payload) => {
      setTimeout(() => { throw new Error('nobody catches it'); });
      return JSON.stringify(payload);
    };`,
  ),
  ...variantsOf('waits', `await new Promise((resolve) => setTimeout(resolve, 50)); ${GOOD}`),
  ...variantsOf(
    'changes',
    `${RESTORE} export const apply = (payload) => (payload.rows.pop(), JSON.stringify(payload));`,
  ),
  ...variantsOf('good', GOOD),
  ...variantsOf(
    'bytes',
    `export const apply = (payload) => new TextEncoder().encode(JSON.stringify(payload));
    export const restore = (message) => JSON.parse(new TextDecoder().decode(message));
    export const transfer = (message) => [message.buffer];`,
  ),
  ...variantsOf('loading', 'throw new Error("not today");'),
  ...variantsOf(
    'third',
    `let calls = 0; ${RESTORE}
    export const apply = (payload) => { if (++calls === 3) throw new Error('the third'); return JSON.stringify(payload); };`,
  ),
  ...variantsOf(
    'peer',
    `let messages = 0;
    export const apply = (payload) => JSON.stringify(payload);
    export const restore = (message) => { if (++messages === 2) throw new Error('the second'); return JSON.parse(message); };`,
  ),
];

const FAILED: Record<string, RegExp> = {
  'loading/in-place': /^loading: threw while loading: Error: not today/,
  'loading/with-conversion': /^loading: threw while loading: Error: not today/,
  'third/with-conversion': /the third/,
  'peer/with-conversion': /the second/,
};

function testTried(suite: Suite): void {
  test('each rewrite of the user gets a separate value, and its error does not affect the others', async () => {
    const recipe = folder.json('rows', { rows: [{ a: 1 }, { a: 2 }] });
    const variants = [FLOOR, ORIGINAL, ...TRIED];
    const { sets } = await suite.guest.ask(measureRequest(recipe, { variants }));
    for (const { variant, error, roundTrip } of sets) {
      const expected = FAILED[variant];
      if (expected) assert.match(error ?? '', expected, variant);
      else assert.deepEqual([error, roundTrip.length > 0], [null, true], variant);
    }
    assert.equal(sets.length, variants.length);
    // Memory is measured with the restore of the module, ESM or CommonJS.
    const memoryOf = (text: string, ending?: string) => {
      const variant = variantsOf('memory', text, ending)[1]!;
      return suite.guest.ask({ type: 'memory', recipe, channel: 'worker', messages: 5, variant });
    };
    const throwing = GOOD.replace('JSON.parse(message)', "{ throw new Error('not restored'); }");
    await assert.rejects(memoryOf(throwing), /not restored/);
    const common = `exports.apply = JSON.stringify; exports.restore = () => { throw new Error('not in CommonJS'); };`;
    await assert.rejects(memoryOf(common, 'cjs'), /not in CommonJS/);
  });
}

for (const spec of MAIN_RUNTIMES) {
  describe(spec, { skip: missing(spec) }, () => {
    const { name } = missing(spec) ? { name: 'node' as const } : runtime(spec);
    const skip = name === 'node' ? false : onlyInWhole;
    const suite = { spec, common: (what, body) => void test(what, { skip }, body) } as Suite;
    before(async () => {
      suite.guest = await folder.startGuest(runtime(spec));
    });
    after(async () => {
      await suite.guest.close();
      await noneRunning();
    });

    const unsupported = CHANNELS.filter(
      (channel) => !mayHave(name, channel) || (channel === 'node-worker' && name !== 'deno'),
    );
    const channels = CHANNELS.filter((channel) => !unsupported.includes(channel));

    // A row of a platform's channels that is wrong shows with the falsy values too.
    const apart = channels.filter((channel) => channel === 'worker' || IPC_CHANNELS.includes(channel));
    for (const channel of name === 'node' || isWhole ? channels : apart) {
      testTurns(suite, channel);
      // JSON drops functions in silence, and on Deno a refusal ends the connection.
      const isSilent = channel === 'ipc-json' || (channel === 'ipc-advanced' && spec.startsWith('deno'));
      if (!isSilent && FAILING.includes(channel)) testFailure(suite, channel);
    }
    for (const channel of unsupported)
      test(`${channel} is an unsupported channel`, async () => {
        const asked = suite.guest.ask(measureRequest(specimen('rows'), { channel }));
        await assert.rejects(asked, { code: 'channel-unsupported' });
      });

    testEnvelopes(suite);
    testConversion(suite);
    testOneWay(suite);
    testFalsy(suite, channels);
    testFailures(suite);
    testTried(suite);
  });
}

folder.testInGuests('the seed decides which variant sends the first message', ['node'], async (guest) => {
  const variants = [FLOOR, ORIGINAL, ...bothModes('json-text')];
  for (const [seed, first] of [
    [2, 'original'],
    [5, 'json-text/with-conversion'],
  ] as const) {
    const { sets } = await guest.ask(measureRequest(specimen('rows'), { variants, seed, maxRounds: 5 }));
    assert.equal(sets.find(({ cold }) => cold !== null)?.variant, first, `seed ${seed}`);
  }
});

test('a deadline that passes before the first message says what was waited for', async () => {
  const recipe = folder.module(
    'waits-there.mjs',
    `${IN_WORKER} if (inWorker) await new Promise(() => setInterval(() => {}, 1e6)); export const value = [1];`,
  );
  const guest = await folder.startGuest(runtime('node'));
  await assert.rejects(guest.ask(measureRequest(recipe), { deadlineMs: 4000 }), {
    code: 'guest-timeout',
    message: /while starting the receiver and building the payload on both sides/,
  });
  await noneRunning();
});

const DYING = usually<RuntimeSpec>(['node', 'bun@1.4.5'], ['bun@1.2.20']);
folder.testInGuests(
  'a worker that dies is a failure, and the guest can measure again',
  DYING,
  async (guest) => {
    const recipe = folder.module(
      'dies.mjs',
      `${IN_WORKER} export const value = () => { if (inWorker) process.exit(3); return [1]; };`,
    );
    await assert.rejects(guest.ask(measureRequest(recipe)), { code: 'measure-failed', message: /ended/ });
    assertMeasured(await guest.ask(measureRequest(specimen('rows'))));
    await guest.close();
    await noneRunning();
  },
);
