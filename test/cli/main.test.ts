import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import type { ProcessLike } from '../../src/cli/session/world.ts';
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
