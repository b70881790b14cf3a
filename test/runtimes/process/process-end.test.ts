import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { trackChildProcesses, until } from '../../support/child-processes.ts';
import { openRequest, PayloadFolder } from '../../support/payload-folder.ts';
import { MAIN_RUNTIMES, missing, runtime, testOnEach } from '../../support/runtimes.ts';
import { rejection } from '../../support/tool-errors.ts';

const noneRunning = trackChildProcesses();
const folder = new PayloadFolder();
afterEach(async () => {
  // Guests of a test that failed must not fail the next ones.
  await noneRunning().finally(killAll);
});

testOnEach('a module that exits ends its guest only', async (here) => {
  const guest = await folder.startGuest(here);
  const exits = folder.module('exits.mjs', 'console.log("going"); process.exit(3); export const value = 1');
  const error = await rejection('guest-exited', guest.ask(openRequest(exits)));
  assert.equal(error.facts.detail, 'exit code 3');
  assert.match(error.facts.output ?? '', /going/);
  assert.equal(guest.dead, true);
  await rejection('guest-exited', guest.ask(openRequest(exits)));
  await guest.close();
});

testOnEach('a guest that hangs is killed with all that it started', async (here) => {
  const hangs = folder.module(
    'hangs.mjs',
    `import { spawn } from 'node:child_process';
     spawn('sleep', ['600'], { stdio: 'inherit' });
     console.log('working'); export const value = () => { for (;;) {} };`,
  );
  const guest = await folder.startGuest(here);
  // The child runs and the line is printed before the deadline of the request that hangs begins.
  const { payloads } = await guest.ask(openRequest(hangs));
  const describe = { type: 'describe', recipe: payloads[0]!, channel: 'worker', confirm: false } as const;
  const error = await rejection('guest-timeout', guest.ask(describe, { deadlineMs: 500 }));
  assert.equal(error.facts.ms, 500);
  assert.match(error.facts.output ?? '', /working/);
});

testOnEach('a crash is told apart from an exit', async (here) => {
  const guest = await folder.startGuest(here);
  const abort = folder.module('aborts.mjs', 'process.abort(); export const value = 1');
  const error = await rejection('guest-crashed', guest.ask(openRequest(abort)));
  assert.match(error.facts.detail ?? '', /SIG(ABRT|TRAP|ILL)|exit code 13\d/);
});

for (const spec of MAIN_RUNTIMES) {
  const name = `${spec}: exit handlers of user code run when the guest is closed, and cannot keep it alive`;
  test(name, { skip: missing(spec) }, async (t) => {
    const guest = await folder.startGuest(runtime(spec));
    const handled = join(folder.path, `${spec}.handled`);
    const endless = folder.module(
      'endless.mjs',
      `import { writeFileSync } from 'node:fs';
       process.on('exit', () => { writeFileSync(${JSON.stringify(handled)}, ''); for (;;) {} }); export const value = 1`,
    );
    await guest.ask(openRequest(endless));
    // The time that handlers may take passes only when the test says so.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const closed = guest.close();
    await until(
      () => existsSync(handled),
      () => 'the exit handler did not run',
    );
    t.mock.timers.tick(60_000);
    t.mock.timers.reset();
    await closed;
  });
}

/** Runs `body` as a user with this NODE_OPTIONS. */
async function withNodeOptions<T>(options: string, body: () => Promise<T>): Promise<T> {
  process.env.NODE_OPTIONS = options;
  try {
    return await body();
  } finally {
    delete process.env.NODE_OPTIONS;
  }
}

test('a runtime out of memory is a crash with that reason', async () => {
  const guest = await withNodeOptions('--max-old-space-size=32', () => folder.startGuest(runtime('node')));
  const hungry = folder.module(
    'hungry.mjs',
    'const kept = []; for (;;) kept.push(new Array(1e4).fill({})); export const value = 1',
  );
  const error = await rejection('guest-crashed', guest.ask(openRequest(hungry)));
  assert.match(error.message, /out of memory/);
});

