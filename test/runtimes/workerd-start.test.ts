/** A start of workerd that fails leaves nothing: no process, no folder, no server. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, test } from 'node:test';
import { ownedPath, WORK } from '../../src/machine/temp-folders.ts';
import { orElse } from '../../src/model/or-else.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { runtime } from '../make.ts';
import { trackChildProcesses, until } from '../support/child-processes.ts';
import { PayloadFolder } from '../support/payload-folder.ts';
import { withVariable } from '../support/with-variable.ts';

const noneRunning = trackChildProcesses();
const folder = new PayloadFolder();

/** A program in the place of workerd. */
const workerd = (binary: string): FoundRuntime => {
  return { ...runtime('workerd@1.20261117.1'), spec: 'workerd', binary, from: 'named' };
};

/** Sockets of this process that listen: proc_net(5). */
function listening(): string[] {
  const names = readdirSync('/proc/self/fd').map((fd) =>
    orElse(() => readlinkSync(`/proc/self/fd/${fd}`), ''),
  );
  return readFileSync('/proc/self/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, ...rest]) => state === '0A' && names.includes(`socket:[${rest[5]}]`))
    .map(([, address = '']) => address);
}

const OWNED = ownedPath(WORK);
const workFolders = (): string[] =>
  readdirSync(dirname(OWNED)).filter((name) => name.startsWith(basename(OWNED)));

const FAILURES: [name: string, binary: string, reason: RegExp, variable?: [name: string, value: string]][] = [
  ['a program that is not there', '/none/workerd', /did not answer \(it ended: spawn .*ENOENT/],
  ['a program that ends at once', '/bin/false', /did not answer \(it ended: exit code 1/],
  [
    ...(['an environment that is too long for any program', '/bin/true', /E2BIG/] as const),
    ['CLONE_PROF_TEST_LONG', 'x'.repeat(2 ** 18)],
  ],
  ['a temp folder that is not there', '/bin/true', /ENOENT.*\/none/, ['TMPDIR', '/none']],
];

describe('a start of workerd that fails', { skip: process.platform !== 'linux' }, () => {
  for (const [name, binary, reason, [key, value] = ['CLONE_PROF_TEST_NONE', '']] of FAILURES)
    test(name, async () => {
      const before = { servers: listening(), folders: workFolders() };
      await withVariable(key, value, () => assert.rejects(folder.startGuest(workerd(binary)), reason));
      await until(
        () => listening().every((address) => before.servers.includes(address)),
        () => `still listening: ${listening().join(' ')}`,
      );
      assert.deepEqual(workFolders(), before.folders);
      await noneRunning();
    });
});
