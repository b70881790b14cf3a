/** `check --base` with real processes: what is left behind when it is ended, and how it times two commits. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CheckReport } from '../../src/model/documents/check.ts';
import { until } from '../support/child-processes.ts';
import { inRepository, putFiles, runGit } from '../support/git-repository.ts';
import { realCli } from '../support/real-cli.ts';
import { endOf, ROOT, startCli } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { onlyInWhole, usually } from '../support/whole.ts';

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
