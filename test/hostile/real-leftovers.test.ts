/** What a tool that was killed leaves: gone with the next run. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { marked, until } from '../support/child-processes.ts';
import { realCli } from '../support/real-cli.ts';
import { endOf, startCli } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { onlyInWhole, usually } from '../support/whole.ts';

/** A run that waits in its module, with a work folder, and is ended by `signal`. */
async function interrupted(signal: NodeJS.Signals, temp: string, isTwice = false): Promise<void> {
  const mark = `clone-prof-leftovers-${process.pid}-${signal}-${readdirSync(temp).length}`;
  const env = { ...process.env, TMPDIR: temp, CLONE_PROF_TEST_MARK: mark };
  writeFileSync(
    join(temp, 'm.mts'),
    `import { writeFileSync } from 'node:fs'; import { spawn } from 'node:child_process';
     spawn('sleep', ['600'], { stdio: 'ignore', detached: ${process.platform === 'linux'} }).unref();
     writeFileSync(${JSON.stringify(join(temp, 'reached'))}, '');
     await new Promise(() => setInterval(() => {}, 1000)); export const value = 1;`,
  );
  const host = startCli(['analyze', 'm.mts', '--no-measure', '-r', 'node'], { cwd: temp, env });
  const ended = endOf(host);
  await until(
    () => existsSync(join(temp, 'reached')),
    () => 'the module did not run',
  );
  host.kill(signal);
  if (isTwice) setTimeout(() => host.kill(signal), 2);
  await ended;
  await until(
    () => marked(mark).length === 0,
    () => `processes are left: ${marked(mark).join('\n')}`,
  );
}

const workFolders = (temp: string) => readdirSync(temp).filter((name) => name.startsWith('clone-prof-'));

/** It starts no runtime: its input is not there. */
async function nextRun(temp: string): Promise<void> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = temp;
  try {
    assert.equal((await realCli(['analyze', 'none.json'], { cwd: temp })).code, 2);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

for (const [signal, left] of usually<readonly [signal: NodeJS.Signals, left: number]>(
  [['SIGKILL', 1]],
  [
    // cli/real has it while it measures.
    ['SIGINT', 0],
    ['SIGQUIT', 1],
    ['SIGTERM', 0],
  ],
)) {
  const next = left > 0 ? ', and the next run none, but other names and links' : '';
  test(`work folders: ${signal} leaves ${left}${next}; processes end at once`, async () => {
    const temp = tempFolder('left');
    await interrupted(signal, temp);
    const stale = workFolders(temp);
    assert.equal(stale.length, left);
    if (left === 0) return;
    const data = join(temp, 'data');
    mkdirSync(data);
    writeFileSync(join(data, 'file'), 'kept');
    const links = stale.map((name) => name.replace(/.$/, (end) => (end === 'x' ? 'y' : 'x')));
    for (const name of links) symlinkSync(data, join(temp, name));
    const ofOthers = stale.map((name) => `clone-prof-other.${name}`);
    const others = ['clone-prof-notes', 'clone-prof-work-2026-11-22', 'clone-prof-1-2', ...ofOthers];
    for (const name of others) mkdirSync(join(temp, name));
    await nextRun(temp);
    assert.deepEqual(workFolders(temp).sort(), [...others, ...links].sort());
    assert.deepEqual(readdirSync(data), ['file']);
  });
}

test('work folders: a second Ctrl-C leaves at most one, and the next run none', {
  skip: onlyInWhole,
}, async () => {
  const temp = tempFolder('left');
  await interrupted('SIGINT', temp, true);
  assert.ok(workFolders(temp).length <= 1);
  await nextRun(temp);
  assert.deepEqual(workFolders(temp), []);
});
