/** A disk or a temp folder that is full; a shell that allows few open files. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { putFiles } from '../support/git-repository.ts';
import { missing, type RuntimeSpec, runtime } from '../support/runtimes.ts';
import { type Ended, endOf, ROOT, runProgram, startCli } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { usually } from '../support/whole.ts';

const ANALYZE = ['analyze', 'x.json', '--no-measure', '-r', 'node'];
const recordOn = (spec: RuntimeSpec) => {
  const flags = spec.startsWith('deno') ? ['run', '-A'] : [];
  return ['record', '-o', 'a.cprof', '--', runtime(spec).binary, ...flags, 'app.mjs'];
};

const FILES = {
  'photos.cprof': readFileSync(join(ROOT, 'fixtures/recordings/photos.cprof')),
  'x.json': '[1]',
  'm.ts': 'export const rows = [1];',
  'app.mjs': `import { MessageChannel } from 'node:worker_threads';
    const { port1, port2 } = new MessageChannel();
    let count = 0;
    port2.on('message', () => { if (++count === 2000) port1.close(); });
    for (let i = 0; i < 2000; i++) port1.postMessage({ [\`key\${i}\`]: 'x'.repeat(900) });`,
};

/** The program in a shell that does something first. `$TMPDIR`: a folder of its own. */
async function inShell(first: string, args: readonly string[], prefix: readonly string[] = []) {
  const folder = tempFolder('limits');
  const temp = join(folder, 'temp');
  mkdirSync(temp);
  putFiles(folder, FILES);
  const shell = ['sh', '-c', `${first}; exec "$0" "$@"`, process.execPath, join(ROOT, 'bin/clone-prof.js')];
  const env = { ...process.env, COLUMNS: '80', NO_COLOR: '1', TMPDIR: temp };
  return endOf(runProgram([...prefix, ...shell, ...args], { cwd: folder, env }));
}

function assertOneLine({ code, stderr }: Ended, exit: number, reason: RegExp): void {
  assert.equal(code, exit, stderr);
  assert.match(stderr, reason);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}

test('limits: few open files', { skip: process.platform === 'win32' }, async () => {
  // Node has most of them before the program starts.
  assertOneLine(await inShell('ulimit -n 25', ANALYZE), 3, /^clone-prof: .*too many open files/);
});

/** The tool in a folder whose name is a query and a fragment in an address. */
const [BIN, DIST, MANIFEST, PACKAGES] = ['bin', 'dist', 'package.json', 'node_modules'].map(
  (name) => `'${join(ROOT, name)}'`,
);
const MOVED = `d="$PWD/a?b#c"; mkdir "$d"; cp -r ${BIN} ${DIST} ${MANIFEST} "$d"; ln -s ${PACKAGES} "$d/node_modules"
  shift; set -- "$d/bin/clone-prof.js" "$@"`;

describe('limits: installed in a?b#c', { skip: process.platform === 'win32' }, () => {
  for (const spec of usually<RuntimeSpec>([], ['bun@1.4.5', 'node', 'deno@2.9.6'])) {
    test(spec, { skip: missing(spec) }, async () => {
      const { binary } = runtime(spec);
      const analyzed = ['analyze', 'x.json', 'm.ts', '-b', '50ms', '-r', binary, '-f', 'json'];
      const { code, stdout, stderr } = await inShell(MOVED, analyzed);
      assert.equal(code, 0, stdout + stderr);
      const recorded = await inShell(MOVED, recordOn(spec));
      assert.equal(recorded.code, 0, recorded.stderr);
      assert.match(recorded.stderr, /2,000 messages/);
    });
  }
});

/** A file system of 1 MiB that goes with the program, where this user may have one. */
const PREFIX = ['unshare', '--user', '--map-root-user', '--mount'];
const [unshare = '', ...unshareArgs] = PREFIX;
const mounted = (left: number) =>
  `mount -t tmpfs -o size=1m tmpfs "$TMPDIR" && head -c ${2 ** 20 - left} /dev/zero > "$TMPDIR/fill"`;
const canMount = () =>
  process.platform === 'linux' &&
  spawnSync(unshare, [...unshareArgs, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

const FULL = /^clone-prof: .*\/temp: no space left in the temp folder/m;

describe('limits: a full temp folder', { skip: canMount() ? false : 'no file system can be mounted' }, () => {
  for (const input of ['m.ts', 'photos.cprof']) {
    test(`analyze ${input}`, async () => {
      const ended = await inShell(mounted(0), ['analyze', input, '--no-measure', '-r', 'node'], PREFIX);
      assertOneLine(ended, 3, FULL);
    });
  }

  test('check --base does not compare with files that are cut off', async () => {
    const git = 'git init -q; git add x.json; git -c user.name=a -c user.email=a@b.example commit -qm a';
    const ended = await inShell(`${git}; ${mounted(0)}`, ['check', '--base', 'HEAD', 'x.json'], PREFIX);
    assert.equal(ended.code, 3, ended.stderr);
    assert.match(ended.stderr, FULL);
  });

  test('record does not start the program', async () => {
    const ended = await inShell(mounted(24_000), recordOn('node'), PREFIX);
    assertOneLine(ended, 3, FULL);
  });

  for (const spec of usually<RuntimeSpec>(['node'], ['deno@2.9.6', 'bun@1.4.5'])) {
    test(`record ${spec} reports that messages are missing`, { skip: missing(spec) }, async () => {
      const ended = await inShell(mounted(170_000), recordOn(spec), PREFIX);
      assert.equal(ended.code, 3, ended.stderr);
      assert.match(ended.stderr, FULL);
      assert.match(ended.stderr, /gap: no space was left in the temp folder/i);
      assert.match(ended.stderr, /2,000 messages/);
    });
  }
});

/** A disk without room, as stdout. Exit code 1 would say that the gate failed. */
for (const args of usually<readonly string[]>(
  [['--version'], ['rules', 'bun', '-f', 'json']],
  [['--help'], ['check', '--init', '--help']],
)) {
  test(`stderr: stdout cannot be written: ${args.join(' ')}`, {
    skip: process.platform !== 'linux',
  }, async () => {
    const full = openSync('/dev/full', 'w');
    try {
      const { code, stderr } = await endOf(startCli(args, { stdio: ['ignore', full, 'pipe'] }));
      assert.match(stderr, /^clone-prof: stdout: cannot be written \(ENOSPC.*\)\n$/);
      assert.equal(code, 2);
    } finally {
      closeSync(full);
    }
  });
}
