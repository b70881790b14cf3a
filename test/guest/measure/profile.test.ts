import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import type { CpuProfile } from '../../../src/core/profile/self-times.ts';
import type { Channel } from '../../../src/model/names.ts';
import type { Profile } from '../../../src/model/profile.ts';
import type { Recipe } from '../../../src/model/recipe.ts';
import { killAll } from '../../../src/runtimes/process/process-group.ts';
import { markChildren } from '../../runtimes/left-behind.ts';
import { Workshop } from '../../runtimes/workshop.ts';
import { runtime } from '../../support/runtimes.ts';
import { folderWithAddon, IS_SUPPORTED } from './profile-addon.ts';

const { left } = markChildren();
const work = new Workshop();
after(() => work.remove());
afterEach(killAll);

/** Half of the work is the user's: a getter that the serializer calls on both sides. */
const CARTS = work.module(
  'carts.mjs',
  `const cart = (id) => ({ id, lines: [{ sku: 'sku ' + id, count: 2 }], get total() {
     let sum = 0;
     for (let i = 0; i < 400; i++) sum += Math.sqrt(i * id);
     return sum;
   } });
   export const value = () => Array.from({ length: 200 }, (_, id) => cart(id));`,
);

let folders = 0;

async function profiled(
  spec: string,
  options: { channel?: Channel; recipe?: Recipe; cwd?: string } = {},
): Promise<{ profile: Profile; folder: string }> {
  const { channel = 'worker', recipe = CARTS, cwd = work.folder } = options;
  const folder = join(work.folder, `profiles ${++folders}`);
  mkdirSync(folder);
  const guest = await work.start(await runtime(spec), { cwd });
  const ask = { type: 'profile', recipe, channel, ms: 400, folder, name: 'carts.x' } as const;
  const { profile } = await guest.ask(ask);
  await guest.close();
  assert.deepEqual(await left(), []);
  assert.deepEqual(
    readdirSync(folder).sort(),
    [...profile.files].sort(),
    'the report names what was written',
  );
  return { profile, folder };
}

const read = <T>(folder: string, name: string): T =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;

/** What Chrome DevTools' CPUProfileDataModel and speedscope's importer ask for. */
function assertCpuProfile(folder: string, name: string): void {
  const { nodes, samples = [], timeDeltas = [], startTime, endTime } = read<CpuProfile>(folder, name);
  const ids = new Set(nodes.map(({ id }) => id));
  assert.equal(ids.size, nodes.length);
  assert.ok(nodes.every(({ children = [] }) => children.every((child) => ids.has(child))));
  assert.ok(samples.length > 20, `${name}: ${samples.length} samples`);
  assert.equal(samples.length, timeDeltas.length);
  assert.ok(samples.every((id) => ids.has(id)));
  assert.ok(endTime - startTime > 250_000, `${name}: ${endTime - startTime} us`);
  assert.ok(
    nodes.some(({ callFrame }) => /postMessage|post_message|structuredClone/.test(callFrame.functionName)),
    `${name} holds the round trips`,
  );
}

interface HeapNode {
  callFrame: { functionName: string };
  selfSize: number;
  children: HeapNode[];
}

/** `garbage`: the profiler tells also of what was collected meanwhile, which is nearly all. */
function assertHeapProfile(folder: string, name: string, garbage: boolean): void {
  const { head, samples } = read<{ head: HeapNode; samples: unknown[] }>(folder, name);
  assert.ok(Array.isArray(samples));
  const sizes = (node: HeapNode): number =>
    node.children.reduce((sum, child) => sum + sizes(child), node.selfSize);
  assert.equal(head.callFrame.functionName, '(root)');
  assert.ok(sizes(head) > (garbage ? 100_000 : -1), `${name}: ${sizes(head)} bytes allocated`);
}

function assertShares({ shares, top, messages }: Profile): void {
  assert.ok(shares !== null && messages > 3);
  const sum = Object.values(shares).reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(sum - 1) < 1e-9);
  assert.ok(shares.clone > 0.1, `cloning ${shares.clone}`);
  assert.ok(shares.user > 0.05, `the getter ${shares.user}`);
  const getter = top.find(({ work }) => work === 'user');
  assert.match(getter?.where ?? '', /^carts\.mjs:\d+:\d+$/);
}

const SIDES = ['sender', 'receiver'] as const;
const FILES = SIDES.flatMap((side) => [`carts.x.${side}.cpuprofile`, `carts.x.${side}.heapprofile`]);

for (const spec of ['node', 'deno@2.9.6']) {
  test(`${spec}: both threads, CPU and heap, with the user's getter`, async () => {
    const { profile, folder } = await profiled(spec);
    assert.equal(profile.by, 'inspector');
    assert.deepEqual(profile.missing, []);
    assert.deepEqual(profile.files, FILES);
    for (const side of SIDES) {
      assertCpuProfile(folder, `carts.x.${side}.cpuprofile`);
      assertHeapProfile(folder, `carts.x.${side}.heapprofile`, true);
    }
    assertShares(profile);
  });
}

test('bun@1.4.5: CPU of both threads, and what it does not offer is said', async () => {
  const { profile, folder } = await profiled('bun@1.4.5');
  assert.equal(profile.by, 'inspector');
  assert.deepEqual(
    profile.files,
    SIDES.map((side) => `carts.x.${side}.cpuprofile`),
  );
  for (const name of profile.files) assertCpuProfile(folder, name);
  assertShares(profile);
  const missing = profile.missing.map(({ what }) => what);
  for (const side of SIDES) {
    assert.ok(missing.includes(`${side} heapprofile`), missing.join());
    assert.ok(missing.includes(`${side} deserializing and garbage collection`), missing.join());
  }
});

test('bun@1.2.20: not available there, for each part with its reason', async () => {
  const { profile } = await profiled('bun@1.2.20');
  assert.deepEqual([profile.by, profile.files, profile.shares, profile.top], [null, [], null, []]);
  assert.equal(profile.missing.length, 4);
  for (const { why } of profile.missing) assert.match(why, /not yet implemented in Bun/);
});

test('structuredClone has one thread, and it is the sender', async () => {
  const { profile, folder } = await profiled('node', { channel: 'structured-clone' });
  assert.deepEqual(profile.files, FILES.slice(0, 2));
  assertCpuProfile(folder, 'carts.x.sender.cpuprofile');
  assertShares(profile);
});

test('a child process profiles itself', async () => {
  const { profile, folder } = await profiled('node', { channel: 'ipc' });
  assert.deepEqual(profile.files, FILES);
  const { samples = [] } = read<CpuProfile>(folder, 'carts.x.receiver.cpuprofile');
  assert.ok(samples.length > 20);
  assertShares(profile);
});

test('a payload that cannot be cloned says so', async () => {
  const recipe = work.module('bad.mjs', 'export const value = () => ({ f() {} });');
  await assert.rejects(profiled('node', { recipe }), /could not be cloned/);
});

test('v8-profiler-next profiles where the user has installed it and it loads', async () => {
  const built = await folderWithAddon().catch((error: Error) => error);
  if (built instanceof Error && IS_SUPPORTED && process.env.CI === 'true') throw built;
  const { profile, folder } = await profiled('node', built instanceof Error ? {} : { cwd: built });
  const loads = !(built instanceof Error);
  assert.equal(profile.by, loads ? 'v8-profiler-next' : 'inspector');
  assert.deepEqual(profile.files, FILES);
  for (const side of SIDES) {
    assertCpuProfile(folder, `carts.x.${side}.cpuprofile`);
    assertHeapProfile(folder, `carts.x.${side}.heapprofile`, !loads);
  }
});
