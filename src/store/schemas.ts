/** The published JSON Schemas by file name, made from the definitions that validate. */

import { configJsonSchema } from './config/schema.ts';
import { checkJsonSchema } from './schema/check.ts';
import { comparisonJsonSchema } from './schema/comparison.ts';
import { recordingJsonSchema } from './schema/recording.ts';
import { reportJsonSchema } from './schema/report.ts';
import { sweepJsonSchema } from './schema/sweep.ts';

export const SCHEMAS: Readonly<Record<string, () => Record<string, unknown>>> = {
  'report.schema.json': reportJsonSchema,
  'check.schema.json': checkJsonSchema,
  'comparison.schema.json': comparisonJsonSchema,
  'config.schema.json': configJsonSchema,
  'sweep.schema.json': sweepJsonSchema,
  'recording.schema.json': recordingJsonSchema,
};
