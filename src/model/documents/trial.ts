/** Rewrites tried, and what follows from them. */
import * as z from 'zod';
import { histogramSchema, ratioSchema } from './measurement.ts';

/** Plain JSON, made by `plans` of a remedy on the host, read by the guest. */
export type Plan = z.infer<typeof planSchema>;
export const planSchema = z
  .looseObject({
    path: z.string().describe('Path pattern it works on; $ for the whole payload.'),
    form: z.exactOptional(z.string().describe('Which of its ways, where the remedy has several.')),
    module: z.exactOptional(z.string().describe("Of a rewrite of the user's: the module or package.")),
    title: z.exactOptional(z.string().describe('Words for what it does.')),
    isView: z.exactOptional(
      z.literal(true).describe('The receiver gets a view of the message, no payload: told, never advised.'),
    ),
  })
  .describe('Where and how a remedy applies to the payload: what tells it from its other plans.');

const triedSchema = z.object({ remedy: z.string(), path: z.string(), plan: planSchema });

/** dropped: cannot be the advice (no faster, or a better one is known), so no longer timed; its interval stands. */
export type TrialOutcome = z.infer<typeof outcomeSchema>;
export const outcomeSchema = z.enum(['faster', 'slower', 'unsure', 'refused', 'dropped']);

export type Loss = z.infer<typeof lossSchema>;
export const lossSchema = z
  .object({ path: z.string(), what: z.string().describe('"undefined became absent", "Date became string"') })
  .describe('What the receiver gets differs from what was sent.');

export type Trial = z.infer<typeof trialSchema>;
export const trialSchema = triedSchema
  .extend({
    equality: z.enum(['equal', 'lossy', 'failed']),
    losses: z.array(lossSchema),
    withConversion: ratioSchema.nullable(),
    inPlace: ratioSchema.nullable(),
    peakMemory: z.object({ ratio: z.number() }).nullable(),
    outcome: outcomeSchema.describe('By the time with conversion.'),
    outcomeInPlace: outcomeSchema.describe(
      'By the time in place; unsure where it was not timed so: only the best of a run is.',
    ),
    histogram: z.exactOptional(
      histogramSchema.describe('Of round trips with conversion; of what is faster.'),
    ),
    fileBytes: z.exactOptional(z.number().describe('Size of the file, over the channel storage.')),
    blocksNs: z.exactOptional(
      z
        .number()
        .describe(
          'Over the channel indexeddb: how long making the message and put block the thread, median.',
        ),
    ),
    reason: z.exactOptional(z.string().describe('When refused or failed.')),
  })
  .meta({ id: 'Trial', description: 'A remedy, proved and timed against the original in the same run.' });

export type Untried = z.infer<typeof untriedSchema>;
export const untriedSchema = triedSchema
  .extend({ reason: z.string() })
  .describe('A rewrite that could not be tried: its proof or its timing failed or ran out of time.');

const costsSchema = z
  .array(z.string())
  .describe('What it costs beside time: "the sender loses what is transferred".');

export type Available = z.infer<typeof availableSchema>;
export const availableSchema = z
  .object({
    remedy: z.string(),
    path: z.string(),
    gain: ratioSchema,
    lines: z.number().describe('Of code.'),
    costs: z.exactOptional(costsSchema),
  })
  .describe('A rewrite that gains too little for what it takes: told, not advised.');

export type Obstacle = z.infer<typeof obstacleSchema>;
export const obstacleSchema = z
  .object({
    remedy: z.exactOptional(z.string().describe('The rewrite that was tried; none fits where it is absent.')),
    path: z.string(),
    what: z.string().describe('"is a Date", "has holes"; of a rewrite that was tried: "Date became string".'),
  })
  .describe('Why no rewrite, or not the one named, gives back an equal payload.');

export type Assumption = z.infer<typeof assumptionSchema>;
export const assumptionSchema = z
  .object({ path: z.string(), what: z.string() })
  .describe('$.orders[*].total: "number"');

/**
 * - nothing: no rewrite that was tried is faster
 * - not-the-clone: the round trip is near the floor
 * - unsure: tried, and not decided
 * - not-tried: rewrites that could not be tried might be faster, and no other is known to be
 */
export type AdviceAction = Advice['action'];
export type Advice = z.infer<typeof adviceSchema>;
export const adviceSchema = z
  .object({
    action: z.enum(['apply', 'nothing', 'not-the-clone', 'unsure', 'not-tried']),
    remedy: z.string().nullable(),
    path: z.string().nullable(),
    gain: ratioSchema.nullable(),
    code: z.string().nullable(),
    ownsBothForms: z.exactOptional(
      z.boolean().describe('The gain holds only if both ends keep the data in the new form.'),
    ),
    costs: z.exactOptional(costsSchema),
    untried: z.exactOptional(
      z.array(untriedSchema).describe('Rewrites that could not be tried, whatever the action.'),
    ),
    bound: z.exactOptional(
      z.number().describe('No rewrite that was tried takes less than this share of the time (95 %).'),
    ),
    needs: z.exactOptional(
      z.number().nullable().describe('Of unsure: budget that would probably decide, ms; null: none would.'),
    ),
    available: z.exactOptional(availableSchema),
    obstacle: z.exactOptional(obstacleSchema),
    assumes: z.exactOptional(
      z
        .array(assumptionSchema)
        .describe('What the codec takes for granted; a payload that does not fit is sent as it is.'),
    ),
    module: z.exactOptional(z.string().nullable().describe('The codec as a TypeScript module.')),
    upgrade: z.exactOptional(
      z
        .object({ since: z.string(), path: z.string() })
        .nullable()
        .describe('A newer version that takes a better path.'),
    ),
  })
  .meta({ id: 'Advice' });
