import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describesData } from '../../src/cli/main.ts';

/** What the user typed, and whether a guest of this Node is started while the tool is loaded. */
const TYPED: [typed: string, starts: boolean][] = [
  ['analyze --no-measure orders.json', true],
  ['analyze - --no-measure -r node', true],
  ['analyze --no-measure -r bun node -- orders.ndjson', true],
  ['analyze --no-measure orders.mjs orders.json', true],
  ['analyze --no-measure orders.mjs', false],
  ['analyze --no-measure orders.json -r bun', false],
  ['analyze --no-measure orders.json --runtime=bun', false],
  // It may be another version.
  ['analyze --no-measure orders.json -r node@22', false],
  ['analyze orders.json', false],
  ['check --no-measure orders.json', false],
  ['', false],
];

for (const [typed, starts] of TYPED)
  test(`a guest ${starts ? 'starts' : 'does not start'} at once: clone-prof ${typed}`, () => {
    assert.equal(describesData(typed.split(' ')), starts);
  });
