import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { runToEnd } from '../../../src/runtimes/process/supervisor.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { isToolError } from '../../support/tool-errors.ts';

afterEach(trackChildProcesses());

const shell = (script: string, timeoutMs: number, signal?: AbortSignal) =>
  runToEnd('/bin/sh', ['-c', script], { cwd: '/', env: process.env, timeoutMs, signal });

describe('a program that is run to its end', { skip: process.platform === 'win32' }, () => {
  test('gives all that it prints, and its exit code', async () => {
    const ended = await shell('printf "%70000s" é; echo why >&2; exit 3', 60_000);
    assert.deepEqual(
      { ...ended, stdout: ended.stdout.trim() },
      { code: 3, signal: null, notStarted: null, stdout: 'é', stderr: 'why\n', isLate: false },
    );
    assert.ok(ended.stdout.length > 69_000);
  });

  test('ends with all that it started when its time is over', async () => {
    const { stdout, signal, isLate } = await shell('sleep 300 & echo begun; wait', 2000);
    assert.deepEqual({ stdout, signal, isLate }, { stdout: 'begun\n', signal: 'SIGKILL', isLate: true });
  });

  test('ends when it prints without an end', async () => {
    const { signal, isLate } = await shell('yes', 60_000);
    assert.deepEqual({ signal, isLate }, { signal: 'SIGKILL', isLate: false });
  });

  test('is interrupted, or not started at all', async () => {
    const stop = new AbortController();
    const ended = assert.rejects(shell('sleep 300', 60_000, stop.signal), isToolError('interrupted'));
    stop.abort();
    await ended;
    await assert.rejects(shell('sleep 300', 60_000, stop.signal), isToolError('interrupted'));
  });

  test('that is not there is an exit with the reason', async () => {
    const { notStarted } = await runToEnd('/none/program', [], { cwd: '/', env: {}, timeoutMs: 60_000 });
    assert.match(notStarted ?? '', /ENOENT/);
  });
});
