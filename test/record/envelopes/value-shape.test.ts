import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIBRARIES } from '../../../src/model/names.ts';
import { inEnvelope, shapeBelow, valuePath } from '../../../src/record/envelopes/envelopes.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { probeFor } from '../../support/probe.ts';

const probe = await probeFor({ ask: false });
const shapeOf = (value: unknown) => describe(value, probe, { fromJson: false, jsonBytes: false });

/** Its facts would stand in the rows of the envelope. */
const MIXED = ['promise-worker'];

for (const library of LIBRARIES) {
  test(`the value that ${library} sends has its own shape without the envelope`, () => {
    const value = { rows: [{ id: 1, name: 'one' }, { id: 2 }], at: new Date(0) };
    const below = shapeBelow(shapeOf(inEnvelope(library, value)), valuePath(library, 'request'));
    if (MIXED.includes(library)) {
      assert.equal(below, null);
      return;
    }
    const { patterns, nodes, depth } = shapeOf(value);
    assert.deepEqual(
      { patterns: below?.patterns, nodes: below?.nodes, depth: below?.depth },
      { patterns, nodes, depth },
    );
  });
}

const NONE: [what: string, message: unknown, path: string][] = [
  ['nothing is there', { a: 1 }, '$.task'],
  ['several values are', { args: [{ a: 1 }, { b: 2 }] }, '$.args[0]'],
  ['the text is not a path', { a: 1 }, 'task'],
];

for (const [what, message, path] of NONE) {
  test(`no shape where ${what}`, () => assert.equal(shapeBelow(shapeOf(message), path), null));
}

test('a key that begins like that of the value is not in it', () => {
  const below = shapeBelow(shapeOf({ task: { a: 1 }, taskId: 7 }), '$.task');
  assert.deepEqual(
    below?.patterns.map(({ pattern }) => pattern),
    ['$', '$.a'],
  );
});
