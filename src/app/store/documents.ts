/** Kinds of documents that are read again, and their published JSON Schemas. */
import { toJSONSchema } from 'zod/mini';
import { type Baseline, baselineSchema } from '../../model/documents/baseline.ts';
import { type CheckReport, checkSchema } from '../../model/documents/check.ts';
import { comparisonSchema, type ReportComparison } from '../../model/documents/comparison.ts';
import { configSchema } from '../../model/documents/config.ts';
import { type CodecSchema, codecSchemaSchema } from '../../model/documents/payload-schema.ts';
import { recordedMessagesSchema, recordingHeaderSchema } from '../../model/documents/recorded/recording.ts';
import { type Report, reportSchema } from '../../model/documents/report.ts';
import { type SweepReport, sweepSchema } from '../../model/documents/sweep.ts';
import {
  BASELINE_SCHEMA,
  CHECK_SCHEMA,
  COMPARISON_SCHEMA,
  REPORT_SCHEMA,
  SWEEP_SCHEMA,
} from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { described, parse, type Schema, union } from '../../model/schema.ts';
import type { DocumentKind } from './document.ts';

const written = <T>(id: string, schema: Schema<T>, command: string): DocumentKind<T> => ({
  ...{ id, schema },
  hint: `Write one with clone-prof ${command} -f json`,
});

export const REPORT = written<Report>(REPORT_SCHEMA, reportSchema, 'analyze');
export const SWEEP = written<SweepReport>(SWEEP_SCHEMA, sweepSchema, 'sweep');
export const COMPARISON = written<ReportComparison>(
  COMPARISON_SCHEMA,
  comparisonSchema,
  'report a.json b.json',
);
export const CHECK = written<CheckReport>(CHECK_SCHEMA, checkSchema, 'check');

export const BASELINE: DocumentKind<Baseline> = {
  id: BASELINE_SCHEMA,
  schema: baselineSchema,
  hint: 'Remove it, and write it anew: clone-prof baseline',
};

/** Schema in the last line of a codec. Null if it is not a valid schema: a person may have edited it. */
export const codecSchemaOf = (json: string): CodecSchema | null =>
  orElse(() => parse(codecSchemaSchema, JSON.parse(json)), null);

const recordingLine = described(union([recordingHeaderSchema, recordedMessagesSchema]), {
  title: 'clone-prof recording',
  description: 'One line of what clone-prof record writes.',
});

/** Published schemas by file name, draft 2020-12. Unknown fields are allowed, since later versions may add some. */
const PUBLISHED = {
  'report.schema.json': reportSchema,
  'check.schema.json': checkSchema,
  'comparison.schema.json': comparisonSchema,
  'config.schema.json': configSchema,
  'sweep.schema.json': sweepSchema,
  'recording.schema.json': recordingLine,
} as const satisfies Record<string, Schema>;
export const PUBLISHED_SCHEMAS = Object.keys(PUBLISHED) as (keyof typeof PUBLISHED)[];

export const jsonSchema = (file: keyof typeof PUBLISHED): Record<string, unknown> => ({
  ...toJSONSchema(PUBLISHED[file], { io: 'input' }),
});
