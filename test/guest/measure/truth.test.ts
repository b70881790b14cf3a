import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Channel } from '../../../src/model/names.ts';
import type { Measured } from '../../../src/model/wire.ts';
import { killAll } from '../../../src/runtimes/process/process-group.ts';
import { markChildren } from '../../runtimes/left-behind.ts';
import { Workshop } from '../../runtimes/workshop.ts';
import { runtime } from '../../support/runtimes.ts';
import { both, FLOOR, measureOf, ORIGINAL, setOf, specimen, typical, type Wishes } from './requests.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const work = new Workshop();
after(() => work.remove());
afterEach(killAll);

/** Measures the export `value` of a module of this text, in a fresh guest. */
async function measured(spec: string, text: string, wishes: Wishes = {}): Promise<Measured> {
  const guest = await work.start(await runtime(spec));
  const answer = await guest.ask(measureOf(work.module(`of-${text.length}.mjs`, text), wishes));
  await guest.close();
  return answer;
}

const sendOf = (result: Measured) => typical(setOf(result, 'original').send);
const tripOf = (result: Measured) => typical(setOf(result, 'original').roundTrip);

test('Bun shares the string of a flat object and copies it when it is nested', async () => {
  const flat = await measured('bun@1.4.5', `export const value = () => ({ s: 'x'.repeat(3e6) });`);
  const nested = await measured(
    'bun@1.4.5',
    `export const value = () => ({ task: { s: 'x'.repeat(3e6) } });`,
  );
  const [cheap, dear] = [sendOf(flat), sendOf(nested)];
  assert.ok(cheap * 100 < dear, `flat ${cheap} ns, nested ${dear} ns`);
});

test('the root string of another variant stays shared though the original sends it the slow way', async () => {
  const variants = [FLOOR, ORIGINAL, ...both('unwrap-string', { paths: ['$.task.s'], form: 'bare' })];
  const text = `const s = 'y'.repeat(3e6); export const value = () => ({ task: { s: s.slice(1) + '!' } });`;
  const result = await measured('bun@1.4.5', text, { variants });
  const [inPlace, original] = ['unwrap-string/in-place', 'original'].map((id) =>
    typical(setOf(result, id).send),
  );
  assert.ok(inPlace! * 50 < original!, `in place ${inPlace} ns, original ${original} ns`);
});

test('V8 sends a holey array the slow way, also when it has no holes', async () => {
  const packed = `export const value = () => { const a = []; for (let i = 0; i < 1e5; i++) a.push(i); return a; };`;
  const holey = `export const value = () => { const a = new Array(1e5); for (let i = 0; i < 1e5; i++) a[i] = i; return a; };`;
  const [fast, slow] = [await measured('node', packed), await measured('node', holey)];
  assert.ok(sendOf(fast) * 2 < sendOf(slow), `send: ${sendOf(fast)} ns packed, ${sendOf(slow)} ns holey`);
  assert.ok(tripOf(fast) * 1.5 < tripOf(slow), `trip: ${tripOf(fast)} ns packed, ${tripOf(slow)} ns holey`);
});

test('the way back costs what the way there costs: the peer does not return a degraded value', async () => {
  const packed = `export const value = () => { const a = []; for (let i = 0; i < 2e4; i++) a.push(i); return a; };`;
  const result = await measured('node', packed, { sliceMs: 200 });
  const { send, receive } = setOf(result, 'original');
  const oneWay = typical(send) + typical(receive);
  const trip = tripOf(result) - typical(setOf(result, 'floor').roundTrip);
  assert.ok(trip < oneWay * 3, `trip ${trip} ns, one way ${oneWay} ns`);
});

test('the same thing twice comes out the same: turns cancel drift', async () => {
  const variants = [ORIGINAL, { ...ORIGINAL, id: 'again' }];
  const guest = await work.start(await runtime('node'));
  const result = await guest.ask(measureOf(specimen('rows'), { variants, sliceMs: 600, maxRounds: 2000 }));
  await guest.close();
  const [one, other] = variants.map(({ id }) => typical(setOf(result, id).roundTrip));
  assert.ok(Math.abs(one! / other! - 1) < 0.15, `${one} ns and ${other} ns`);
});

/** A program that measures and then has nothing more to do; `dist/guest/peer.mjs` lies beside it, as beside the guest. */
async function program(): Promise<string> {
  const outfile = join(work.folder, 'program.mjs');
  await build({
    stdin: {
      contents: `import { measure } from './src/guest/measure/measure.ts';
        console.log(JSON.stringify(await measure(JSON.parse(process.argv[2]))));`,
      resolveDir: root,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['bun:*', 'node:*'],
  });
  copyFileSync(join(root, 'dist/guest/peer.mjs'), join(work.folder, 'peer.mjs'));
  return outfile;
}

const PROGRAM = await program();
// Only now: esbuild's own service stays until the tests end.
const { left } = markChildren();

for (const spec of ['node', 'bun@1.4.5', 'bun@1.2.20', 'deno@2.9.6']) {
  test(`nothing keeps the process alive afterwards: ${spec}`, async () => {
    const { binary, name } = await runtime(spec);
    const channels: Channel[] = ['worker', 'message-port', 'structured-clone', 'broadcast'];
    if (name !== 'deno') channels.push('ipc');
    for (const channel of channels) {
      const ask = JSON.stringify(measureOf(specimen('flat-object'), { channel }));
      const args = [...(name === 'deno' ? ['run', '-A', '--no-lock'] : []), PROGRAM, ask];
      const { stdout } = await promisify(execFile)(binary, args, { timeout: 10_000, cwd: work.folder });
      assert.ok((JSON.parse(stdout) as Measured).rounds >= 5, channel);
      assert.deepEqual(await left(), [], channel);
    }
  });
}
