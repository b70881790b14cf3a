/** What a real post over each channel shows: what is lost, what is refused, how much is written. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { afterEach } from 'node:test';
import { ownedPath, WORK } from '../../../src/machine/temp-folders.ts';
import type { Channel } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import type { RuntimeSpec } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';

const folder = new PayloadFolder();
afterEach(killAll);

const DATA = folder.module(
  'data.mjs',
  `class Point { x = 1 }
   export const value = () => ({
     at: new Date(0), odd: NaN, point: new Point(), bytes: new Uint8Array(100_000).subarray(0, 100), text: 'x',
   });`,
);
const CALL = folder.value('() => ({ run() {}, id: 1 })');

/** What no receiver in another process can read, or is refused on the way. */
const ENDS = folder.value(
  `() => ({ code: new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) })`,
);
const NO_TEXT = folder.value('() => ({ run() {}, toJSON() {} })');
/** Deno would call it for ever. */
const ENDLESS = folder.value('() => ({ id: 1, toJSON() { return { ...this }; } })');
/** Each value in the circle is refused again. */
const CIRCLE = folder.value('() => { const one = { in: {} }; one.in.one = one; return { id: 1, one }; }');
/** Its getter fills the list in: only the first post of it is refused. */
const FILLED = folder.value(`() => {
     const list = [{ get model() { list[0] = { model: 'x' }; return 'x'; }, run() {} }];
     return list;
   }`);
const BUFFER = folder.value("() => ({ b: Buffer.from('abcdef') })");
const DETACHED = folder.value(`() => {
     const view = new DataView(new ArrayBuffer(8));
     structuredClone(view.buffer, { transfer: [view.buffer] });
     return { view };
   }`);

/** V8 stores it as a dictionary, until its thread has received one. */
const DICTIONARY = folder.value(`() => {
     const made = {};
     for (let i = 0; i < 150; i++) made['k' + i] = i;
     return made;
   }`);

const BUN = [false, 'simple-object', null, null];

const CLONED = ['$.point'];
const LOST: Partial<Record<Channel, string[]>> = {
  worker: CLONED,
  'message-port': CLONED,
  broadcast: CLONED,
  'structured-clone': CLONED,
  'ipc-advanced': CLONED,
  'ipc-json': ['$.at', '$.bytes', '$.odd', '$.point'],
  storage: CLONED,
};
/** V8's delegates write a view alone; JavaScriptCore writes its buffer there too. */
const ALONE = (spec: string) =>
  spec.startsWith('bun') ? ['ipc-json'] : ['ipc-json', 'ipc-advanced', 'storage'];

/** Files that guests of this process store messages in. */
const foldersLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith(basename(ownedPath(WORK))));

const SPECS = usually<RuntimeSpec>(['node', 'bun@1.4.5'], ['deno@2.9.6']);
folder.testInGuests('each channel shows its own losses, refusals and bytes', SPECS, async (guest, spec) => {
  const described = (recipe: Recipe, channel: Channel = 'worker', twice = false) =>
    guest.ask({ type: 'describe', recipe, channel, confirm: true, twice });
  const seen: unknown[] = [];
  for (let time = 0; time < 2; time++) {
    const { shape, ...rest } = await described(DICTIONARY, 'worker', true);
    const isDictionary = shape.patterns[0]!.flags.includes('dictionary');
    seen.push([isDictionary, rest.confirmation?.path, rest.afterReceiving, rest.shownOther]);
  }
  const later = [false, 'fast-object', null, null];
  const isV8 = !spec.startsWith('bun');
  assert.deepEqual(seen, isV8 ? [[true, 'dictionary-object', '$', null], later] : [BUN, BUN]);
  const channels = { ...LOST, ...(spec.startsWith('deno') && { 'node-worker': CLONED }) };
  for (const [name, paths] of Object.entries(channels)) {
    const channel = name as Channel;
    const { losses, message } = await described(DATA, channel);
    assert.deepEqual(losses?.map(({ path }) => path).sort(), paths, channel);
    const way = channel === 'ipc-json' ? 'json' : 'serializer';
    const { bytes } = message.find(({ path }) => path === way)!;
    const isWhole = bytes > 100_000 && bytes < 100_300;
    assert.equal(isWhole, !ALONE(spec).includes(channel), `${channel}: ${bytes}`);
    const called = await described(CALL, channel);
    assert.equal(called.confirmation?.path !== 'rejected', channel === 'ipc-json', channel);
  }
  if (spec.startsWith('bun')) {
    // Its class is written for other processes alone.
    const { message } = await described(BUFFER);
    assert.deepEqual(message, [{ path: 'serializer', bytes: 47 }]);
  }
  const posted = async (recipe: Recipe, channel: Channel) => {
    const { confirmation } = await described(recipe, channel);
    const rejected = confirmation?.path === 'rejected' ? confirmation.evidence : '';
    return { rejected, refused: confirmation?.refused };
  };
  for (const [recipe, channel] of [
    [ENDS, 'ipc-advanced'],
    [NO_TEXT, 'ipc-json'],
  ] as const) {
    const { rejected, refused } = await posted(recipe, channel);
    const reason =
      spec === 'bun@1.4.5' && channel === 'ipc-advanced' ? /DataClone/ : /it ends the receiver|serial/;
    if (spec === 'deno@2.9.6' && recipe === NO_TEXT) assert.equal(rejected, '');
    else assert.match(rejected, reason);
    if (recipe === NO_TEXT && rejected !== '') assert.equal(refused, '$');
  }
  assert.notEqual((await posted(FILLED, 'worker')).rejected, '');
  assert.equal((await posted(CIRCLE, 'ipc-json')).refused, '$.one.in.one');
  assert.equal(/never ends/.test((await posted(ENDLESS, 'ipc-json')).rejected), spec === 'deno@2.9.6');
  // Whether it is refused depends on the version; what follows arrives all the same.
  await posted(DETACHED, 'ipc-advanced');
  assert.equal((await posted(DATA, 'ipc-advanced')).rejected, '');
  await guest.close();
  assert.deepEqual(foldersLeft(), []);
});
