/** Real processes: what a tool leaves that is ended or killed, `check --base` too, and how that times two commits. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CheckReport } from '../../src/model/documents/check.ts';
import { marked, until } from '../support/child-processes.ts';
import { inRepository, putFiles, runGit } from '../support/git-repository.ts';
import { realCli } from '../support/real-cli.ts';
import { endOf, ROOT, startCli } from '../support/spawn-cli.ts';
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

// `check --base`.

const CONFIG = 'clone-prof.config.json';
const config = (...payloads: string[]) => JSON.stringify({ limits: { time: 'off' }, payloads });
const args = ['check', '--base', 'main'];

/** HEAD, index, worktrees, refs, and every file of the repository. */
const stateOf = (folder: string) => [
  runGit(folder, 'status', '--porcelain=v2', '--branch'),
  runGit(folder, 'worktree', 'list', '--porcelain'),
  runGit(folder, 'for-each-ref'),
  readdirSync(folder, { recursive: true }).map(String).sort().join('\n'),
];

for (const signal of usually(['SIGINT'], ['SIGKILL', 'SIGTERM'])) {
  test(`base: ended by ${signal} while modules load: repository untouched${signal === 'SIGKILL' ? '' : ', nothing left'}`, () =>
    inRepository({ [CONFIG]: config('m.mjs'), 'm.mjs': 'export const a = 1;' }, async (folder) => {
      putFiles(folder, {
        'm.mjs': 'await new Promise((r) => setTimeout(r, 60_000)); export const a = 2;',
        'dirty.txt': 'x',
      });
      runGit(folder, 'add', 'dirty.txt');
      const temp = tempFolder('left');
      const state = stateOf(folder);
      const child = startCli(args, { cwd: folder, env: { ...process.env, TMPDIR: temp } });
      const ended = endOf(child);
      const isThere = () => readdirSync(temp).some((name) => existsSync(join(temp, name, 'base/m.mjs')));
      await until(isThere, () => 'the files of the commit were not written');
      child.kill(signal);
      const { code } = await ended;
      if (signal !== 'SIGKILL') assert.deepEqual([code, readdirSync(temp)], [130, []]);
      assert.deepEqual(stateOf(folder), state);
    }));
}

test('base: a working folder that is gone', async () => {
  const folder = tempFolder('gone');
  const script = `rmdir "$PWD" && exec "${process.execPath}" "${join(ROOT, 'bin/clone-prof.js')}" check --base main a.json`;
  const { code, stdout, stderr } = await endOf(spawn('sh', ['-c', script], { cwd: folder }));
  assert.deepEqual(
    [code, stdout, stderr],
    [2, '', 'clone-prof: the working folder does not exist any more. Change to one that does\n'],
  );
  assert.ok(!existsSync(folder));
});

/** @param key of each row */
const rowsOf = (key: string) => JSON.stringify(Array.from({ length: 10_000 }, (_, id) => ({ [key]: id })));
const TIMED = JSON.stringify({ limits: { time: ['warn', '+20%'] }, payloads: ['rows.json'] });

test(
  'base: old and new payload are measured against each other in the same run, also above 64 kB',
  {
    skip: onlyInWhole,
  },
  () =>
    inRepository({ [CONFIG]: TIMED, 'rows.json': rowsOf('id') }, async (folder) => {
      putFiles(folder, { 'rows.json': rowsOf('ids') });
      const { stdout } = await realCli([...args, '-b', '1s', '-f', 'json'], { cwd: folder });
      const { results, compared = [] } = JSON.parse(stdout) as CheckReport;
      const time = results.find(({ limit }) => limit === 'time');
      assert.equal(time?.against, 'base');
      assert.ok(['passed', 'failed', 'unsure'].includes(time.outcome), stdout);
      // A busy machine may take too few samples for a ratio: then there is none in either place.
      const beside = compared[0]!.time;
      if (time.change === null) assert.deepEqual([time.outcome, beside], ['unsure', undefined], stdout);
      else assert.deepEqual([beside?.change, beside?.ci], [time.change, time.ci]);
    }),
);
