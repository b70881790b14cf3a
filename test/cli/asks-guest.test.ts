import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';

/** What the user typed, and whether a guest of this Node is started while the rest of the tool loads. */
const TYPED: [args: string[], flags: Record<string, unknown>, asks: boolean][] = [
  [['orders.json'], { measure: false }, true],
  [['-'], { measure: false, runtime: ['node'] }, true],
  [[], { measure: false, runtime: ['bun', 'node', 'orders.ndjson'] }, true],
  [['orders.mjs', 'orders.json'], { measure: false }, true],
  [['orders.mjs'], { measure: false }, false],
  [['orders.json'], { measure: false, runtime: ['bun'] }, false],
  // Its versions may be others.
  [['orders.json'], { measure: false, runtime: ['node@22'] }, false],
  [['orders.json'], {}, false],
];

for (const [args, flags, asks] of TYPED)
  test(`analyze ${args.join(' ')} ${JSON.stringify(flags)} ${asks ? 'asks' : 'does not ask'} for a guest at once`, () => {
    const analyze = COMMANDS.find(({ name }) => name === 'analyze')!;
    assert.equal(analyze.asksGuest?.({ args, flags }), asks);
  });
