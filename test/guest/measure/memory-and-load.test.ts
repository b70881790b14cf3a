/** What messages weigh and how long they wait differs from run to run: `npm run bench -- known-costs` looks at that. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Channel } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import type { LoadOffer, LoadResult, MemoryUse, Variant } from '../../../src/model/wire/wire.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { bothModes, ORIGINAL } from './requests.ts';

const noneRunning = trackChildProcesses();
const folder = new PayloadFolder();
/** One of each runtime for all tests. */
const guests = new Map<RuntimeSpec, Promise<Guest>>();
after(async () => {
  for (const guest of guests.values()) await (await guest).close();
  await noneRunning();
  folder.remove();
});

function guestOf(spec: RuntimeSpec): Promise<Guest> {
  const guest = guests.get(spec) ?? folder.startGuest(runtime(spec));
  guests.set(spec, guest);
  return guest;
}

const TEXT = folder.module('text.mjs', `export const value = 'x'.repeat(1_000_000);`);
const ROWS = folder.module(
  'rows.mjs',
  'export const value = Array.from({ length: 2000 }, (_, id) => ({ id, name: String(id), at: { x: id / 2 } }));',
);
const BYTES = folder.module(
  'bytes.mjs',
  'export const value = () => ({ bytes: new Uint8Array(1_000_000).fill(1) });',
);

interface MemoryRequest {
  spec: RuntimeSpec;
  recipe: Recipe;
  variant?: Variant;
  channel?: Channel;
}

const MESSAGES = 48;

async function memoryOf({
  spec,
  recipe,
  variant = ORIGINAL,
  channel = 'worker',
}: MemoryRequest): Promise<MemoryUse> {
  const guest = await guestOf(spec);
  return guest.ask({ type: 'memory', recipe, channel, variant, messages: MESSAGES });
}

function assertMemory({ bytes, perMessage, messages, baselineBytes }: MemoryUse): void {
  assert.equal(messages, MESSAGES);
  assert.equal(perMessage, bytes / messages);
  assert.ok(bytes >= 0 && baselineBytes > 0, `${bytes} bytes beyond ${baselineBytes}`);
}

const MEASURED: [spec: RuntimeSpec, channel: Channel][] = [
  ['node', 'worker'],
  ['node', 'structured-clone'],
  ['bun@1.4.5', 'worker'],
  ['bun@1.4.5', 'message-port'],
  ['deno@2.9.6', 'worker'],
];

for (const [spec, channel] of MEASURED) {
  test(`memory of messages in flight on ${spec} over ${channel}`, { skip: missing(spec) }, async () => {
    assertMemory(await memoryOf({ spec, recipe: TEXT, channel }));
  });
}

test('memory of a remedy that restores, and of one that transfers', async () => {
  const [, converted] = bothModes('json-text');
  assertMemory(await memoryOf({ spec: 'node', recipe: ROWS, variant: converted! }));
  const [, transferred] = bothModes('transfer', { paths: ['$.bytes'] });
  const { messages } = await memoryOf({ spec: 'node', recipe: BYTES, variant: transferred! });
  // Each message takes its value along; fewer are sent when building them takes long.
  assert.ok(messages >= 1 && messages <= MESSAGES);
});

test('memory cannot be attributed between processes', async () => {
  await assert.rejects(memoryOf({ spec: 'node', recipe: ROWS, channel: 'ipc-advanced' }), {
    code: 'channel-unsupported',
  });
});

async function loaded(spec: RuntimeSpec, offer: LoadOffer, channel: Channel = 'worker'): Promise<LoadResult> {
  const guest = await guestOf(spec);
  return guest.ask({ type: 'load', recipe: ROWS, channel, offer, ms: 100, mostWaiting: 400 });
}

/** Due faster than any machine can post the rows: no post takes less than this gap. */
const FLOOD_GAP_NS = 1000;
const FLOOD: LoadOffer = { perSecond: 1e9 / FLOOD_GAP_NS };

for (const spec of ['node', 'bun@1.4.5', 'deno@2.9.6'] as const) {
  test(`load on ${spec}: no more than the window waits, and a flood is noticed`, {
    skip: missing(spec),
  }, async () => {
    const window = await loaded(spec, { window: 4 });
    assert.ok(window.latency.length >= 4, `${window.latency.length} messages were due`);
    assert.ok(window.waiting.every((waiting) => waiting <= 4));
    assert.equal(window.flooded, false);
    const flood = await loaded(spec, FLOOD, 'message-port');
    assert.equal(flood.flooded, true);
    assert.ok(flood.latency.length > 400, `${flood.latency.length} messages were due`);
  });
}

test('load: latency counts from when a message was due, also for messages that were not answered', async () => {
  const { latency, messages } = await loaded('node', FLOOD);
  const unanswered = latency.slice(messages);
  assert.ok(unanswered.length >= 2, `${messages} of ${latency.length} were answered`);
  const gaps = unanswered.slice(1).map((ns, at) => (unanswered[at] ?? 0) - ns);
  assert.ok(
    gaps.every((ns) => Math.abs(ns - FLOOD_GAP_NS) <= 1),
    gaps.slice(0, 5).join(),
  );
});

for (const channel of ['ipc-advanced', 'structured-clone', 'storage'] as const) {
  test(`load is not supported over ${channel}`, async () => {
    await assert.rejects(loaded('node', { window: 1 }, channel), { code: 'channel-unsupported' });
  });
}