test('a program that is not a runtime, or another version of one, is an error with what it printed', async () => {
  const node = runtime('node');
  const absent = { ...node, binary: join(folder.path, 'absent') };
  assert.match((await rejection('guest-silent', folder.startGuest(absent))).message, /ENOENT/);
  const wrong = { ...node, binary: '/bin/false' };
  assert.match((await rejection('guest-silent', folder.startGuest(wrong))).message, /exit code 1/);
  const other = await rejection('runtime-missing', folder.startGuest({ ...node, version: '1.0.0' }));
  assert.match(other.message, /turned out to be node /);
  const stuck = folder.module('stuck.cjs', 'setInterval(() => {}, 1000); while (true) {}').source.file;
  const late = await withNodeOptions(`--require ${JSON.stringify(stuck)}`, () =>
    rejection('guest-silent', folder.startGuest(node, { timeoutMs: 500 })),
  );
  assert.match(late.message, /nothing within 500 ms/);
});

test('inspector options of the user do not stop the guest', async () => {
  await withNodeOptions('--inspect-brk=0 --no-warnings --inspect-port 0', async () => {
    const guest = await folder.startGuest(runtime('node'));
    const exits = folder.module('exits.mjs', 'process.exit(3); export const value = 1');
    const error = await rejection('guest-exited', guest.ask(openRequest(exits)));
    assert.doesNotMatch(error.facts.output ?? '', /Debugger/);
  });
});

/** All ways to leave the process group. */
const ESCAPES = `import { spawn, spawnSync } from 'node:child_process';
  spawn('sleep', ['600'], { stdio: 'inherit', detached: true });
  spawn('setsid', ['sleep', '600'], { stdio: 'ignore' });
  spawn('setsid', ['sh', '-c', 'setsid sleep 600 & setsid sleep 601 & exit'], { stdio: 'ignore' });
  spawnSync('sh', ['-c', '(setsid sleep 600 >/dev/null 2>&1 &)']);
  for (let i = 0; i < 30; i++) spawn('sleep', ['600'], { stdio: 'ignore', detached: true }).unref();`;

const onLinux = process.platform === 'linux' ? false : 'found by /proc';

for (const [ending, rest] of [
  ['closes', 'export const value = 1'],
  ['exits', 'await new Promise((done) => setTimeout(done, 50)); process.exit(4);'],
] as const) {
  test(`children that left the process group end with a guest that ${ending}`, {
    skip: onLinux,
  }, async () => {
    const guest = await folder.startGuest(runtime('node'));
    const asked = guest.ask(openRequest(folder.module('escapes.mjs', `${ESCAPES} ${rest}`)));
    if (ending === 'closes') await asked;
    else await rejection('guest-exited', asked);
    await guest.close();
  });
}

testOnEach('a child that left the process group ends with its guest', async (here) => {
  if (onLinux) return;
  const escapes = `import { spawn } from 'node:child_process';
    spawn('sleep', ['600'], { stdio: 'ignore', detached: true }).unref(); export const value = () => { for (;;) {} }`;
  const guest = await folder.startGuest(here);
  const { payloads } = await guest.ask(openRequest(folder.module('stays.mjs', escapes)));
  const describe = { type: 'describe', recipe: payloads[0]!, channel: 'worker', confirm: false } as const;
  await rejection('guest-timeout', guest.ask(describe, { deadlineMs: 300 }));
});

test('a child in another group that wiped its environment does not delay the answer', async () => {
  const guest = await folder.startGuest(runtime('node'));
  const pidFile = join(folder.path, 'escaped.pid');
  const escapes = folder.module(
    'wiped.mjs',
    `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
     const child = spawn('/bin/sleep', ['600'], { stdio: 'inherit', detached: true, env: {} });
     writeFileSync(${JSON.stringify(pidFile)}, String(child.pid)); process.exit(4);`,
  );
  await rejection('guest-exited', guest.ask(openRequest(escapes)));
  // Throws when the child has ended: then the answer may have waited for it.
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
});
