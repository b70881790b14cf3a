import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ToolError } from '../../src/model/errors.ts';
import type { FoundRuntime } from '../../src/model/runtime.ts';
import { killAll } from '../../src/runtimes/process.ts';
import { runtime } from '../support/runtimes.ts';
import { markChildren } from './left-behind.ts';
import { Workshop } from './workshop.ts';

const { left } = markChildren();
const work = new Workshop();
after(() => work.remove());
// A test that fails must not fail the next ones by what it left.
afterEach(killAll);

const openOf = (recipe: ReturnType<Workshop['module']>) => ({ type: 'open', recipe, exports: null }) as const;

/** Fails with this code, and returns the error for a closer look. */
async function failure(code: string, promise: Promise<unknown>): Promise<ToolError> {
  const error = await promise.then(
    () => assert.fail(`no ${code}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ToolError, String(error));
  assert.equal(error.code, code, error.message);
  return error;
}

async function noneLeft(): Promise<void> {
  assert.deepEqual(await left(), []);
}

for (const spec of ['node', 'bun@1.4.5', 'bun@1.2.20', 'deno@2.9.6']) {
  describe(spec, () => {
    let rt: FoundRuntime;
    before(async () => {
      rt = await runtime(spec);
    });

    test('says who it is', async () => {
      const guest = await work.start(rt);
      const { name, version, engine } = guest.hello.runtime;
      assert.deepEqual({ name, version, engine }, { name: rt.name, version: rt.version, engine: rt.engine });
      assert.ok(guest.hello.runtime.engineVersion.length > 3);
      await guest.close();
      assert.equal(guest.dead, true);
      await failure('interrupted', guest.ask(openOf(work.module('late.mjs', 'export const value = 1'))));
      await noneLeft();
    });

    test('a module that prints and replaces what it can does not spoil the line', async () => {
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
      // Bun writes to a pipe in its own time, and forgets the rest when it exits.
      for (let i = 0; i < 100 && !/end of stdout/.test(guest.output()); i++) await pause(20);
      await guest.close();
      assert.match(guest.output(), /end of stdout/);
      assert.ok(guest.output().length <= 65_536);
      await noneLeft();
    });

    test('a module that exits ends its guest only', async () => {
      const guest = await work.start(rt);
      const quitter = work.module(
        'quits.mjs',
        'console.log("going"); process.exit(3); export const value = 1',
      );
      const error = await failure('guest-exited', guest.ask(openOf(quitter)));
      assert.equal(error.facts.detail, 'exit code 3');
      assert.match(error.facts.output ?? '', /going/);
      assert.equal(guest.dead, true);
      await failure('guest-exited', guest.ask(openOf(quitter)));
      await guest.close();
      await noneLeft();
    });

    test('a module that throws is an answer, and the guest goes on', async () => {
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

    test('an exception out of reach is an answer too', async () => {
      const guest = await work.start(rt);
      for (const [name, text] of [
        [
          'timer.mjs',
          'setTimeout(() => { throw new Error("from a timer") }, 1); await new Promise(() => {});',
        ],
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
      assert.match(guest.output(), /later/);
      await guest.close();
      await noneLeft();
    });

    test('a guest that hangs is killed with all it started', async () => {
      const pidFile = join(work.folder, `${spec}.pid`);
      const hang = work.module(
        'hangs.mjs',
        `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
         const child = spawn('sleep', ['600'], { stdio: 'inherit' });
         writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
         console.log('working'); for (;;) {} export const value = 1;`,
      );
      const guest = await work.start(rt);
      const error = await failure('guest-timeout', guest.ask(openOf(hang), { deadlineMs: 1500 }));
      assert.equal(error.facts.ms, 1500);
      assert.match(error.facts.output ?? '', /working/);
      assert.ok(existsSync(pidFile));
      await noneLeft();
    });

    test('a crash is told from an exit', async () => {
      const guest = await work.start(rt);
      const abort = work.module('aborts.mjs', 'process.abort(); export const value = 1');
      const error = await failure('guest-crashed', guest.ask(openOf(abort)));
      assert.match(error.facts.detail ?? '', /SIG(ABRT|TRAP|ILL)|exit code 13\d/);
      await noneLeft();
    });

    test('frames of many megabytes pass both ways', async () => {
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

    test('two guests at once do not mix', async () => {
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

    test('an abort kills the guest and answers all questions', async () => {
      const controller = new AbortController();
      const guest = await work.start(rt, { signal: controller.signal });
      const waits = work.module(
        'waits.mjs',
        'await new Promise((r) => setTimeout(r, 60_000)); export const value = 1',
      );
      const asked = guest.ask(openOf(waits));
      setTimeout(() => controller.abort(), 50);
      await failure('interrupted', asked);
      await failure('interrupted', work.start(rt, { signal: controller.signal }));
      await noneLeft();
    });

    test('killAll kills at once, without waiting for the loop', async () => {
      const guest = await work.start(rt);
      killAll();
      const error = await failure(
        'guest-crashed',
        guest.ask(openOf(work.module('k.mjs', 'export const value = 1'))),
      );
      assert.match(error.message, /SIGKILL/);
      await noneLeft();
    });

    test('exit handlers of user code run when the guest is told to leave, and cannot hold it', async () => {
      const mark = join(work.folder, `${spec}.left`);
      const polite = work.module(
        'leaves.mjs',
        `import { writeFileSync } from 'node:fs';
         process.on('exit', () => { writeFileSync(${JSON.stringify(mark)}, ''); for (;;) {} }); export const value = 1`,
      );
      const guest = await work.start(rt);
      await guest.ask(openOf(polite));
      const started = performance.now();
      await guest.close();
      assert.ok(performance.now() - started < 5000);
      assert.ok(existsSync(mark));
      await noneLeft();
    });
  });
}

test('a runtime out of memory is a crash that says so', async () => {
  const guest = await work.start(await runtime('node'), { flags: ['--max-old-space-size=32'] });
  const hungry = work.module(
    'hungry.mjs',
    'const kept = []; for (;;) kept.push(new Array(1e4).fill({})); export const value = 1',
  );
  const error = await failure('guest-crashed', guest.ask(openOf(hungry)));
  assert.match(error.message, /out of memory/);
  await noneLeft();
});

test('what is no runtime, or not the one it was taken for, is an error with its words', async () => {
  const rt = await runtime('node');
  const here = { cwd: work.folder };
  const absent = await failure('guest-silent', work.start({ ...rt, binary: join(work.folder, 'absent') }));
  assert.match(absent.message, /ENOENT/);
  const wrong = await failure('guest-silent', work.start({ ...rt, binary: '/bin/false' }, here));
  assert.match(wrong.message, /exit code 1/);
  const other = await failure('runtime-missing', work.start({ ...rt, version: '1.0.0' }));
  assert.match(other.message, /turned out to be node /);
  const stuck = work.module('stuck.cjs', 'setInterval(() => {}, 1000); while (true) {}').source.file;
  const late = await failure('guest-silent', work.start(rt, { flags: ['--require', stuck], timeoutMs: 500 }));
  assert.match(late.message, /nothing within 500 ms/);
  await noneLeft();
});

test('an inspector of the user does not hold the guest', async () => {
  process.env.NODE_OPTIONS = '--inspect-brk=0 --no-warnings --inspect-port 0';
  try {
    const guest = await work.start(await runtime('node'), { timeoutMs: 5000 });
    assert.doesNotMatch(guest.output(), /Debugger/);
    await guest.close();
  } finally {
    delete process.env.NODE_OPTIONS;
  }
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

test('a child that left the group and holds the output does not hold the answer', async () => {
  const guest = await work.start(await runtime('node'));
  const pidFile = join(work.folder, 'escaped.pid');
  const escapes = work.module(
    'escapes.mjs',
    `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
     const child = spawn('sleep', ['30'], { stdio: 'inherit', detached: true });
     writeFileSync(${JSON.stringify(pidFile)}, String(child.pid)); process.exit(4);`,
  );
  const started = performance.now();
  await failure('guest-exited', guest.ask(openOf(escapes)));
  assert.ok(performance.now() - started < 10_000);
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
  await noneLeft();
});
