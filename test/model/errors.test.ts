import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, ToolError } from '../../src/model/errors.ts';

test('an error without what its message says does not compile', () => {
  // @ts-expect-error: no facts at all
  new ToolError('runtime-too-old');
  // @ts-expect-error: without the oldest
  new ToolError('runtime-too-old', { runtime: 'bun@0.1', binary: '/bun' });
  const code = Math.sign(1) === 1 ? 'file-missing' : 'file-unreadable';
  // @ts-expect-error: one of the two has a detail
  new ToolError(code, { file: 'a.json' });
  // @ts-expect-error: any of them
  new ToolError('internal' as ErrorCode, { file: 'a.json' });
  const { message } = new ToolError('runtime-too-old', {
    runtime: 'bun@0.1',
    binary: '/bun',
    oldest: 'bun@1',
  });
  assert.equal(message, 'bun@0.1 is too old (/bun): bun@1 is the oldest version that works');
});
