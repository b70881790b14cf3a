import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import type { ProcessLike } from '../../src/cli/session/world.ts';
import { assertHarmless } from '../hostile/harmless.ts';
import { ALL_HOSTILE } from '../hostile/strings.ts';
import { fakeProcess } from '../support/real-cli.ts';

test('an error that nothing caught is a defect: escaped, cut, exit code 3', async () => {
  const exits: number[] = [];
  const events = fakeProcess(['--help'], {});
  const outside = Object.assign(events, {
    exit: (code: number) => void events.emit('exit', exits.push(code)),
  });
  const ending = Promise.all([main(outside as unknown as ProcessLike), once(events, 'exit')]);
  const error = new Error(ALL_HOSTILE);
  error.stack = `${ALL_HOSTILE}\n${'    at x\n'.repeat(1000)}`;
  outside.emit('uncaughtException', error);
  await ending;
  assert.deepEqual(exits, [3]);
  const { text } = outside.stderr;
  assert.match(text, /^clone-prof: an unexpected error, a bug in clone-prof:\n/);
  assertHarmless('stderr', text);
  assert.ok(text.split('\n').length < 40);
});
