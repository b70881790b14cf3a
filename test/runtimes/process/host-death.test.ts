import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runtime } from '../../support/runtimes.ts';
import { markChildren } from '../left-behind.ts';
import { Workshop } from '../workshop.ts';

const { left } = markChildren();
const work = new Workshop();
after(() => work.remove());

const root = fileURLToPath(new URL('../../..', import.meta.url));
let hosts = 0;
const SPECS = ['node', 'bun@1.4.5', 'deno@2.9.6'];

/** Starts the host; `reached` is the file that the module writes once it runs in a guest. */
function startHost(
  spec: string,
  ending: string,
  body: string,
): { host: ChildProcess; reached: string; output: () => string } {
  const name = `host${++hosts}`;
  const reached = join(work.folder, `${name}.reached`);
  const file = work.file(
    `${name}.mjs`,
    `import { writeFileSync } from 'node:fs'; import { spawn } from 'node:child_process';
     spawn('sleep', ['300'], { stdio: 'ignore' }).unref(); writeFileSync(${JSON.stringify(reached)}, '');
     ${body}; export const value = 1`,
  );
  const args = ['--import', 'tsx', 'test/runtimes/host.ts', spec, file, work.folder, ending];
  const host = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [host.stdout, host.stderr]) stream?.on('data', (piece) => (said += piece));
  return { host, reached, output: () => said };
}

async function until(what: () => boolean, name: () => string): Promise<void> {
  for (let waited = 0; !what(); waited += 20) {
    assert.ok(waited < 20_000, `waited in vain: ${name()}`);
    await pause(20);
  }
}

const ended = (host: ChildProcess) =>
  new Promise<number | string>((resolve) =>
    host.once('close', (code, signal) => resolve(signal ?? code ?? -1)),
  );

for (const spec of SPECS) {
  for (const [how, body] of [
    ['waits', 'await new Promise(() => setInterval(() => {}, 1000))'],
    ['is stuck in a loop', 'for (;;) {}'],
  ] as const) {
    test(`${spec}: when the host is killed, a guest that ${how} goes too, with what it started`, async () => {
      await runtime(spec);
      const { host, reached, output } = startHost(spec, 'wait', body);
      await until(() => existsSync(reached), output);
      const end = ended(host);
      host.kill('SIGKILL');
      assert.equal(await end, 'SIGKILL');
      assert.deepEqual(await left(), []);
    });
  }

  test(`${spec}: an abort on Ctrl-C ends guests and lets the host end by itself`, async () => {
    await runtime(spec);
    const { host, reached, output } = startHost(spec, 'signal', 'for (;;) {}');
    await until(() => existsSync(reached), output);
    const end = ended(host);
    host.kill('SIGINT');
    assert.equal(await end, 0, output());
    assert.match(output(), /interrupted/);
    assert.deepEqual(await left(), []);
  });
}

for (const [ending, code] of [
  ['return', 0],
  ['killAll', 0],
  ['throw', 1],
] as const) {
  test(`a host that ends by ${ending} leaves no guest`, async () => {
    const { host, output } = startHost('node', ending, '');
    assert.equal(await ended(host), code, output());
    assert.deepEqual(await left(), []);
  });
}

test('a host in the middle of a terminal: SIGINT to its whole group leaves nothing either', async () => {
  const { host, reached, output } = startHost('node', 'wait', 'for (;;) {}');
  await until(() => existsSync(reached), output);
  const end = ended(host);
  process.kill(-(host.pid ?? 0), 'SIGINT');
  assert.equal(await end, 'SIGINT');
  assert.deepEqual(await left(), []);
});
