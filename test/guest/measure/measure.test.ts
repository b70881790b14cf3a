import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import { CHANNELS, type Channel } from '../../../src/model/names.ts';
import type { Guest } from '../../../src/model/runtime.ts';
import type { Measured } from '../../../src/model/wire.ts';
import { killAll } from '../../../src/runtimes/process/process-group.ts';
import { markChildren } from '../../runtimes/left-behind.ts';
import { Workshop } from '../../runtimes/workshop.ts';
import { runtime } from '../../support/runtimes.ts';
import { both, FLOOR, measureOf, ORIGINAL, setOf, specimen, typical } from './requests.ts';

const { left } = markChildren();
const work = new Workshop();
after(() => work.remove());
afterEach(killAll);

/** Declares `inWorker` in a payload module. */
const IN_WORKER = `
  import { isMainThread } from 'node:worker_threads';
  const { Bun, Deno, WorkerGlobalScope } = globalThis;
  const inWorker = Bun ? !Bun.isMainThread : Deno ? WorkerGlobalScope !== undefined : !isMainThread;`;

const QUIET: ReadonlySet<Channel> = new Set<Channel>(['worker', 'message-port', 'broadcast']);

function assertCounts({ sets }: Measured): void {
  const counts = sets.map(({ roundTrip }) => roundTrip.length);
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, `equal counts: ${counts}`);
}

function assertTimed(measured: Measured, ids: readonly string[]): void {
  assert.deepEqual(
    measured.sets.map(({ variant }) => variant),
    ids,
  );
  assertCounts(measured);
  assert.ok(measured.rounds >= 5, `${measured.rounds} rounds`);
  for (const { variant, error, roundTrip, send, receive } of measured.sets) {
    assert.equal(error, null, variant);
    for (const time of [...roundTrip, ...send]) assert.ok(Number.isInteger(time) && time > 0, variant);
    for (const time of receive) assert.ok(Number.isInteger(time) && time >= 0, variant);
  }
}

/** Each side alone: a message for about every second trip; where that cannot be, the trip's own send. */
function assertSides({ sets }: Measured, quiet: boolean): void {
  const takes = sets.map(({ receive }) => receive.length);
  assert.ok(Math.max(...takes) - Math.min(...takes) <= 1, `equal takes: ${takes}`);
  assert.equal(Math.min(...takes) > 0, quiet, `takes: ${takes}`);
  for (const { send, receive, roundTrip } of sets) {
    assert.equal(send.length, quiet ? receive.length : roundTrip.length);
  }
}

