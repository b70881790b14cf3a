import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, before, describe, test } from 'node:test';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { trackChildProcesses, until } from '../../support/child-processes.ts';
import { openRequest, PayloadFolder } from '../../support/payload-folder.ts';
import { missing, runtime, testOnEach } from '../../support/runtimes.ts';
import { rejection } from '../../support/tool-errors.ts';

const noneRunning = trackChildProcesses();
const folder = new PayloadFolder();
afterEach(async () => {
  // Guests of a test that failed must not fail the next ones.
  await noneRunning().finally(killAll);
});

testOnEach('a module that prints and replaces built-ins does not disturb the link', async (here) => {
  const guest = await folder.startGuest(here);
  const recipe = folder.module(
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
  const opened = await guest.ask(openRequest(recipe));
  assert.deepEqual(
    opened.payloads.map((p) => p.id),
    ['noisy#value'],
  );
  assert.match(opened.notes.join(), /'spied' is undefined/);
  await guest.close();
});

testOnEach(
  'the guest names its runtime; a module that throws is an answer, and it continues',
  async (here) => {
    const guest = await folder.startGuest(here);
    assert.deepEqual(guest.hello.runtime, { name: here.name, version: here.version, engine: here.engine });
    const bad = folder.module('throws.mjs', '\n  throw new RangeError("no such shard")');
    const error = await rejection('module-threw', guest.ask(openRequest(bad)));
    assert.match(error.message, /throws\.mjs: threw while loading: RangeError: no such shard \(line 2/);
    for (const [thrown, saying] of [
      ['null', 'null'],
      ['Object.create(null)', 'cannot be turned into text'],
      ['{ get message() { throw 1 } }', 'object Object'],
    ] as const) {
      const odd = folder.module(`odd${thrown.length}.mjs`, `throw ${thrown}`);
      assert.match(
        (await rejection('module-threw', guest.ask(openRequest(odd)))).message,
        new RegExp(saying),
      );
    }
    const good = await guest.ask(openRequest(folder.module('good.mjs', 'export const value = 1')));
    assert.equal(good.payloads.length, 1);
    await guest.close();
    assert.equal(guest.dead, true);
    await rejection(
      'interrupted',
      guest.ask(openRequest(folder.module('late.mjs', 'export const value = 1'))),
    );
  },
);

testOnEach('an exception in a timer or a rejection is an answer too', async (here) => {
  const guest = await folder.startGuest(here);
  for (const [name, text] of [
    ['timer.mjs', 'setTimeout(() => { throw new Error("from a timer") }, 1); await new Promise(() => {});'],
    ['reject.mjs', 'Promise.reject(new Error("from a rejection")); await new Promise(() => {});'],
  ] as const) {
    const recipe = folder.module(name, `setInterval(() => {}, 1000);${text} export const value = 1`);
    assert.match(
      (await rejection('module-threw', guest.ask(openRequest(recipe)))).message,
      /from a (timer|rejection)/,
    );
  }
  const thrown = join(folder.path, `${here.spec}.thrown`);
  const later = folder.module(
    'later.mjs',
    `import { writeFileSync } from 'node:fs';
     setTimeout(() => { writeFileSync(${JSON.stringify(thrown)}, ''); throw new Error("later") }, 1);
     export const value = 1`,
  );
  await guest.ask(openRequest(later));
  await until(
    () => existsSync(thrown),
    () => 'the timer of the module did not run',
  );
  assert.equal(guest.dead, false);
  const exits = folder.module('exits.mjs', 'process.exit(3); export const value = 1');
  const error = await rejection('guest-exited', guest.ask(openRequest(exits)));
  assert.match(error.facts.output ?? '', /later/);
});

testOnEach('messages of a megabyte pass in both directions', async (here) => {
  const guest = await folder.startGuest(here);
  const names = Array.from({ length: 24_000 }, (_, i) => `name_${i}_with_ünïcode_\u2028_and_more_text`);
  const recipe = folder.module('big.mjs', 'export const value = 1');
  const error = await rejection('export-missing', guest.ask({ type: 'open', recipe, exports: names }));
  assert.equal(error.facts.export, names[0]);
  const many = folder.module(
    'many.mjs',
    names
      .slice(0, 8000)
      .map((_, i) => `export const value_${i} = 1;`)
      .join(''),
  );
  const opened = await guest.ask(openRequest({ ...many, id: 'x\ud800' }));
  assert.equal(opened.payloads.length, 8000);
  assert.equal(opened.payloads[7999]?.build.form, 'module');
  await guest.close();
});

test('after its answer a guest may send nothing', async () => {
  const guest = await folder.startGuest(runtime('node'));
  const flag = join(folder.path, 'answered');
  const recipe = folder.module(
    'sends-later.mjs',
    `import { existsSync } from 'node:fs';
     const timer = setInterval(() => {
       if (!existsSync(${JSON.stringify(flag)})) return;
       clearInterval(timer);
       for (const handle of process._getActiveHandles()) if (handle.remotePort) handle.write('y');
     }, 5);
     export const value = 1`,
  );
  assert.equal((await guest.ask(openRequest(recipe))).payloads.length, 1);
  folder.file('answered', '');
  await until(
    () => guest.dead,
    () => 'the guest goes on',
  );
  const error = await rejection('guest-protocol', guest.ask(openRequest(recipe)));
  assert.match(error.message, /a line of more than 0 bytes/);
});

const WITH_PACKAGES = ['node', 'bun@1.4.5', 'deno@2.9.6'] as const;

describe('payload modules find the packages and import maps of the project, and nothing is fetched', () => {
  before(() => {
    mkdirSync(join(folder.path, 'node_modules', 'dep'), { recursive: true });
    folder.file('node_modules/dep/package.json', '{"name":"dep","version":"1.0.0","main":"index.js"}');
    folder.file('node_modules/dep/index.js', 'module.exports = { rows: [1, 2] }');
    folder.file('package.json', '{"dependencies":{"dep":"1"}}');
    folder.file('deno.json', '{"imports":{"#mapped":"./mapped.mjs"}}');
    folder.file('mapped.mjs', 'export const rows = [3]');
  });
  for (const spec of WITH_PACKAGES) {
    test(spec, { skip: missing(spec) }, async () => {
      const modules: [name: string, text: string][] = [
        ['untyped.js', 'module.exports = { ...require("dep") }'],
        ['esm.mjs', 'import dep from "dep"; export const { rows } = dep'],
      ];
      if (spec.startsWith('deno')) modules.push(['map.mjs', 'export { rows } from "#mapped"']);
      const guest = await folder.startGuest(runtime(spec));
      for (const [name, text] of modules) {
        const recipe = folder.module(name, text);
        const { payloads } = await guest.ask(openRequest(recipe));
        assert.deepEqual(
          payloads.map((p) => p.id),
          [`${recipe.id}#rows`],
        );
      }
      const absent = folder.module('absent.mjs', 'import "left-pad"; export const value = 1');
      await rejection('module-threw', guest.ask(openRequest(absent)));
      assert.equal(existsSync(join(folder.path, 'node_modules', 'left-pad')), false);
      await guest.close();
    });
  }
});
