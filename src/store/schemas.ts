/** The published JSON Schemas by file name, made from the definitions that validate. */
import { checkJsonSchema } from './check-schema.ts';
import { configJsonSchema } from './config/schema.ts';
import { reportJsonSchema } from './report-schema.ts';
import { sweepJsonSchema } from './sweep-schema.ts';

export const SCHEMAS: Readonly<Record<string, () => Record<string, unknown>>> = {
  'report.schema.json': reportJsonSchema,
  'check.schema.json': checkJsonSchema,
  'config.schema.json': configJsonSchema,
  'sweep.schema.json': sweepJsonSchema,
};
