/** Schema of the rewrites that were tried, and of the advice. */
import * as s from '../schema.ts';
import { histogramSchema, ratioSchema } from './measurement.ts';

/** Plain JSON, made by `plans` of a remedy on the host and read by the guest. */
export type Plan = s.TypeOf<typeof planSchema>;
export const planSchema = s.described(
  s.looseObject({
    path: s.string('Path pattern it works on; $ for the whole payload.'),
    form: s.optional(s.string('Which of its ways, where the remedy has several.')),
    module: s.optional(s.string("Of a rewrite of the user's: the module or package.")),
    title: s.optional(s.string('Words for what it does.')),
    isView: s.optional(
      s.literal(true, 'The receiver gets a view of the message, no payload: told, never advised.'),
    ),
  }),
  'Where and how a remedy applies to the payload: what tells it from its other plans.',
);

const triedFields = { remedy: s.string(), path: s.string(), plan: planSchema };

/** dropped: it cannot be the advice (no faster, or a better one is known), so timing stopped. Its interval is valid. */
export type TrialOutcome = s.TypeOf<typeof outcomeSchema>;
export const outcomeSchema = s.oneOf(['faster', 'slower', 'unsure', 'refused', 'dropped']);

export type Loss = s.TypeOf<typeof lossSchema>;
export const lossSchema = s.object('What the receiver gets differs from what was sent.', {
  path: s.string(),
  what: s.text('"undefined became absent", "Date became string"'),
});

export type Trial = s.TypeOf<typeof trialSchema>;
export const trialSchema = s.named(
  'Trial',
  'A remedy, proved and timed against the original in the same run.',
  {
    ...triedFields,
    equality: s.oneOf(['equal', 'lossy', 'failed']),
    losses: s.list(lossSchema),
    withConversion: s.nullable(ratioSchema),
    inPlace: s.nullable(ratioSchema),
    peakMemory: s.nullable(s.object({ ratio: s.number() })),
    outcome: s.described(outcomeSchema, 'By the time with conversion.'),
    outcomeInPlace: s.described(
      outcomeSchema,
      'By the time in place; unsure where it was not timed so: only the best of a run is.',
    ),
    histogram: s.optional(s.described(histogramSchema, 'Of round trips with conversion; of what is faster.')),
    fileBytes: s.optional(s.number('Size of the file, over the channel storage.')),
    blocksNs: s.optional(
      s.number('Over the channel indexeddb: how long making the message and put block the thread, median.'),
    ),
    reason: s.optional(s.string('When refused or failed.')),
  },
);

export type Untried = s.TypeOf<typeof untriedSchema>;
export const untriedSchema = s.object(
  'A rewrite that could not be tried: its proof or its timing failed or ran out of time.',
  { ...triedFields, reason: s.string() },
);

const costsSchema = s.list(s.string(), 'What it costs beside time: "the sender loses what is transferred".');

export type Available = s.TypeOf<typeof availableSchema>;
export const availableSchema = s.object(
  'A rewrite that gains too little for what it takes: told, not advised.',
  {
    remedy: s.string(),
    path: s.string(),
    gain: ratioSchema,
    lines: s.number('Of code.'),
    costs: s.optional(costsSchema),
  },
);

export const savingSchema = s.object('What the advised rewrite saves.', {
  ns: s.number('Of the round trip, a message.'),
  mattersFromPerSecond: s.number('Messages a second from which on that is 1 % of a core.'),
});

export const priceSchema = s.object('What the code of the advised rewrite adds to a program.', {
  lines: s.number(),
  gzipBytes: s.nullable(
    s.number(),
    'Of all of it, minified and compressed; null where nothing compresses it.',
  ),
});

export type Obstacle = s.TypeOf<typeof obstacleSchema>;
export const obstacleSchema = s.object('Why no rewrite, or not the one named, gives back an equal payload.', {
  remedy: s.optional(s.string('The rewrite that was tried; none fits where it is absent.')),
  path: s.string(),
  what: s.string('"is a Date", "has holes"; of a rewrite that was tried: "Date became string".'),
});

export type Assumption = s.TypeOf<typeof assumptionSchema>;
export const assumptionSchema = s.object('$.orders[*].total: "number"', {
  path: s.string(),
  what: s.string(),
});

/**
 * - nothing: no rewrite that was tried is faster
 * - not-the-clone: the round trip is near the floor
 * - unsure: rewrites were tried, without a decision
 * - not-tried: rewrites that could not be tried might be faster, and no other rewrite is known to be
 */
export type AdviceAction = Advice['action'];
export type Advice = s.TypeOf<typeof adviceSchema>;
export const adviceSchema = s.named('Advice', {
  action: s.oneOf(['apply', 'nothing', 'not-the-clone', 'unsure', 'not-tried']),
  remedy: s.nullable(s.string()),
  path: s.nullable(s.string()),
  gain: s.nullable(ratioSchema),
  code: s.nullable(s.string()),
  ownsBothForms: s.optional(s.boolean('The gain holds only if both ends keep the data in the new form.')),
  costs: s.optional(costsSchema),
  saves: s.optional(savingSchema),
  price: s.optional(priceSchema),
  alternatives: s.optional(
    s.list(
      availableSchema,
      'Others that are faster than the original: the next simpler one, and the fastest of those that are less simple.',
    ),
  ),
  untried: s.optional(s.list(untriedSchema, 'Rewrites that could not be tried, whatever the action.')),
  bound: s.optional(s.number('No rewrite that was tried takes less than this share of the time (95 %).')),
  needs: s.optional(
    s.nullable(s.number(), 'Of unsure: budget that would probably decide, ms; null: none would.'),
  ),
  available: s.optional(availableSchema),
  obstacle: s.optional(obstacleSchema),
  assumes: s.optional(
    s.list(
      assumptionSchema,
      'What the codec takes for granted; a payload that does not fit is sent as it is.',
    ),
  ),
  module: s.optional(s.nullable(s.string(), 'The codec as a TypeScript module.')),
  upgrade: s.optional(
    s.nullable(
      s.object({ since: s.string(), path: s.string() }),
      'A newer version that takes a better path.',
    ),
  ),
});
