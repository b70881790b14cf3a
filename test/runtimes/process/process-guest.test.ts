import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, before, describe, test } from 'node:test';
import type { Guest } from '../../../src/model/run/runtime.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { trackChildProcesses, until } from '../../support/child-processes.ts';
import { openRequest, PayloadFolder } from '../../support/payload-folder.ts';
import { MAIN_RUNTIMES, missing, runtime } from '../../support/runtimes.ts';
import { rejection } from '../../support/tool-errors.ts';
import { withVariable } from '../../support/with-variable.ts';

const noneRunning = trackChildProcesses();
const folder = new PayloadFolder();
afterEach(async () => {
  // Guests of a test that failed must not fail the next ones.
  await noneRunning().finally(killAll);
});

const open = (guest: Guest, name: string, text: string) => guest.ask(openRequest(folder.module(name, text)));

folder.testInGuests(
  'the guest names its runtime; a module that throws is an answer, and it continues',
  MAIN_RUNTIMES,
  async (guest, spec) => {
    const { name, version, engine } = runtime(spec);
    assert.deepEqual(guest.hello.runtime, { name, version, engine });
    const threw = open(guest, 'throws.mjs', '\n  throw new RangeError("no such shard")');
    const error = await rejection('module-threw', threw);
    assert.match(error.message, /throws\.mjs: threw while loading: RangeError: no such shard \(line 2/);
    const good = await open(guest, 'good.mjs', 'export const value = 1');
    assert.equal(good.payloads.length, 1);
    await guest.close();
    assert.equal(guest.dead, true);
    await rejection('interrupted', open(guest, 'late.mjs', 'export const value = 1'));
  },
);

folder.testInGuests(
  'an exception in a timer or a rejection is an answer too',
  MAIN_RUNTIMES,
  async (guest, spec) => {
    for (const [name, text] of [
      ['timer.mjs', 'setTimeout(() => { throw new Error("from a timer") }, 1); await new Promise(() => {});'],
      ['reject.mjs', 'Promise.reject(new Error("from a rejection")); await new Promise(() => {});'],
    ] as const) {
      const module = `setInterval(() => {}, 1000);${text} export const value = 1`;
      const { message } = await rejection('module-threw', open(guest, name, module));
      assert.match(message, /from a (timer|rejection)/);
    }
    const thrown = join(folder.path, `${spec}.thrown`);
    const later = `import { writeFileSync } from 'node:fs';
     setTimeout(() => { writeFileSync(${JSON.stringify(thrown)}, ''); throw new Error("later") }, 1);
     export const value = 1`;
    await open(guest, 'later.mjs', later);
    await until(() => existsSync(thrown), 'the timer of the module did not run');
    assert.equal(guest.dead, false);
    const exits = open(guest, 'exits.mjs', 'process.exit(3); export const value = 1');
    const error = await rejection('guest-exited', exits);
    assert.match(error.facts.output ?? '', /later/);
  },
);

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
  await until(() => guest.dead, 'the guest goes on');
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
        const { payloads } = await open(guest, name, text);
        assert.equal(payloads.map(({ id }) => id).join(), `${name.replace(/\..*/, '')}#rows`);
      }
      const absent = open(guest, 'absent.mjs', 'import "left-pad"; export const value = 1');
      await rejection('module-threw', absent);
      assert.equal(existsSync(join(folder.path, 'node_modules', 'left-pad')), false);
      await guest.close();
    });
  }
});

// The end of a guest.

folder.testInGuests('a guest that hangs is killed with all that it started', MAIN_RUNTIMES, async (guest) => {
  const hangs = `import { spawn } from 'node:child_process';
     spawn('sleep', ['600'], { stdio: 'inherit' });
     console.log('working'); export const value = () => { for (;;) {} };`;
  // The child runs and the line is printed before the deadline of the request that hangs begins.
  const { payloads } = await open(guest, 'hangs.mjs', hangs);
  const describe = { type: 'describe', recipe: payloads[0]!, channel: 'worker', confirm: false } as const;
  const error = await rejection('guest-timeout', guest.ask(describe, { deadlineMs: 500 }));
  assert.equal(error.facts.ms, 500);
  assert.match(error.facts.output ?? '', /working/);
});

folder.testInGuests('a crash is told apart from an exit', MAIN_RUNTIMES, async (guest) => {
  const abort = open(guest, 'aborts.mjs', 'process.abort(); export const value = 1');
  const error = await rejection('guest-crashed', abort);
  assert.match(error.facts.detail ?? '', /SIG(ABRT|TRAP|ILL)|exit code 13\d/);
});

for (const spec of MAIN_RUNTIMES) {
  const name = `${spec}: exit handlers of user code run when the guest is closed, and cannot keep it alive`;
  test(name, { skip: missing(spec) }, async (t) => {
    const guest = await folder.startGuest(runtime(spec));
    const handled = join(folder.path, `${spec}.handled`);
    const endless = `import { writeFileSync } from 'node:fs';
       process.on('exit', () => { writeFileSync(${JSON.stringify(handled)}, ''); for (;;) {} }); export const value = 1`;
    await open(guest, 'endless.mjs', endless);
    // The time that handlers may take passes only when the test says so.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const closed = guest.close();
    await until(() => existsSync(handled), 'the exit handler did not run');
    t.mock.timers.tick(60_000);
    t.mock.timers.reset();
    await closed;
  });
}

test('a runtime out of memory is a crash with that reason', async () => {
  const start = () => folder.startGuest(runtime('node'));
  const guest = await withVariable('NODE_OPTIONS', '--max-old-space-size=32', start);
  const hungry = 'const kept = []; for (;;) kept.push(new Array(1e4).fill({})); export const value = 1';
  const error = await rejection('guest-crashed', open(guest, 'hungry.mjs', hungry));
  assert.match(error.message, /out of memory/);
});

test('another version of a runtime, or one that is stuck, is an error', async () => {
  const node = runtime('node');
  const other = await rejection('runtime-missing', folder.startGuest({ ...node, version: '1.0.0' }));
  assert.match(other.message, /turned out to be node /);
  const stuck = folder.module('stuck.cjs', 'setInterval(() => {}, 1000); while (true) {}').source.file;
  const late = await withVariable('NODE_OPTIONS', `--require ${JSON.stringify(stuck)}`, () =>
    rejection('guest-silent', folder.startGuest(node, { timeoutMs: 500 })),
  );
  assert.match(late.message, /nothing within 500 ms/);
});

test('a child in another group that wiped its environment does not delay the answer', async () => {
  const guest = await folder.startGuest(runtime('node'));
  const pidFile = join(folder.path, 'escaped.pid');
  const escapes = `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
     const child = spawn('/bin/sleep', ['600'], { stdio: 'inherit', detached: true, env: {} });
     writeFileSync(${JSON.stringify(pidFile)}, String(child.pid)); process.exit(4);`;
  await rejection('guest-exited', open(guest, 'wiped.mjs', escapes));
  // Throws when the child has ended: then the answer may have waited for it.
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
});
