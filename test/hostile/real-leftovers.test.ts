/** What a payload starts, and what a tool that was killed leaves: gone when it ends, or with the next run. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { marked, until } from '../support/child-processes.ts';
import { realCli } from '../support/real-cli.ts';
import type { RuntimeSpec } from '../support/runtimes.ts';
import { endOf, startCli } from '../support/spawn-cli.ts';
import { onlyInWhole, usually } from '../support/whole.ts';
import { type HostileCase, testHostileGuests } from './corpus.ts';

const module = (body: string) =>
  `import { spawn, spawnSync } from 'node:child_process'; ${body}; export const value = { a: 1 };`;
const CHILDREN: [how: string, body: string][] = [
  ['detached', "spawn('sleep', ['600'], { stdio: 'ignore', detached: true }).unref()"],
  ['setsid', "spawn('setsid', ['sleep', '600'], { stdio: 'ignore' }).unref()"],
  ['a daemon', "spawnSync('sh', ['-c', '(setsid sh -c \"sleep 600 & sleep 600\" >/dev/null 2>&1 &)'])"],
  ['at its exit', "process.on('exit', () => spawn('sleep', ['600'], { stdio: 'ignore', detached: true }))"],
];

const row = (name: string, body: string, rest: Partial<HostileCase> = {}): HostileCase => ({
  name,
  files: { 'm.mjs': module(body) },
  args: ['analyze', 'm.mjs', '--no-measure', '-r', 'node'],
  exit: 0,
  stderr: null,
  ...rest,
});

const runtimes = usually<RuntimeSpec>([], ['bun@1.4.5', 'deno@2.9.6']);

if (process.platform === 'linux') {
  testHostileGuests('children', [
    row(
      'a daemon, and one started at its exit',
      CHILDREN.slice(2)
        .map(([, body]) => body)
        .join('; '),
    ),
    ...usually([], CHILDREN.slice(0, 2)).map(([how, body]) => row(how, body)),
    ...runtimes.map((spec) =>
      row(`${spec}: detached`, CHILDREN[0]![1], {
        args: ['analyze', 'm.mjs', '--no-measure', '-r', `<${spec}>`],
        needs: [spec],
      }),
    ),
    row('in every process of a measured run', CHILDREN[0]![1], {
      args: ['analyze', 'm.mjs', '-b', '100ms', '-r', 'node'],
    }),
    row('of a module that exits', `${CHILDREN[0]![1]}; process.exit(5)`, {
      exit: 3,
      stderr: [],
      mostLines: 2,
      stdout: /the process exited/,
    }),
    row(
      'of a module that hangs',
      `${CHILDREN[0]![1]}; await new Promise(() => setInterval(() => {}, 1000))`,
      {
        args: ['analyze', 'm.mjs', '--no-measure', '-r', 'node', '--timeout', '3s'],
        exit: 3,
        stderr: [],
        mostLines: 2,
        stdout: /no answer within/,
      },
    ),
  ]);
}

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
    const temp = mkdtempSync(join(tmpdir(), 'hostile-left-'));
    try {
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
    } finally {
      rmSync(temp, { recursive: true, force: true });
    }
  });
}

test('work folders: a second Ctrl-C leaves at most one, and the next run none', {
  skip: onlyInWhole,
}, async () => {
  const temp = mkdtempSync(join(tmpdir(), 'hostile-left-'));
  try {
    await interrupted('SIGINT', temp, true);
    assert.ok(workFolders(temp).length <= 1);
    await nextRun(temp);
    assert.deepEqual(workFolders(temp), []);
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
});
