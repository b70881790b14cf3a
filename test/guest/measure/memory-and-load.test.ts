import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import type { Channel } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/recipe.ts';
import type { LoadOffer, LoadResult, MemoryUse, Variant } from '../../../src/model/wire.ts';
import { killAll } from '../../../src/runtimes/process/process-group.ts';
import { markChildren } from '../../runtimes/left-behind.ts';
import { Workshop } from '../../runtimes/workshop.ts';
import { runtime } from '../../support/runtimes.ts';
import { both, ORIGINAL } from './requests.ts';

const { left } = markChildren();
const work = new Workshop();
after(() => work.remove());
afterEach(killAll);

const SIZE = 1_000_000;
const TEXT = work.module(
  'texts.mjs',
  `export const whole = 'x'.repeat(${SIZE});
   export const piece = ('x'.repeat(${SIZE}) + 'y').slice(1);`,
  'whole',
);
const exported = (name: string): Recipe => ({
  ...TEXT,
  build: { ...TEXT.build, export: name } as Recipe['build'],
});
const ROWS = work.module(
  'rows.mjs',
  'export const value = Array.from({ length: 2000 }, (_, id) => ({ id, name: String(id), at: { x: id / 2 } }));',
);
const BYTES = work.module('bytes.mjs', `export const value = { bytes: new Uint8Array(${SIZE}).fill(1) };`);

interface Flight {
  spec: string;
  recipe: Recipe;
  variant?: Variant;
  channel?: Channel;
  messages?: number;
}

async function occupied({ spec, recipe, variant = ORIGINAL, channel = 'worker', messages = 48 }: Flight) {
  const guest = await work.start(await runtime(spec));
  try {
    return await guest.ask({ type: 'memory', recipe, channel, variant, messages });
  } finally {
    await guest.close();
  }
}

const weightOf = ({ perMessage }: MemoryUse): number => perMessage / SIZE;

/** Times the size of the text: 1 MB of Latin-1, so its bytes on the wire too. */
const texts: [spec: string, name: string, recipe: Recipe, channel: Channel, low: number, high: number][] = [
  ['bun@1.4.5', 'a shared text takes none', exported('whole'), 'worker', 0, 0.1],
  ['bun@1.4.5', 'a copied text takes its size', exported('piece'), 'worker', 0.85, 1.25],
  ['bun@1.4.5', 'a shared text takes none', exported('whole'), 'message-port', 0, 0.1],
  ['node', 'the wire and the result both take its size', exported('whole'), 'worker', 1.8, 3],
  ['node', 'only the clone takes its size', exported('whole'), 'structured-clone', 0.85, 1.25],
  ['deno@2.9.6', 'the wire and the result are there', exported('whole'), 'worker', 1, 3],
];

for (const [spec, name, recipe, channel, low, high] of texts) {
  test(`memory on ${spec} over ${channel}: ${name}`, async () => {
    const weight = weightOf(await occupied({ spec, recipe, channel }));
    assert.ok(weight >= low && weight <= high, `${weight} times its size`);
    assert.deepEqual(await left(), []);
  });
}

test('memory: what is given away was there before, what is copied was not', async () => {
  const [converted] = both('transfer', { paths: ['$.bytes'] }).filter(({ mode }) => mode !== 'in-place');
  const moved = await occupied({
    spec: 'node',
    recipe: BYTES,
    variant: converted as Variant,
    messages: 32,
  });
  const copied = await occupied({ spec: 'node', recipe: BYTES, messages: 32 });
  assert.ok(weightOf(moved) < 0.3, `${weightOf(moved)} moved`);
  assert.ok(weightOf(copied) > 0.85, `${weightOf(copied)} copied`);
});

test('memory: a remedy keeps what it restores, and empty messages are not restored', async () => {
  const [, converted] = both('json-text');
  const restored = await occupied({ spec: 'node', recipe: ROWS, variant: converted as Variant });
  assert.ok(restored.perMessage > 100_000, `${restored.perMessage} bytes`);
  assert.equal(restored.messages, 48);
});

test('memory: between processes nobody can tell', async () => {
  await assert.rejects(occupied({ spec: 'node', recipe: ROWS, channel: 'ipc' }), {
    code: 'channel-unsupported',
  });
  assert.deepEqual(await left(), []);
});

async function loaded(spec: string, offer: LoadOffer, channel: Channel = 'worker'): Promise<LoadResult> {
  const guest = await work.start(await runtime(spec));
  try {
    return await guest.ask({ type: 'load', recipe: ROWS, channel, offer, ms: 250, mostWaiting: 400 });
  } finally {
    await guest.close();
  }
}

for (const spec of ['node', 'bun@1.4.5', 'deno@2.9.6']) {
  test(`load on ${spec}: a window is always full, a flood is noticed`, async () => {
    const window = await loaded(spec, { window: 4 });
    assert.ok(window.messages >= 4, `${window.messages} messages`);
    assert.ok(window.waiting.every((waiting) => waiting <= 4));
    assert.equal(window.flooded, false);
    const flood = await loaded(spec, { perSecond: 50_000 }, 'message-port');
    assert.equal(flood.flooded, true);
    assert.ok(flood.latency.length > 400, `${flood.latency.length} were due`);
    assert.deepEqual(await left(), []);
  });
}

test('load: latency counts from when a message was due, sent or not', async () => {
  const { latency, messages } = await loaded('node', { perSecond: 20_000 });
  const unserved = latency.slice(messages);
  assert.ok(unserved.length >= 2, `${messages} of ${latency.length} were taken`);
  // 50 us lie between two that are due.
  const apart = unserved.slice(1).map((ns, at) => (unserved[at] ?? 0) - ns);
  assert.ok(
    apart.every((ns) => Math.abs(ns - 50_000) <= 1),
    apart.slice(0, 5).join(),
  );
});

for (const channel of ['ipc', 'structured-clone'] as const) {
  test(`load: not over ${channel}`, async () => {
    await assert.rejects(loaded('node', { window: 1 }, channel), { code: 'channel-unsupported' });
  });
}
