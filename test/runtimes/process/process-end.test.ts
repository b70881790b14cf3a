import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
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

onEach('a module that exits ends its guest only', async (rt) => {
  const guest = await work.start(rt);
  const quitter = work.module('quits.mjs', 'console.log("going"); process.exit(3); export const value = 1');
  const error = await failure('guest-exited', guest.ask(openOf(quitter)));
  assert.equal(error.facts.detail, 'exit code 3');
  assert.match(error.facts.output ?? '', /going/);
  assert.equal(guest.dead, true);
  await failure('guest-exited', guest.ask(openOf(quitter)));
  await guest.close();
  await noneLeft();
});

onEach('a guest that hangs is killed with all it started', async (rt) => {
  const pidFile = join(work.folder, `${rt.spec}.pid`);
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

onEach('a crash is told from an exit', async (rt) => {
  const guest = await work.start(rt);
  const abort = work.module('aborts.mjs', 'process.abort(); export const value = 1');
  const error = await failure('guest-crashed', guest.ask(openOf(abort)));
  assert.match(error.facts.detail ?? '', /SIG(ABRT|TRAP|ILL)|exit code 13\d/);
  await noneLeft();
});

onEach('an abort kills the guest and answers all questions', async (rt) => {
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

onEach('killAll kills at once, without waiting for the loop', async (rt) => {
  const guest = await work.start(rt);
  killAll();
  const error = await failure(
    'guest-crashed',
    guest.ask(openOf(work.module('k.mjs', 'export const value = 1'))),
  );
  assert.match(error.message, /SIGKILL/);
  await noneLeft();
});

onEach('exit handlers of user code run when the guest is told to leave, and cannot hold it', async (rt) => {
  const mark = join(work.folder, `${rt.spec}.left`);
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

/** Runs `body` as a user with this NODE_OPTIONS. */
async function withNodeOptions<T>(options: string, body: () => Promise<T>): Promise<T> {
  process.env.NODE_OPTIONS = options;
  try {
    return await body();
  } finally {
    delete process.env.NODE_OPTIONS;
  }
}

test('a runtime out of memory is a crash that says so', async () => {
  const guest = await withNodeOptions('--max-old-space-size=32', async () =>
    work.start(await runtime('node')),
  );
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
  const late = await withNodeOptions(`--require ${JSON.stringify(stuck)}`, () =>
    failure('guest-silent', work.start(rt, { timeoutMs: 500 })),
  );
  assert.match(late.message, /nothing within 500 ms/);
  await noneLeft();
});

test('an inspector of the user does not hold the guest', async () => {
  await withNodeOptions('--inspect-brk=0 --no-warnings --inspect-port 0', async () => {
    const guest = await work.start(await runtime('node'), { timeoutMs: 5000 });
    const exits = work.module('exits.mjs', 'process.exit(3); export const value = 1');
    const error = await failure('guest-exited', guest.ask(openOf(exits)));
    assert.doesNotMatch(error.facts.output ?? '', /Debugger/);
  });
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
