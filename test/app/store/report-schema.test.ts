import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonSchema, PUBLISHED_SCHEMAS } from '../../../src/app/store/documents.ts';
import type { Report } from '../../../src/model/documents/report.ts';

const folder = new URL('../../../fixtures/reports/', import.meta.url);
const reports = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (name: string): Report => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const validate = new Ajv2020({ allErrors: true }).compile(jsonSchema('report.schema.json'));

test('each published schema is a JSON Schema', () => {
  assert.equal(PUBLISHED_SCHEMAS.length, 6);
  const ajv = new Ajv2020();
  for (const file of PUBLISHED_SCHEMAS) assert.ok(ajv.validateSchema(jsonSchema(file)), file);
});

test('there are ten frozen reports', () => assert.equal(reports.length, 10));

for (const name of reports) {
  test(`${name} fits the published JSON Schema`, () => {
    assert.equal(validate(read(name)), true, JSON.stringify(validate.errors));
  });
}

test('unknown fields are allowed', () => {
  assert.equal(validate({ ...read('apply.json'), later: { any: 1 } }), true);
});

const WRONG: { what: string; spoil: (report: Report) => unknown }[] = [
  { what: 'another schema', spoil: (report) => ({ ...report, schema: 'clone-prof/report@2' }) },
  { what: 'no payloads', spoil: ({ payloads: _, ...rest }) => rest },
  { what: 'a number as text', spoil: (report) => ({ ...report, seed: '1' }) },
  {
    what: 'an unknown class',
    spoil: (report) =>
      JSON.parse(JSON.stringify(report).replaceAll('"class":"serialized"', '"class":"slow"')),
  },
  {
    what: 'an interval of one number',
    spoil: (report) => JSON.parse(JSON.stringify(report).replace(/"ci":\[[^\]]*\]/, '"ci":[1]')),
  },
];

for (const { what, spoil } of WRONG) {
  test(`${what} does not fit`, () => assert.equal(validate(spoil(read('apply.json'))), false));
}
