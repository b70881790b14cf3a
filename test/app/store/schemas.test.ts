/** The published JSON Schemas. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonSchema, PUBLISHED_SCHEMAS } from '../../../src/app/store/documents.ts';

test('each published schema is a JSON Schema', () => {
  const ajv = new Ajv2020();
  assert.deepEqual(PUBLISHED_SCHEMAS.length, 6);
  for (const file of PUBLISHED_SCHEMAS) assert.ok(ajv.validateSchema(jsonSchema(file)), file);
});
