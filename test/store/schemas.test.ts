/** The types of documents are those of their schemas. The config has a type of its own, for who writes one: they are the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { z } from 'zod/mini';
import type { Config } from '../../src/model/gate/config.ts';
import type { configSchema } from '../../src/store/config/schema.ts';
import { jsonSchema, PUBLISHED_SCHEMAS } from '../../src/store/documents.ts';
import type { Same } from '../support/same-type.ts';

const SAME: Same<z.input<typeof configSchema>, Config> = true;

/** The comparison itself: what it must see, and what plain assignability does not. */
const DIFFERENT: [
  Same<{ a: { b?: string }[] }, { a: Record<never, never>[] }>,
  Same<{ a?: string }, { a: string }>,
  Same<{ a: string | null }, { a: string }>,
  Same<{ a: 'x' | 'y' }, { a: 'x' }>,
  Same<{ a: [number, number] }, { a: number[] }>,
  Same<{ a: Record<string, number> }, { a: Record<string, string> }>,
] = [false, false, false, false, false, false];

test('schema and type of the config are the same', () => {
  assert.ok(SAME);
  assert.ok(DIFFERENT.every((same) => !same));
});

test('each published schema is a JSON Schema', () => {
  const ajv = new Ajv2020();
  assert.deepEqual(PUBLISHED_SCHEMAS.length, 6);
  for (const file of PUBLISHED_SCHEMAS) assert.ok(ajv.validateSchema(jsonSchema(file)), file);
});
