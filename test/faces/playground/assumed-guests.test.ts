import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumingDriver } from '../../../src/faces/playground/start.ts';
import { ToolError } from '../../../src/model/errors.ts';
import { ENGINE_OF, type RuntimeName } from '../../../src/model/names.ts';
import type { FoundRuntime, Guest, RuntimeDriver } from '../../../src/model/run/runtime.ts';
import type { GuestRequest } from '../../../src/model/wire/wire.ts';

const runtimeOf = (name: RuntimeName): FoundRuntime => ({
  ...{ name, version: '1', engine: ENGINE_OF[name], spec: name, binary: '', from: 'assumed' },
});

const OWN = runtimeOf('firefox');
const RUNTIMES = [OWN, ...(['node', 'bun', 'webkit'] as const).map(runtimeOf)];

const describing = (id: string): GuestRequest => ({
  type: 'describe',
  recipe: { id, source: { file: id, export: null }, build: { form: 'json', file: id } },
  channel: 'worker',
  confirm: true,
});

/** Guests of this browser, all requests to them, and what became of each. */
async function askAll(isDying: boolean) {
  const asked: GuestRequest[] = [];
  const guest = {
    dead: false,
    ask: async (request: GuestRequest) => {
      asked.push(request);
      if (isDying) throw new ToolError('guest-timeout', { ms: 1000 });
      return { type: 'described' };
    },
    close: async () => undefined,
  } as unknown as Guest;
  const started: FoundRuntime[] = [];
  const driver: RuntimeDriver = {
    start: async (runtime) => {
      started.push(runtime);
      return guest;
    },
  };
  const assuming = assumingDriver(driver, OWN);
  const fates: string[] = [];
  for (const request of [describing('a'), describing('b')])
    for (const runtime of RUNTIMES) {
      const own = await assuming.start(runtime, { timeoutMs: 1000, cwd: '' });
      assert.equal(own.hello.runtime.name, runtime.name);
      fates.push(...(await Promise.allSettled([own.ask(request)])).map(({ status }) => status));
    }
  return { asked, started, fates };
}

test('guests of this browser describe the payload, as each other engine too', async () => {
  const { asked, started, fates } = await askAll(false);
  assert.deepEqual(
    asked.slice(0, RUNTIMES.length).map((one) => one.type === 'describe' && [one.assume, one.confirm]),
    [
      [undefined, true],
      ['v8', false],
      ['jsc', false],
      ['webkit', false],
    ],
  );
  assert.ok(started.every((runtime) => runtime === OWN));
  assert.deepEqual([...new Set(fates)], ['fulfilled']);
});

test('a payload that ended its guest is not given to another; the next payload is', async () => {
  const { asked, fates } = await askAll(true);
  assert.deepEqual(
    asked.map((request) => 'recipe' in request && request.recipe.id),
    ['a', 'b'],
  );
  assert.deepEqual([...new Set(fates)], ['rejected']);
});
