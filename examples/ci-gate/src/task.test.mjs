import { test } from 'node:test';
import { assertCloneable, assertCloneWithin } from 'clone-prof/matchers';
import { resize } from '../payloads/task.mjs';

test('a task can be posted, and is small', () => {
  assertCloneable(resize());
  assertCloneWithin(resize(), { maxBytes: '8 kB' });
});
