/** Stored documents have two definitions, a type and a zod schema: these tests stop compiling when they differ. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { z } from 'zod';
import type { Baseline } from '../../src/model/gate/baseline.ts';
import type { CheckReport } from '../../src/model/gate/check.ts';
import type { Config } from '../../src/model/gate/config.ts';
import type { RecordedMessages, RecordingHeader } from '../../src/model/recording/recording.ts';
import type { ReportComparison } from '../../src/model/report/comparison.ts';
import type { Report } from '../../src/model/report/report.ts';
import type { SweepReport } from '../../src/model/report/sweep.ts';
import type { baselineSchema } from '../../src/store/baseline-file.ts';
import type { configSchema } from '../../src/store/config/schema.ts';
import type { checkSchema } from '../../src/store/schema/check.ts';
import type { comparisonSchema } from '../../src/store/schema/comparison.ts';
import type { recordedMessagesSchema, recordingHeaderSchema } from '../../src/store/schema/recording.ts';
import type { reportSchema } from '../../src/store/schema/report.ts';
import type { sweepSchema } from '../../src/store/schema/sweep.ts';
import { SCHEMAS } from '../../src/store/schemas.ts';
import type { Same } from '../support/same-type.ts';

const SAME: [
  Same<z.infer<typeof reportSchema>, Report>,
  Same<z.infer<typeof sweepSchema>, SweepReport>,
  Same<z.infer<typeof comparisonSchema>, ReportComparison>,
  Same<z.infer<typeof checkSchema>, CheckReport>,
  Same<z.infer<typeof baselineSchema>, Baseline>,
  Same<z.input<typeof configSchema>, Config>,
  Same<z.infer<typeof recordingHeaderSchema>, RecordingHeader>,
  // The tree of a sample is recursive: its schema has the type itself.
  Same<Omit<z.infer<typeof recordedMessagesSchema>, 'sample'>, Omit<RecordedMessages, 'sample'>>,
] = [true, true, true, true, true, true, true, true];

/** The comparison itself: what it must see, and what plain assignability does not. */
const DIFFERENT: [
  Same<{ a: { b?: string }[] }, { a: Record<never, never>[] }>,
  Same<{ a?: string }, { a: string }>,
  Same<{ a: string | null }, { a: string }>,
  Same<{ a: 'x' | 'y' }, { a: 'x' }>,
  Same<{ a: [number, number] }, { a: number[] }>,
  Same<{ a: Record<string, number> }, { a: Record<string, string> }>,
] = [false, false, false, false, false, false];

test('schemas and types of stored documents are the same', () => {
  assert.ok(SAME.every((same) => same));
  assert.ok(DIFFERENT.every((same) => !same));
});

test('each published schema is a JSON Schema', () => {
  const ajv = new Ajv2020();
  assert.deepEqual(Object.keys(SCHEMAS).length, 6);
  for (const [file, schema] of Object.entries(SCHEMAS)) assert.ok(ajv.validateSchema(schema()), file);
});
