import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { codecSchemaOf, jsonSchema, PUBLISHED_SCHEMAS } from '../../../src/app/store/documents.ts';
import { schemaJson, schemaLine } from '../../../src/codec/module/module.ts';
import { inferSchema } from '../../../src/codec/schema/payload-schema.ts';
import { schemaChanges } from '../../../src/codec/schema/places.ts';
import type { Report } from '../../../src/model/documents/report.ts';
import type { SweepReport } from '../../../src/model/documents/sweep.ts';
import { typeDetection } from '../../support/probe.ts';
import { runCli } from '../../support/run-cli.ts';

const folder = new URL('../../../fixtures/reports/', import.meta.url);
const reports = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (name: string): Report => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const [validate, validateSweep] = (['report.schema.json', 'sweep.schema.json'] as const).map((file) =>
  new Ajv2020({ allErrors: true }).compile(jsonSchema(file)),
) as [ValidateFunction, ValidateFunction];

test('each published schema is a JSON Schema', () => {
  assert.equal(PUBLISHED_SCHEMAS.length, 6);
  const ajv = new Ajv2020();
  for (const file of PUBLISHED_SCHEMAS) assert.ok(ajv.validateSchema(jsonSchema(file)), file);
});

test('the frozen reports fit, and unknown fields are allowed', () => {
  assert.equal(reports.length, 10);
  for (const name of reports) {
    const report = { ...read(name), later: { any: 1 } };
    assert.equal(validate(report), true, `${name}: ${JSON.stringify(validate.errors)}`);
  }
});

const replaced = (report: Report, pattern: RegExp, by: string) =>
  JSON.parse(JSON.stringify(report).replace(pattern, by));

const WRONG: [what: string, spoil: (report: Report) => unknown][] = [
  ['another schema', (report) => ({ ...report, schema: 'clone-prof/report@2' })],
  ['no payloads', ({ payloads: _, ...rest }) => rest],
  ['a number as text', (report) => ({ ...report, seed: '1' })],
  ['an unknown class', (report) => replaced(report, /"class":"serialized"/g, '"class":"slow"')],
  ['an interval of one number', (report) => replaced(report, /"ci":\[[^\]]*\]/, '"ci":[1]')],
];

for (const [what, spoil] of WRONG) {
  test(`${what} does not fit`, () => assert.equal(validate(spoil(read('apply.json'))), false));
}

async function sweptBy(args: string): Promise<SweepReport> {
  const { stdout } = await runCli([...args.split(' '), '-f', 'json'], {
    files: { 'a.json': '[{"a":[1]},{"a":[2]}]' },
    runtimes: ['bun@1.4.5', 'bun@1.2.20'],
  });
  return JSON.parse(stdout) as SweepReport;
}

describe('the JSON Schema of a sweep', () => {
  for (const args of ['sweep a.json --steps 2', 'sweep --preset bun-arrays', 'sweep --preset blog-keys']) {
    test(`fits ${args}`, async () => {
      const report = await sweptBy(args);
      assert.equal(validateSweep(report), true, JSON.stringify(validateSweep.errors));
      assert.equal(validateSweep({ ...report, later: 1 }), true, 'unknown fields are allowed');
    });
  }

  test('refuses other documents', async () => {
    const report = await sweptBy('sweep a.json --steps 2');
    const [point, ...points] = report.points;
    const wrong = [
      { ...report, schema: 'clone-prof/sweep@2' },
      { ...report, points: [{ ...point, unit: 'rows' }, ...points] },
      { ...report, points: [{ ...point, roundTrip: { median: 1, ci: [1] } }, ...points] },
      { ...report, crossovers: null },
    ];
    for (const one of wrong) assert.equal(validateSweep(one), false, JSON.stringify(one).slice(0, 200));
  });
});

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
