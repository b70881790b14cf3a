/**
 * The Report as a zod schema: it validates reports read from disk and makes the published JSON Schema. A
 * test compares its type with model/report.
 */
import { z } from 'zod';
import { CHANNELS, LIBRARIES } from '../../model/names.ts';
import { REPORT_SCHEMA, type Report } from '../../model/report/report.ts';
import { ADVICE_ACTIONS, TRIAL_OUTCOMES } from '../../model/report/trial.ts';
import { costClassSchema, findingSchema, verdictSchema } from './classification.ts';
import type { DocumentKind } from './document.ts';
import { histogramSchema, measurementSchema, ratioSchema } from './measurement.ts';
import { pathNameSchema, runtimeIdSchema } from './names.ts';
import { payloadSchemaSchema } from './payload-schema.ts';
import { runNoiseSchema } from './phases.ts';
import { branchCostSchema, profileSchema } from './profile-and-branches.ts';
import { shapeSchema } from './shape.ts';
import { analyzedRecordingSchema, trafficSchema } from './traffic.ts';

const outcomeSchema = z.enum(TRIAL_OUTCOMES);

const triedSchema = z.object({
  remedy: z.string(),
  path: z.string(),
  plan: z
    .looseObject({
      path: z.string(),
      form: z.exactOptional(z.string()),
      module: z.exactOptional(z.string()),
      title: z.exactOptional(z.string()),
    })
    .describe(
      "What tells it from other plans of the remedy at this path: `form`, or `paths`. Of a rewrite of the user's: `module` (a file or a package) and its `title`.",
    ),
});

export const trialSchema = triedSchema
  .extend({
    equality: z.enum(['equal', 'lossy', 'failed']),
    losses: z.array(z.object({ path: z.string(), what: z.string() })),
    withConversion: ratioSchema.nullable(),
    inPlace: ratioSchema.nullable(),
    peakMemory: z.object({ ratio: z.number() }).nullable(),
    outcome: outcomeSchema.describe('By the time with conversion.'),
    outcomeInPlace: outcomeSchema.describe('By the time in place.'),
    histogram: z.exactOptional(histogramSchema),
    reason: z.exactOptional(z.string()),
  })
  .meta({ id: 'Trial', description: 'A remedy, proved and timed against the original in the same run.' });

const adviceSchema = z
  .object({
    action: z.enum(ADVICE_ACTIONS),
    remedy: z.string().nullable(),
    path: z.string().nullable(),
    gain: ratioSchema.nullable(),
    code: z.string().nullable(),
    ownsBothForms: z.exactOptional(
      z.boolean().describe('The gain holds only if both ends keep the data in the new form.'),
    ),
    costs: z.exactOptional(z.array(z.string()).describe('What the remedy costs beside time.')),
    untried: z.exactOptional(
      z
        .array(triedSchema.extend({ reason: z.string() }))
        .describe('Rewrites that could not be tried, whatever the action.'),
    ),
    bound: z.exactOptional(
      z.number().describe('No rewrite that was tried takes less than this share of the time (95 %).'),
    ),
    needs: z.exactOptional(
      z.number().nullable().describe('Of unsure: budget that would probably decide, ms; null: none would.'),
    ),
    available: z.exactOptional(
      z
        .object({
          remedy: z.string(),
          path: z.string(),
          gain: ratioSchema,
          lines: z.number(),
          costs: z.exactOptional(z.array(z.string()).describe('What it costs beside time.')),
        })
        .describe('A rewrite that gains too little for what it takes to be advised.'),
    ),
    obstacle: z.exactOptional(
      z
        .object({ remedy: z.exactOptional(z.string()), path: z.string(), what: z.string() })
        .describe('Why no rewrite, or not the one named, gives back an equal payload.'),
    ),
    assumes: z.exactOptional(
      z
        .array(z.object({ path: z.string(), what: z.string() }))
        .describe('What the codec takes for granted; a payload that does not fit is sent as it is.'),
    ),
    module: z.exactOptional(z.string().nullable().describe('The codec as a TypeScript module.')),
    upgrade: z.exactOptional(z.object({ since: z.string(), path: z.string() }).nullable()),
  })
  .meta({ id: 'Advice' });

export const machineSchema = z.object({
  os: z.string(),
  arch: z.string(),
  cpu: z.string(),
  cores: z.number(),
  memoryBytes: z.number(),
});

export const runErrorSchema = z
  .object({ code: z.string(), message: z.string(), path: z.exactOptional(z.string()) })
  .meta({ id: 'RunError' });

const viaSchema = z
  .object({
    library: z.enum(LIBRARIES),
    path: z.string().describe('Where the payload is in the message.'),
    transfers: z.boolean().describe('False where the library takes no transfer list.'),
    shape: shapeSchema.nullable().describe('Of the payload; that of the run is of the message.'),
  })
  .describe(
    'The library in whose envelope it was posted: shape, verdict and findings are of its message; trials, advice and branches of the payload.',
  );

const runSchema = z
  .object({
    runtime: runtimeIdSchema,
    channel: z.enum(CHANNELS),
    via: z.exactOptional(viaSchema),
    status: z.enum(['measured', 'classified', 'failed']),
    error: runErrorSchema.nullable(),
    shape: shapeSchema.nullable(),
    verdict: verdictSchema.nullable(),
    bare: z.exactOptional(
      z
        .object({ class: costClassSchema, path: pathNameSchema })
        .describe("Of a recorded message in a library's envelope: the verdict of its value alone."),
    ),
    findings: z.array(findingSchema),
    wireBytes: z.number().nullable(),
    measurement: measurementSchema.nullable(),
    schema: z.exactOptional(payloadSchemaSchema.nullable()),
    trials: z.array(trialSchema),
    advice: adviceSchema.nullable(),
    noise: z.exactOptional(runNoiseSchema),
    profile: z.exactOptional(profileSchema),
    byPath: z.exactOptional(z.array(branchCostSchema)),
  })
  .meta({ id: 'Run', description: 'One payload on one runtime over one channel.' });

const payloadSchema = z
  .object({
    id: z.string(),
    source: z.object({
      file: z.string(),
      export: z.string().nullable(),
      line: z.exactOptional(z.number().describe('Of an NDJSON file: the line that represents its group.')),
    }),
    error: runErrorSchema
      .nullable()
      .describe('Set when the payload could not be loaded; runs is empty then.'),
    stands: z.exactOptional(z.number().describe('Number of messages of the input that it represents.')),
    traffic: z.exactOptional(trafficSchema),
    runs: z.array(runSchema),
  })
  .meta({ id: 'Payload' });

export const reportSchema = z
  .object({
    schema: z.literal(REPORT_SCHEMA),
    tool: z.object({ version: z.string() }),
    machine: machineSchema,
    seed: z.number(),
    date: z.exactOptional(z.string().describe('Day of the run, UTC: "2026-01-31".')),
    recordings: z.exactOptional(z.array(analyzedRecordingSchema)),
    payloads: z.array(payloadSchema),
  })
  .meta({ title: 'clone-prof report', description: 'What clone-prof analyze --format json prints.' });

export const REPORT: DocumentKind<Report> = {
  id: REPORT_SCHEMA,
  schema: reportSchema,
  hint: 'Write one with clone-prof analyze -f json',
};

/** JSON Schema (draft 2020-12) of the Report; unknown fields are allowed, more may be added. */
export function reportJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(reportSchema, { io: 'input' }) };
}
