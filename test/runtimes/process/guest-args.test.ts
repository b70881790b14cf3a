import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUNTIME_KINDS } from '../../../src/runtimes/process/kinds.ts';

const FLAG = '--unstable-detect-cjs';

for (const [version, has] of [
  ['2.0.0', false],
  ['2.0.6', true],
  ['2.9.6', true],
] as const) {
  test(`deno ${version} ${has ? 'gets' : 'does not know'} ${FLAG}`, () => {
    assert.equal(RUNTIME_KINDS.deno.guestArgs('/', version, '').includes(FLAG), has);
  });
}
