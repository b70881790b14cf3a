import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codecSchemaOf } from '../../../src/app/store/documents.ts';
import { schemaJson, schemaLine } from '../../../src/codec/module/module.ts';
import { inferSchema } from '../../../src/codec/schema/payload-schema.ts';
import { schemaChanges } from '../../../src/codec/schema/places.ts';
import { typeDetection } from '../../support/probe.ts';

const PAYLOAD = {
  'a key\u2028\n*/ of lines': [1, 2],
  rows: [
    { id: 1n, at: new Date(0), text: 'x', other: null },
    { id: 2n, at: new Date(1), text: 'y' },
  ],
  map: new Map([['a', new Set([1.5])]]),
};

const schema = inferSchema([PAYLOAD], typeDetection, false)!;
const line = schemaLine({ name: 'rows', form: 'joined', schema });

test('the schema of a codec is a comment of ASCII, without counts', () => {
  assert.match(line, /^\/\/ schema: [\x20-\x7e]{1,88}(\n\/\/ {3}[\x20-\x7e]{1,95})+$/);
  assert.doesNotMatch(line, /count|units/);
});

test('the schema of a codec is read back, regardless of the text around it', () => {
  const json = schemaJson(`// schema: {}\r\nexport {};\r\n${line}\r\n`);
  const read = codecSchemaOf(json!);
  assert.equal(read?.name, 'rows');
  assert.equal(read?.form, 'joined');
  assert.deepEqual(schemaChanges(read!.schema, schema), []);
});

const EDITED = [
  '',
  'null',
  '{}',
  '{"name":"a","form":"joined","types":[],"records":[]}',
  '{"name":"a","form":"joined","types":[{"list":7}],"records":[]}',
  '{"name":"a","form":"joined","types":[{"record":0}],"records":[{"fields":[{"key":"a","type":-1}]}]}',
];

test('an edited line that is not a schema any more is not read', () => {
  for (const json of EDITED) assert.equal(codecSchemaOf(json), null, json);
  assert.equal(schemaJson('export const a = 1;\n'), null);
});
