/** Types of values that were compared before tell nothing of others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../../src/value/compare/compare.ts';

class Table extends Map {}

test('a Map is known as one after a Proxy of a Map, which JSON writes as an ordinary object', () => {
  const made = [new Map(), new Set(), new Date(0), /x/, new Error('e'), new Uint8Array(1), Object(1)];
  for (const one of [...made, new Table()]) {
    compare(new Proxy(one, {}), {});
    assert.match(compare(one, {})[0]!.what, / became object$/);
  }
});
