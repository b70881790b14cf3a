import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { killAll } from '../../../src/runtimes/process/process-group.ts';
import { runtime } from '../../support/runtimes.ts';
import { failure, onEach } from '../guests.ts';
import { markChildren } from '../left-behind.ts';
import { Workshop } from '../workshop.ts';

const { left } = markChildren();
const work = new Workshop();
after(() => work.remove());
// A test that fails must not fail the next ones by what it left.
afterEach(killAll);

const openOf = (recipe: ReturnType<Workshop['module']>) => ({ type: 'open', recipe, exports: null }) as const;

async function noneLeft(): Promise<void> {
  assert.deepEqual(await left(), []);
}

onEach('says who it is', async (rt) => {
  const guest = await work.start(rt);
  assert.deepEqual(guest.hello.runtime, { name: rt.name, version: rt.version, engine: rt.engine });
  await guest.close();
  assert.equal(guest.dead, true);
  await failure('interrupted', guest.ask(openOf(work.module('late.mjs', 'export const value = 1'))));
  await noneLeft();
});

onEach('a module that prints and replaces what it can does not spoil the line', async (rt) => {
  const guest = await work.start(rt);
  const recipe = work.module(
    'noisy.mjs',
    `console.log('{"type":"opened","id":1,"payloads":[]}\\n'); console.error('to stderr');
     process.stdout.write('x'.repeat(300000) + '\\nend of stdout\\n');
     for (const name of Object.keys(console)) console[name] = () => { throw new Error('console is mine'); };
     Array.prototype.toJSON = () => 'mine'; String.prototype.toJSON = () => 'mine'; Object.prototype.toJSON = () => 'mine';
     JSON.stringify = JSON.parse = () => { throw new Error('JSON is mine'); };
     process.exit = () => { throw new Error('exit is mine'); };
     process.env.CLONE_PROF_LINK && (globalThis.spied = true);
     export const value = [1]; export const spied = globalThis.spied ? 1 : undefined;`,
  );
  const opened = await guest.ask(openOf(recipe));
  assert.deepEqual(
    opened.payloads.map((p) => p.id),
    ['noisy#value'],
  );
  assert.match(opened.notes.join(), /'spied' is undefined/);
  await guest.close();
  await noneLeft();
});

onEach('a module that throws is an answer, and the guest goes on', async (rt) => {
  const guest = await work.start(rt);
  const bad = work.module('throws.mjs', '\n  throw new RangeError("no such shard")');
  const error = await failure('module-threw', guest.ask(openOf(bad)));
  assert.match(error.message, /throws\.mjs: threw while loading: RangeError: no such shard \(line 2/);
  for (const [thrown, saying] of [
    ['null', 'null'],
    ['Object.create(null)', 'cannot be turned into text'],
    ['{ get message() { throw 1 } }', 'object Object'],
  ] as const) {
    const odd = work.module(`odd${thrown.length}.mjs`, `throw ${thrown}`);
    assert.match((await failure('module-threw', guest.ask(openOf(odd)))).message, new RegExp(saying));
  }
  const good = await guest.ask(openOf(work.module('good.mjs', 'export const value = 1')));
  assert.equal(good.payloads.length, 1);
  await guest.close();
  await noneLeft();
});

onEach('an exception out of reach is an answer too', async (rt) => {
  const guest = await work.start(rt);
  for (const [name, text] of [
    ['timer.mjs', 'setTimeout(() => { throw new Error("from a timer") }, 1); await new Promise(() => {});'],
    ['reject.mjs', 'Promise.reject(new Error("from a rejection")); await new Promise(() => {});'],
  ] as const) {
    const recipe = work.module(name, `setInterval(() => {}, 1000);${text} export const value = 1`);
    assert.match(
      (await failure('module-threw', guest.ask(openOf(recipe)))).message,
      /from a (timer|rejection)/,
    );
  }
  const later = work.module(
    'later.mjs',
    'setTimeout(() => { throw new Error("later") }, 30); export const value = 1',
  );
  await guest.ask(openOf(later));
  await pause(100);
  assert.equal(guest.dead, false);
  const exits = work.module('exits.mjs', 'process.exit(3); export const value = 1');
  const error = await failure('guest-exited', guest.ask(openOf(exits)));
  assert.match(error.facts.output ?? '', /later/);
  await noneLeft();
});

onEach('frames of many megabytes pass both ways', async (rt) => {
  const guest = await work.start(rt);
  const names = Array.from({ length: 200_000 }, (_, i) => `name_${i}_with_ünïcode_\u2028_and_more_text`);
  const recipe = work.module('big.mjs', 'export const value = 1');
  const error = await failure('export-missing', guest.ask({ type: 'open', recipe, exports: names }));
  assert.equal(error.facts.export, names[0]);
  const huge = { ...recipe, id: 'x\ud800'.repeat(4_000_000) };
  const opened = await guest.ask(openOf(huge));
  assert.equal(opened.payloads[0]?.id, `${huge.id}#value`);
  await guest.close();
  await noneLeft();
});

onEach('two guests at once do not mix', async (rt) => {
  const guests = await Promise.all([work.start(rt), work.start(rt)]);
  const answers = await Promise.all(
    guests.map((guest, i) => guest.ask(openOf(work.module(`twin${i}.mjs`, `export const twin${i} = 1`)))),
  );
  assert.deepEqual(
    answers.map((a) => a.payloads[0]?.id),
    ['twin0#twin0', 'twin1#twin1'],
  );
  await Promise.all(guests.map((guest) => guest.close()));
  await noneLeft();
});

test('payload modules find what the project of the user gives them', async () => {
  mkdirSync(join(work.folder, 'node_modules', 'dep'), { recursive: true });
  work.file('node_modules/dep/package.json', '{"name":"dep","version":"1.0.0","main":"index.js"}');
  work.file('node_modules/dep/index.js', 'module.exports = { rows: [1, 2] }');
  work.file('package.json', '{"dependencies":{"dep":"1"}}');
  work.file('deno.json', '{"imports":{"#mapped":"./mapped.mjs"}}');
  work.file('mapped.mjs', 'export const rows = [3]');
  const commonJs = work.module('untyped.js', 'module.exports = { ...require("dep") }');
  const esm = work.module('esm.mjs', 'import dep from "dep"; export const { rows } = dep');
  for (const spec of ['node', 'bun@1.4.5', 'deno@2.9.6']) {
    const guest = await work.start(await runtime(spec));
    for (const recipe of [commonJs, esm]) {
      const { payloads } = await guest.ask(openOf(recipe));
      assert.deepEqual(
        payloads.map((p) => p.id),
        [`${recipe.id}#rows`],
        spec,
      );
    }
    await guest.close();
  }
  const deno = await work.start(await runtime('deno@2.9.6'));
  const mapped = work.module('map.mjs', 'export { rows } from "#mapped"');
  assert.equal((await deno.ask(openOf(mapped))).payloads.length, 1);
  await deno.close();
  await noneLeft();
});

test('nothing is fetched for a payload module', async () => {
  const absent = work.module('absent.mjs', 'import "left-pad"; export const value = 1');
  for (const spec of ['node', 'bun@1.4.5', 'deno@2.9.6']) {
    const guest = await work.start(await runtime(spec));
    await failure('module-threw', guest.ask(openOf(absent), { deadlineMs: 5000 }));
    await guest.close();
  }
  assert.equal(existsSync(join(work.folder, 'node_modules', 'left-pad')), false);
  await noneLeft();
});
