import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolError } from '../../src/model/errors.ts';
import type { Recipe } from '../../src/model/report/recipe.ts';
import type { GuestRequest, Variant } from '../../src/model/wire/wire.ts';
import { moduleRecipe } from '../make.ts';
import { fakeDriver, fakeRuntime } from './fake-runtime.ts';

const bun = fakeRuntime('bun', '1.4.5');
const start = { timeoutMs: 1000, cwd: '/' };

const module = moduleRecipe('rows', '*');
const values = { 'rows#flat': { a: 1, b: 'x' }, 'rows#nested': { a: [1] } };

const variant = (id: string, mode: Variant['mode'], remedy: string | null = null): Variant => ({
  id,
  mode,
  remedy,
  plan: null,
});

const measure: Extract<GuestRequest, { type: 'measure' }> = {
  type: 'measure',
  recipe: module,
  channel: 'worker',
  variants: [
    variant('floor', 'floor'),
    variant('original', 'original'),
    variant('json-text@$/with-conversion', 'with-conversion', 'json-text'),
    variant('json-text@$/in-place', 'in-place', 'json-text'),
  ],
  sliceMs: 10,
  warmupMs: 0,
  minRounds: 5,
  maxRounds: 25,
  seed: 7,
};

test('opens the payloads of the script and describes them with the real code', async () => {
  const driver = fakeDriver({ values });
  const guest = await driver.start(bun, start);
  const opened = await guest.ask({ type: 'open', recipe: module, exports: null });
  assert.deepEqual(
    opened.payloads.map((p) => [p.id, p.source.export]),
    [
      ['rows#flat', 'flat'],
      ['rows#nested', 'nested'],
    ],
  );
  const described = await guest.ask({
    type: 'describe',
    recipe: opened.payloads[1]!,
    channel: 'worker',
    confirm: true,
  });
  assert.equal(described.shape.representation.engine, 'jsc');
  assert.deepEqual(
    described.shape.patterns.map((p) => [p.pattern, p.kind]),
    [
      ['$', 'object'],
      ['$.a', 'array'],
      ['$.a[*]', 'number'],
    ],
  );
  assert.equal(described.shape.jsonBytes, 9);
  await assert.rejects(
    guest.ask({ type: 'open', recipe: module, exports: ['nope'] }),
    (e) => e instanceof ToolError && e.code === 'export-missing',
  );
  assert.equal(driver.open, 1);
  await guest.close();
  assert.equal(driver.open, 0);
  assert.equal(driver.asked.length, 3);
});

test('times come from the table, the same each time', async () => {
  const times = {
    of: {
      original: { roundTrip: 200 },
      'json-text/in-place': { roundTrip: 50, send: 5, receive: 6 },
      'json-text': { roundTrip: 80 },
    },
  };
  const guest = await fakeDriver({ times }).start(bun, start);
  const { sets, rounds } = await guest.ask(measure);
  assert.equal(rounds, 25);
  assert.deepEqual(
    sets.map((s) => [s.variant, s.roundTrip.length, s.roundTrip[0], s.send[24], s.receive[0], s.cold]),
    [
      ['floor', 25, 10_000, 1000, 1000, null],
      ['original', 25, 200, 50, 50, 2000],
      ['json-text@$/with-conversion', 25, 80, 20, 20, null],
      ['json-text@$/in-place', 25, 50, 5, 6, null],
    ],
  );
});

test('jitter is seeded by the request', async () => {
  const guest = await fakeDriver({ times: { jitter: 0.1 } }).start(bun, start);
  const [one, two, other] = [
    await guest.ask(measure),
    await guest.ask(measure),
    await guest.ask({ ...measure, seed: 8 }),
  ];
  assert.deepEqual(one, two);
  assert.notDeepEqual(one, other);
  const original = one.sets[1]!.roundTrip;
  assert.ok(original.every((ns) => ns >= 90_000 && ns <= 110_000));
  assert.ok(new Set(original).size > 10);
});

test('fails as the script says, and is dead after a failure that ends a guest', async () => {
  const driver = fakeDriver({
    values,
    fails: (ask) =>
      ask.type === 'open'
        ? new ToolError('module-threw', { file: 'rows.mjs', detail: 'no' })
        : ask.type === 'prove'
          ? new ToolError('guest-timeout', { ms: 5 })
          : null,
  });
  const guest = await driver.start(bun, start);
  const code = (promise: Promise<unknown>) => promise.then(String, (e: ToolError) => e.code);
  assert.equal(await code(guest.ask({ type: 'open', recipe: module, exports: null })), 'module-threw');
  assert.equal(guest.dead, false);
  assert.equal(await code(guest.ask({ type: 'prove', recipe: module, plans: [] })), 'guest-timeout');
  assert.equal(guest.dead, true);
  assert.equal(driver.open, 0);
  assert.equal(await code(guest.ask({ type: 'open', recipe: module, exports: null })), 'guest-exited');
});

test('proofs are real; proofs and descriptions can be overridden', async () => {
  const build = { ...module.build, export: 'nested' } as Recipe['build'];
  const recipe = { ...module, id: 'rows#nested', build };
  const script = {
    values,
    proofs: { plain: { equality: 'lossy', losses: [{ path: '$.d', what: 'Date became string' }] } as const },
    described: { 'rows#nested': { rejected: 'could not be cloned' } },
  };
  const guest = await fakeDriver({
    ...script,
    proofs: { plain: { ...script.proofs.plain, losses: [...script.proofs.plain.losses] } },
  }).start(bun, start);
  const plan = { path: '$' };
  const { proofs } = await guest.ask({
    type: 'prove',
    recipe,
    plans: [
      { remedy: 'plain', plan },
      { remedy: 'json-text', plan: { path: '$', paths: ['$'] } },
      { remedy: 'json-text', plan },
    ],
  });
  assert.deepEqual(
    proofs.map((p) => [p.equality, p.losses.length]),
    [
      ['lossy', 1],
      ['equal', 0],
      ['refused', 0],
    ],
  );
  const described = await guest.ask({ type: 'describe', recipe, channel: 'worker', confirm: false });
  assert.equal(described.rejected, 'could not be cloned');
  await guest.close();
});
