/** Dictionaries and lists that a schema must not take for simpler ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inferSchema } from '../../../src/codec/schema/payload-schema.ts';
import { typeDetection } from '../../support/probe.ts';
import { codecFrom } from '../compiled/codec.ts';

/** A dictionary: it has more keys than a record. */
const wide = (object: object) => ({
  ...object,
  ...Object.fromEntries(Array.from({ length: 257 }, (_, at) => [`${at}/x`, 1])),
});

test('a dictionary may hold itself, as in an OpenAPI description', () => {
  const inner = {
    p: { 'b/2': 1, p: wide({ 'd/4': {}, q: wide({ p: 1, 'a/1': {} }) }) },
  };
  const sample = {
    p: { 'c/3': { q: { p: { q: 1, 'c/3': 1 }, 'd/4': 1 } } },
    'a/1': { ...inner, 'd/4': 1 },
    'e/5': { 'b/2': {}, 'd/4': { 'b/2': { p: wide({ 'b/2': 1 }) } } },
  };
  const schema = inferSchema([sample], typeDetection, true);
  assert.ok(schema?.types.some(({ dictionary }) => dictionary !== undefined));
});

test('lists with named properties are cloned unchanged, and so are other lists in the same place', () => {
  const rows = () => Array.from({ length: 9 }, (_, at) => [{ v: at, w: `${at}` }]);
  const sample = {
    names: ['a', 'b'],
    sheets: { a: Object.assign(rows(), { '!ref': 'A1:A9' }), b: rows() },
    plain: rows(),
    numbers: Object.assign([1.5, 2.5], { unit: 'mm' }),
  };
  const codec = codecFrom(sample);
  const restored = codec.fromMessage(structuredClone(codec.toMessage(sample)));
  assert.deepEqual(restored, sample);
  assert.equal((restored as typeof sample).sheets.a['!ref'], 'A1:A9');
  assert.equal((restored as typeof sample).numbers.unit, 'mm');
});