for (const spec of ['node', 'bun@1.4.5', 'bun@1.2.20', 'deno@2.9.6']) {
  describe(spec, () => {
    let guest: Guest;
    const start = async () => {
      guest = await work.start(await runtime(spec));
      return guest;
    };

    for (const channel of CHANNELS) {
      test(`times everybody in turns over ${channel}`, async () => {
        const variants = [FLOOR, ORIGINAL, ...both('json-text')];
        const asked = (await start()).ask(measureOf(specimen('rows'), { channel, variants }));
        if (channel === 'ipc' && spec.startsWith('deno')) {
          await assert.rejects(asked, { code: 'channel-unsupported' });
          return;
        }
        const measured = await asked;
        assertTimed(
          measured,
          variants.map(({ id }) => id),
        );
        assertSides(measured, QUIET.has(channel));
        const [floor, original] = ['floor', 'original'].map((id) => typical(setOf(measured, id).roundTrip));
        assert.ok(floor! * 2 < original!, `floor ${floor} is far below ${original}`);
        assert.deepEqual(
          measured.sets.map(({ cold }) => cold !== null),
          [false, true, false, false],
        );
        assert.equal(measured.gc !== null, spec === 'node');
        await guest.close();
        assert.deepEqual(await left(), []);
      });
    }

    test('the conversion is paid with conversion only, on both sides', async () => {
      const variants = [ORIGINAL, ...both('json-text')];
      const measured = await (await start()).ask(measureOf(specimen('rows'), { variants, sliceMs: 200 }));
      const of = (id: string) => setOf(measured, id);
      const kinds = ['send', 'receive', 'roundTrip'] as const;
      for (const kind of kinds) {
        const [inPlace, converted] = [of('json-text/in-place')[kind], of('json-text/with-conversion')[kind]];
        assert.ok(
          typical(inPlace) * 2 < typical(converted),
          `${kind}: ${typical(inPlace)}, ${typical(converted)}`,
        );
      }
      await guest.close();
    });

    test('what is transferred is built anew for each message', async () => {
      const modules = {
        factory: 'export const value = () => ({ bytes: new Uint8Array(300000).fill(7), n: [1, 2, 3] });',
        constant: 'export const value = { bytes: new Uint8Array(300000).fill(7), n: [1, 2, 3] };',
      };
      for (const [name, text] of Object.entries(modules)) {
        const variants = [FLOOR, ORIGINAL, ...both('transfer', { paths: ['$.bytes'] })];
        const recipe = work.module(`${name}-bytes.mjs`, text);
        const measured = await (await start()).ask(measureOf(recipe, { variants }));
        assertTimed(
          measured,
          variants.map(({ id }) => id),
        );
        const [copied, moved] = ['original', 'transfer/in-place'].map((id) => setOf(measured, id).receive);
        assert.ok(typical(moved!) < typical(copied!), `${name}: ${typical(moved!)} < ${typical(copied!)}`);
        await guest.close();
      }
    });

    for (const channel of CHANNELS.filter((one) => one !== 'ipc' || !spec.startsWith('deno'))) {
      test(`a variant that fails over ${channel} is out, with its reason, and the others go on`, async () => {
        const recipe = work.module(
          'call.mjs',
          'export const value = () => ({ call() {}, rows: [1, 2, 3] });',
        );
        const variants = [FLOOR, ORIGINAL, ...both('no-such'), ...both('json-text')];
        const measured = await (await start()).ask(measureOf(recipe, { channel, variants }));
        assert.match(setOf(measured, 'original').error ?? '', /cloned/);
        assert.match(setOf(measured, 'no-such/in-place').error ?? '', /unknown remedy/);
        for (const id of ['floor', 'json-text/in-place', 'json-text/with-conversion']) {
          const set = setOf(measured, id);
          assert.equal(set.error, null, id);
          assert.ok(set.roundTrip.length >= measured.rounds && measured.rounds >= 5, id);
        }
        await guest.close();
      });
    }

    test('what is nothing can be sent, too, where the channel takes it', async () => {
      await start();
      for (const channel of CHANNELS.filter((one) => one !== 'ipc')) {
        for (const [index, value] of ['undefined', 'null', 'false', '0', "''", 'NaN'].entries()) {
          const recipe = work.module(`nothing-${index}.mjs`, `export const value = () => ${value};`);
          const measured = await guest.ask(
            measureOf(recipe, { channel, sliceMs: 5, minRounds: 5, maxRounds: 5 }),
          );
          assertTimed(measured, ['floor', 'original']);
          assertSides(measured, QUIET.has(channel));
        }
      }
      await guest.close();
    });

    test('what fails on the receiver alone is told with its reason', async () => {
      const recipe = work.module(
        'call-there.mjs',
        `${IN_WORKER} export const value = () => (inWorker ? { call() {} } : { n: 1 });`,
      );
      const measured = await (await start()).ask(measureOf(recipe));
      assert.match(setOf(measured, 'original').error ?? '', /DataCloneError/);
      assert.equal(setOf(measured, 'floor').error, null);
      assert.ok(setOf(measured, 'floor').roundTrip.length >= 5);
      await guest.close();
    });

    test('a payload that cannot be built in the worker is a failure with its reason', async () => {
      const recipe = work.module(
        'throws-there.mjs',
        `${IN_WORKER} export const value = () => { if (inWorker) throw new RangeError('not in here'); return [1]; };`,
      );
      const asked = (await start()).ask(measureOf(recipe));
      await assert.rejects(asked, { code: 'measure-failed', message: /not in here/ });
      await guest.close();
    });

    test('a slow payload has its least number of rounds, or stops after three slices', async () => {
      const recipe = work.module(
        'slow.mjs',
        `export const value = () => Array.from({ length: 60000 }, (_, i) => ({ id: i, geo: { lat: i, at: new Date(i) } }));`,
      );
      await start();
      const least = await guest.ask(measureOf(recipe, { sliceMs: 250, minRounds: 3 }));
      assert.ok(least.rounds >= 1 && least.rounds <= 6, `${least.rounds} rounds`);
      const began = performance.now();
      const stopped = await guest.ask(measureOf(recipe, { sliceMs: 50, minRounds: 1000 }));
      assert.ok(performance.now() - began < 15_000);
      assertCounts(stopped);
      assert.ok(stopped.rounds >= 1 && stopped.rounds < 100, `${stopped.rounds} rounds`);
      await guest.close();
    });
  });
}

describe('the seed', () => {
  test('decides who sends the first message', async () => {
    const guest = await work.start(await runtime('node'));
    const variants = [FLOOR, ORIGINAL, ...both('json-text')];
    const firsts = [];
    for (const seed of [2, 1, 3, 5]) {
      const measured = await guest.ask(measureOf(specimen('rows'), { variants, seed, maxRounds: 5 }));
      firsts.push(measured.sets.findIndex(({ cold }) => cold !== null));
    }
    assert.deepEqual(firsts, [1, 0, 2, 3]);
    await guest.close();
  });
});

describe('a worker that dies', () => {
  for (const spec of ['node', 'bun@1.4.5', 'bun@1.2.20']) {
    test(`is a failure on ${spec}, and ends nothing else`, async () => {
      const recipe = work.module(
        'dies.mjs',
        `${IN_WORKER} export const value = () => { if (inWorker) process.exit(3); return [1]; };`,
      );
      const guest = await work.start(await runtime(spec));
      await assert.rejects(guest.ask(measureOf(recipe)), { code: 'measure-failed', message: /ended/ });
      const measured = await guest.ask(measureOf(specimen('rows')));
      assert.ok(measured.rounds >= 5);
      await guest.close();
      assert.deepEqual(await left(), []);
    });
  }
});
