import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnvelope, isLibrary } from '../../../src/core/recording/envelopes.ts';
import { LIBRARIES } from '../../../src/model/names.ts';

/** Where the user's value sits in each library's message. */
const PLACES: Record<string, (message: never) => unknown> = {
  comlink: (m: { argumentList: { value: unknown }[] }) => m.argumentList[0]?.value,
  piscina: (m: { task: unknown }) => m.task,
  tinypool: (m: { task: unknown }) => m.task,
  threads: (m: { args: unknown[] }) => m.args[0],
  workerpool: (m: { params: unknown[] }) => m.params[0],
  synckit: (m: { args: unknown[] }) => m.args[0],
  'jest-worker': (m: unknown[][]) => m[3]?.[0],
  'promise-worker': (m: unknown[]) => m[1],
  poolifier: (m: { data: unknown }) => m.data,
};

test('each envelope holds the value itself, not a copy', () => {
  const value = { a: 1 };
  assert.deepEqual(Object.keys(PLACES).sort(), [...LIBRARIES].sort());
  for (const library of LIBRARIES) {
    assert.equal(PLACES[library]?.(inEnvelope(library, value) as never), value, library);
  }
});

test('unknown library names are rejected, inherited ones too', () => {
  assert.equal(isLibrary('piscina'), true);
  assert.equal(isLibrary('toString'), false);
  assert.equal(isLibrary('Piscina'), false);
});
