import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AssumedGuests } from '../../../src/faces/playground/analysis.ts';
import { ToolError } from '../../../src/model/errors.ts';
import { ENGINE_OF, type RuntimeName } from '../../../src/model/names.ts';
import type { FoundRuntime, Guest, RuntimeDriver } from '../../../src/model/run/runtime.ts';
import type { GuestRequest } from '../../../src/model/wire/wire.ts';

const runtimeOf = (name: RuntimeName): FoundRuntime => ({
  ...{ name, version: '1', engine: ENGINE_OF[name], spec: name, binary: '', from: 'assumed' },
});

const OWN = runtimeOf('firefox');
const OPTIONS = { timeoutMs: 1000, cwd: '' };
const DESCRIBE: GuestRequest = {
  type: 'describe',
  recipe: { id: 'a', source: { file: 'a', export: null }, build: { form: 'json', file: 'a' } },
  channel: 'worker',
  confirm: true,
};

/** Guests that say what they were asked, or die. */
class Recorder {
  readonly asked: GuestRequest[] = [];
  started = 0;
  readonly driver: RuntimeDriver;

  constructor(dies = false) {
    this.driver = {
      start: async ({ name, version, engine }) => {
        this.started += 1;
        const guest = {
          hello: { type: 'hello', token: '', runtime: { name, version, engine } },
          dead: false,
          ask: async (request: GuestRequest) => {
            this.asked.push(request);
            guest.dead = dies;
            if (dies) throw new ToolError('guest-timeout', { ms: 1000 });
            return { type: 'described' };
          },
          close: async () => undefined,
        };
        return guest as unknown as Guest;
      },
    };
  }
}

/** As an analysis does: one runtime after the other. */
async function askAll(guests: AssumedGuests): Promise<PromiseSettledResult<unknown>[]> {
  const answers: PromiseSettledResult<unknown>[] = [];
  for (const name of ['firefox', 'node', 'deno', 'chromium', 'bun', 'webkit'] as const) {
    const guest = await guests.driver.start(name === 'firefox' ? OWN : runtimeOf(name), OPTIONS);
    answers.push(...(await Promise.allSettled([guest.ask(DESCRIBE)])));
  }
  return answers;
}

describe('guests for runtimes that are not here', () => {
  test('one guest of this browser describes the payload, once for each other engine too', async () => {
    const recorder = new Recorder();
    await askAll(new AssumedGuests(recorder.driver, OWN));
    assert.deepEqual(
      recorder.asked
        .map((request) => request.type === 'describe' && [request.assume, request.confirm])
        .sort(),
      [
        ['jsc', false],
        ['v8', false],
        ['webkit', false],
        [undefined, true],
      ].sort(),
    );
    assert.equal(recorder.started, 1);
  });

  test('what this browser does is asked of a fresh guest', async () => {
    const recorder = new Recorder();
    const guests = new AssumedGuests(recorder.driver, OWN);
    await askAll(guests);
    await askAll(guests);
    assert.equal(recorder.started, 2);
    assert.equal(recorder.asked.length, 5);
  });

  test('a payload that ended its guest is not given to another; the next payload is', async () => {
    const recorder = new Recorder(true);
    const guests = new AssumedGuests(recorder.driver, OWN);
    const [first] = await Promise.allSettled([
      guests.driver.start(OWN, OPTIONS).then((guest) => guest.ask(DESCRIBE)),
    ]);
    assert.equal(first.status, 'rejected');
    const others = await askAll(guests);
    assert.ok(others.every(({ status }) => status === 'rejected'));
    assert.equal(recorder.asked.length, 1);
    const next = { ...DESCRIBE, recipe: { ...DESCRIBE.recipe, id: 'b' } } as GuestRequest;
    const guest = await guests.driver.start(runtimeOf('node'), OPTIONS);
    await assert.rejects(guest.ask(next));
    assert.equal(recorder.asked.length, 2);
  });
});
