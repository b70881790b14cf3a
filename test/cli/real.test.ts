/** The whole program with real runtimes: Ctrl-C while it waits for them or for data, and lines on a terminal. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import type { ProcessLike } from '../../src/cli/session/world.ts';
import { trackChildProcesses, until } from '../support/child-processes.ts';
import { fakeProcess } from '../support/real-cli.ts';
import { endOf, startCli } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('real');
after(trackChildProcesses());

test('Ctrl-C while measuring reports finished results with exit code 130, and leaves no process or folder', async () => {
  const temp = join(folder, 'temp');
  mkdirSync(temp);
  const reached = join(folder, 'reached');
  const file = join(folder, 'reached.mjs');
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs'; import { isMainThread } from 'node:worker_threads';
     import { spawn } from 'node:child_process';
     if (isMainThread) spawn('sleep', ['600'], { stdio: 'ignore', detached: ${process.platform === 'linux'} }).unref();
     export const rows = () => { if (!isMainThread) writeFileSync(${JSON.stringify(reached)}, ''); return [1, 2]; };`,
  );
  const env = { ...process.env, TMPDIR: temp };
  const child = startCli(['analyze', file, '-r', 'node', '-b', '300s'], { env });
  const end = endOf(child);
  await until(
    () => existsSync(reached),
    () => 'no worker has built the payload',
  );
  child.kill('SIGINT');
  const { code, stdout } = await end;
  assert.equal(code, 130);
  assert.match(stdout, /reached#rows/);
  assert.deepEqual(readdirSync(temp), []);
});

test('Ctrl-C ends the wait for a pipe that gets no data', {
  skip: process.platform === 'win32',
}, async () => {
  const pipe = join(folder, 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  const child = startCli(['analyze', pipe, '--no-measure', '-r', 'node']);
  const end = endOf(child);
  // Opened for writing as soon as the program has opened it for reading.
  const writer = await open(pipe, 'w');
  child.kill('SIGINT');
  assert.equal((await end).code, 130);
  await writer.close();
});

const CLEAR = '\r\u001b[2K';

test('on a terminal each payload is printed on a line that was cleared', async (t) => {
  const files = ['fixtures/orders.json', 'fixtures/rows.json'];
  const env = { ...process.env, NO_COLOR: '1', CI: undefined };
  const args = ['analyze', '--no-measure', '-r', 'node', '--', ...files];
  const world = fakeProcess(args, { tty: true, env });
  Object.assign(world.stderr, { isTTY: true });
  const shown: string[] = [];
  const keep = (text: string, done?: (error?: Error | null) => void) => {
    shown.push(text);
    done?.();
    return true;
  };
  world.stdout.write = keep;
  t.mock.method(process.stderr, 'write', keep);
  await main(world as unknown as ProcessLike);
  t.mock.restoreAll();
  for (const file of files) {
    const printed = shown.findIndex((text) => text.includes(file));
    assert.ok(printed > 0, file);
    // Alone it clears the line; in a longer text, the line is drawn again behind it.
    const last = shown.slice(0, printed).findLast((text) => text.startsWith(CLEAR));
    assert.equal(last, CLEAR, file);
  }
});
