import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { terminalRuntimes } from '../../src/reporters/terminal/runtimes.ts';
import { PLAIN } from './render.ts';

const here = (version: string): FoundRuntime => ({
  ...{ name: 'bun', version, engine: 'jsc', spec: `bun@${version}`, binary: '/b', from: 'PATH' },
});

test('a runtime that is too old is listed with the version that it needs', () => {
  const listed = terminalRuntimes([here('1.4.5'), { ...here('1.0.0'), needs: '1.0.36' }], PLAIN);
  assert.deepEqual(listed.split('\n'), [
    'bun@1.4.5  jsc  PATH                         /b',
    'bun@1.0.0  jsc  PATH, too old: needs 1.0.36  /b',
    '',
  ]);
});

test('without a width, paths are in one piece', () => {
  const binary = `/${'long/'.repeat(40)}bun`;
  const options = { ...PLAIN, columns: Number.POSITIVE_INFINITY };
  assert.equal(
    terminalRuntimes([{ ...here('1.4.5'), binary }], options),
    `bun@1.4.5  jsc  PATH  ${binary}\n`,
  );
});
