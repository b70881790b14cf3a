import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import type { Profile } from '../../../src/model/documents/profile.ts';
import type { Channel } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import type { CpuProfile } from '../../../src/stats/profile/summary.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { ADDON_FOLDER, missingAddon } from '../../support/fetched.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { onlyInWhole } from '../../support/whole.ts';

const noneRunning = trackChildProcesses();
const payloads = new PayloadFolder();
afterEach(killAll);

/** Most of the work is the user's: a getter that the serializer calls, so that any profile holds it. */
const CARTS = payloads.module(
  'carts.mjs',
  `const cart = (id) => ({ id, lines: [{ sku: 'sku ' + id, count: 2 }], get total() {
     let sum = 0;
     for (let i = 0; i < 1000; i++) sum += Math.sqrt(i * id);
     return sum;
   } });
   export const value = () => Array.from({ length: 200 }, (_, id) => cart(id));`,
);

let folders = 0;

async function profiled(
  spec: RuntimeSpec,
  options: { channel?: Channel; recipe?: Recipe; cwd?: string } = {},
): Promise<{ profile: Profile; folder: string }> {
  const { channel = 'worker', recipe = CARTS, cwd = payloads.path } = options;
  const folder = join(payloads.path, `profiles ${++folders}`);
  mkdirSync(folder);
  const ask = { type: 'profile', recipe, channel, ms: 300, folder, name: 'carts.x' } as const;
  const { profile } = await payloads.ask(runtime(spec), ask, { cwd });
  await noneRunning();
  const written = readdirSync(folder).sort();
  assert.deepEqual(written, [...profile.files].sort(), 'the report names what was written');
  return { profile, folder };
}

interface HeapNode {
  callFrame: { functionName: string };
  selfSize: number;
  children: HeapNode[];
}

/**
 * What Chrome DevTools' CPUProfileDataModel and speedscope's importer ask for.
 * @param garbage a heap profile also holds what was collected meanwhile, which is nearly all
 */
function assertProfile(folder: string, name: string, garbage = true): void {
  const content = JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown;
  if (name.endsWith('.heapprofile')) {
    const { head, samples } = content as { head: HeapNode; samples: unknown[] };
    assert.ok(Array.isArray(samples));
    const sizes = (node: HeapNode): number =>
      node.children.reduce((sum, child) => sum + sizes(child), node.selfSize);
    assert.equal(head.callFrame.functionName, '(root)');
    assert.ok(sizes(head) > (garbage ? 0 : -1), `${name}: ${sizes(head)} bytes allocated`);
    return;
  }
  const { nodes, samples = [], timeDeltas = [], startTime, endTime } = content as CpuProfile;
  const ids = new Set(nodes.map(({ id }) => id));
  assert.equal(ids.size, nodes.length);
  assert.ok(nodes.every(({ children = [] }) => children.every((child) => ids.has(child))));
  assert.ok(samples.length > 0, `${name} has no samples`);
  assert.equal(samples.length, timeDeltas.length);
  assert.ok(samples.every((id) => ids.has(id)));
  assert.ok(endTime > startTime);
  const posts = /postMessage|post_message|structuredClone|ChannelMessage/;
  assert.ok(
    nodes.some(({ callFrame }) => posts.test(callFrame.functionName)),
    `${name} holds the round trips`,
  );
}

function assertShares({ shares, top, messages }: Profile): void {
  assert.ok(shares !== null && messages > 0);
  const sum = Object.values(shares).reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(sum - 1) < 1e-9);
  assert.ok(shares.clone > 0 && shares.user > 0, JSON.stringify(shares));
  const getter = top.find(({ work }) => work === 'user');
  assert.match(getter?.where ?? '', /^carts\.mjs:\d+:\d+$/);
}

const SIDES = ['sender', 'receiver'] as const;
const FILES = SIDES.flatMap((side) => [`carts.x.${side}.cpuprofile`, `carts.x.${side}.heapprofile`]);

type Row = [what: string, spec: RuntimeSpec, options: Parameters<typeof profiled>[1], files: string[]];
const ROWS: Row[] = [
  ['both threads have profiles of CPU and heap', 'node', {}, FILES],
  ['both threads have profiles of CPU and heap', 'deno@2.9.6', {}, FILES],
  ['both threads have a CPU profile', 'bun@1.4.5', {}, FILES.filter((name) => /cpu/.test(name))],
  ['structuredClone has one thread, the sender', 'node', { channel: 'structured-clone' }, FILES.slice(0, 2)],
  ['a child process profiles itself', 'node', { channel: 'ipc-advanced' }, FILES],
];

for (const [what, spec, options, files] of ROWS) {
  const skip =
    missing(spec) || ((spec.startsWith('deno') || options?.channel === 'structured-clone') && onlyInWhole);
  test(`${spec}: ${what}, with the getter of the user`, { skip }, async () => {
    const { profile, folder } = await profiled(spec, options);
    assert.equal(profile.by, 'inspector');
    assert.deepEqual(profile.files, files);
    for (const name of files) assertProfile(folder, name);
    assertShares(profile);
    const lacks = spec.startsWith('bun') ? ['heapprofile', 'deserializing and garbage collection'] : [];
    const expected = SIDES.flatMap((side) => lacks.map((one) => `${side} ${one}`));
    assert.deepEqual(profile.missing.map(({ what }) => what).sort(), expected.sort());
  });
}

test('bun@1.2.20: the profile is unavailable, with a reason for each part', {
  skip: missing('bun@1.2.20') || onlyInWhole,
}, async () => {
  const { profile } = await profiled('bun@1.2.20');
  assert.deepEqual([profile.by, profile.files, profile.shares, profile.top], [null, [], null, []]);
  assert.equal(profile.missing.length, 4);
  for (const { why } of profile.missing) assert.match(why, /not yet implemented in Bun/);
});

test('a payload that cannot be cloned is an error', async () => {
  const recipe = payloads.value('() => ({ f() {} })');
  await assert.rejects(profiled('node', { recipe }), /could not be cloned/);
});

test('v8-profiler-next that does not load is named with its reason, and the inspector profiles', {
  skip: onlyInWhole,
}, async () => {
  const cwd = join(payloads.path, 'other build');
  mkdirSync(join(cwd, 'node_modules', 'v8-profiler-next'), { recursive: true });
  const text = 'throw new Error("was compiled against another version\\nof Node.js")';
  writeFileSync(join(cwd, 'node_modules', 'v8-profiler-next', 'index.js'), text);
  const { profile } = await profiled('node', { cwd });
  assert.equal(profile.by, 'inspector');
  const why = `installed, but it does not load in Node ${process.versions.node}: Error: was compiled against another version`;
  const expected = SIDES.map((side) => ({ what: `${side} v8-profiler-next`, why }));
  assert.deepEqual(profile.missing, expected);
});

test('v8-profiler-next is used if the user has installed it', { skip: missingAddon() }, async () => {
  const { profile, folder } = await profiled('node', { cwd: ADDON_FOLDER });
  assert.equal(profile.by, 'v8-profiler-next');
  assert.ok(!profile.top.some(({ name }) => name === 'setProfilesCleanupLimit'));
  assert.ok(!profile.top.some(({ name, work }) => name === '(program)' && work === 'clone'));
  assert.deepEqual(profile.files, FILES);
  for (const name of FILES) assertProfile(folder, name, false);
});
