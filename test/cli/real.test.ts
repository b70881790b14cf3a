/** Ctrl-C while the whole program waits for real runtimes, or for data. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { trackChildProcesses, until } from '../support/child-processes.ts';
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
