import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { createProgress } from '../../src/cli/session/session.ts';
import { escapedLines, type ProcessLike, type World } from '../../src/cli/session/world.ts';
import { ALL_HOSTILE } from '../hostile/strings.ts';

const RAW = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}\p{Cs}\u200b]|^\s*::|##\[|##vso/mu;

class Captured {
  text = '';
  write(text: string, done?: () => void): boolean {
    this.text += text;
    done?.();
    return true;
  }
}

test('an error that nothing caught is a defect: escaped, cut, exit code 3', async () => {
  const stderr = new Captured();
  const exits: number[] = [];
  const events = new EventEmitter();
  const outside = Object.assign(events, {
    argv: ['node', 'clone-prof', '--help'],
    env: {},
    cwd: () => '.',
    stdin: [],
    stdout: new Captured(),
    stderr,
    exit: (code: number) => events.emit('exit', exits.push(code)),
  }) as unknown as ProcessLike & EventEmitter;
  const ending = Promise.all([main(outside), once(events, 'exit')]);
  const error = new Error(ALL_HOSTILE);
  error.stack = `${ALL_HOSTILE}\n${'    at x\n'.repeat(1000)}`;
  outside.emit('uncaughtException', error);
  await ending;
  assert.deepEqual(exits, [3]);
  assert.match(stderr.text, /^clone-prof: an unexpected error, a bug in clone-prof:\n/);
  assert.doesNotMatch(stderr.text, RAW);
  assert.ok(stderr.text.split('\n').length < 40);
});

test('a spinner takes no signals, and its texts are escaped and fit in a line', (t) => {
  const listeners = (['SIGINT', 'SIGTERM'] as const).map((name) => process.listenerCount(name));
  const shown: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => shown.push(text) > 0);
  const stderr = escapedLines(Object.assign(new Captured(), { isTTY: true, columns: 60 }));
  const progress = createProgress({ stderr, env: {}, now: () => 0 } as unknown as World);
  const step = { type: 'step', channel: 'worker', step: 'measure', done: 0, of: 1 } as const;
  progress.listen({ ...step, payload: ALL_HOSTILE, runtime: ALL_HOSTILE });
  const during = (['SIGINT', 'SIGTERM'] as const).map((name) => process.listenerCount(name));
  progress.clear();
  t.mock.restoreAll();
  assert.deepEqual(during, listeners);
  const [text] = shown.filter((written) => written.includes('red'));
  // Its own control sequences and the sign come before.
  const payload = text?.slice(text.indexOf('a\\u001b[31m')) ?? '';
  assert.ok(payload.length > 40 && payload.length < 100, text);
  assert.doesNotMatch(payload, RAW);
});
