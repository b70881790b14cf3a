/** The kinds of documents that are read again, and their published JSON Schemas. */
import { z } from 'zod';
import { CHECK_SCHEMA, COMPARISON_SCHEMA, REPORT_SCHEMA, SWEEP_SCHEMA } from '../model/document-ids.ts';
import { type CheckReport, checkSchema } from '../model/documents/check.ts';
import { comparisonSchema, type ReportComparison } from '../model/documents/comparison.ts';
import { recordedMessagesSchema, recordingHeaderSchema } from '../model/documents/recording.ts';
import { type Report, reportSchema } from '../model/documents/report.ts';
import { type SweepReport, sweepSchema } from '../model/documents/sweep.ts';
import { configSchema } from './config/schema.ts';
import type { DocumentKind } from './document.ts';

export const REPORT: DocumentKind<Report> = {
  id: REPORT_SCHEMA,
  schema: reportSchema,
  hint: 'Write one with clone-prof analyze -f json',
};

export const SWEEP: DocumentKind<SweepReport> = {
  id: SWEEP_SCHEMA,
  schema: sweepSchema,
  hint: 'Write one with clone-prof sweep -f json',
};

export const COMPARISON: DocumentKind<ReportComparison> = {
  id: COMPARISON_SCHEMA,
  schema: comparisonSchema,
  hint: 'Write one with clone-prof report a.json b.json -f json',
};

export const CHECK: DocumentKind<CheckReport> = {
  id: CHECK_SCHEMA,
  schema: checkSchema,
  hint: 'Write one with clone-prof check -f json',
};

const recordingLine = z
  .union([recordingHeaderSchema, recordedMessagesSchema])
  .meta({ title: 'clone-prof recording', description: 'One line of what clone-prof record writes.' });

/** By file name, draft 2020-12. Unknown fields are allowed, more may be added. */
const PUBLISHED = {
  'report.schema.json': reportSchema,
  'check.schema.json': checkSchema,
  'comparison.schema.json': comparisonSchema,
  'config.schema.json': configSchema,
  'sweep.schema.json': sweepSchema,
  'recording.schema.json': recordingLine,
} as const satisfies Record<string, z.ZodType>;
export const PUBLISHED_SCHEMAS = Object.keys(PUBLISHED) as (keyof typeof PUBLISHED)[];

export const jsonSchema = (file: keyof typeof PUBLISHED): Record<string, unknown> => ({
  ...z.toJSONSchema(PUBLISHED[file], { io: 'input' }),
});
