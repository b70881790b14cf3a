import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgress } from '../../src/cli/progress.ts';
import type { World } from '../../src/cli/world.ts';

test('a terminal without a width gets lines and no spinner', (t) => {
  const spun = t.mock.method(process.stderr, 'write', () => true);
  const written: string[] = [];
  const stderr = { isTTY: true, columns: 0, line: async (text: string) => void written.push(text) };
  const progress = createProgress({ stderr, env: {} } as unknown as World);
  const at = { payload: 'a', runtime: 'node@20.20.2', channel: 'worker' } as const;
  progress.listen({ type: 'step', ...at, step: 'describe', done: 0, of: 1 });
  progress.listen({ type: 'step', ...at, step: 'measure', done: 1, of: 2 });
  progress.listen({ type: 'note', text: 'heard' });
  progress.stop();
  spun.mock.restore();
  assert.deepEqual(written, ['note: heard']);
  assert.equal(spun.mock.callCount(), 0);
});
