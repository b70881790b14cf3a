/** Streams of the built program that cannot be written. */
import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { endOf, startCli } from '../support/spawn-cli.ts';
import { usually } from '../support/whole.ts';

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
