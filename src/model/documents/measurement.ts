/** Times in ns, with the samples behind them. */

import { SENDERS } from '../names.ts';
import * as s from '../schema.ts';

export type Interval = s.TypeOf<typeof intervalSchema>;
export const intervalSchema = s.tuple([s.number(), s.number()], {
  id: 'Interval',
  description: '[low, high] of a 95 % interval.',
});

/** Reports of earlier versions do not have these fields. */
export const sampledFields = {
  samples: s.optional(s.number('What it rests on; of a ratio, the fewer of both sides.')),
  processes: s.optional(s.number()),
};
export type Sampled = { samples?: number; processes?: number };

export type Estimate = s.TypeOf<typeof estimateSchema>;
export const estimateSchema = s.named('Estimate', {
  median: s.number('ns'),
  ci: intervalSchema,
  ...sampledFields,
});

export type RatioEstimate = s.TypeOf<typeof ratioSchema>;
export const ratioSchema = s.named('Ratio', {
  ratio: s.number('New time over old time of the round trip: 0.5 is twice as fast.'),
  ci: intervalSchema,
  ...sampledFields,
});

export type Histogram = s.TypeOf<typeof histogramSchema>;
export const histogramSchema = s.named(
  'Histogram',
  'Counts in equal bins from `from` to `to`, both log10 of ns.',
  { from: s.number(), to: s.number(), counts: s.list(s.number()) },
);

export type RoundTrip = s.TypeOf<typeof roundTripSchema>;
export const roundTripSchema = s.named('RoundTrip', {
  median: s.number(),
  ci: intervalSchema,
  p95: s.nullable(
    s.number(),
    'Null where a sample is a block of messages: what is rare among blocks is not so among messages. Null with fewer than 20 samples.',
  ),
  p99: s.nullable(s.number(), 'Null with fewer than 100 samples, and where p95 is.'),
  samples: s.number(),
  messagesPerSample: s.optional(s.number('More than 1 where the clock is too coarse for one message.')),
  processes: s.number('Fresh ones, in which the samples were taken.'),
  histogram: s.optional(histogramSchema),
});

export const peakMemorySchema = s.object({ bytes: s.number(), perMessage: s.number(), messages: s.number() });

export const pageClockSchema = s.object(
  'Of a page whose clock is coarse, or whose threads share no memory.',
  {
    clockStepNs: s.number('0 where it is fine.'),
    sharesMemory: s.boolean(
      'Its threads do. False in a page that is not isolated: then receive and memory are not known.',
    ),
  },
);

export type Answers = s.TypeOf<typeof answersSchema>;
export const answersSchema = s.object(
  'What a receiver answers with that cannot build the payload: only a page has a document.',
  {
    with: s.oneOf(
      ['handed', 'empty'],
      'handed: with copies of one that the page gave it; empty: the payload goes one way only.',
    ),
    why: s.text('What building it in the receiver threw.'),
  },
);

export type Phases = s.TypeOf<typeof phasesSchema>;
export const phasesSchema = s.named(
  'Phases',
  'One way of the trip in ns: send + transit + receive + unaccounted.',
  {
    oneWay: s.number(),
    send: s.number(),
    receive: s.number(),
    transit: s.number('What an empty message takes beside its own sending and receiving.'),
    unaccounted: s.number('Negative where both threads worked at the same time.'),
  },
);

export type Blocked = s.TypeOf<typeof blockedSchema>;
export const blockedSchema = s.named(
  'Blocked',
  'How long one message keeps a thread from all else: 99 % quantiles.',
  {
    senderNs: s.number(),
    receiverNs: s.nullable(s.number()),
    longestNs: s.number('Of all, on either side.'),
    exceeds: s.nullable(s.oneOf(['frame', 'long-task']), '16 ms, 50 ms'),
  },
);

const databaseSchema = s.named(
  'DatabaseTimes',
  'Over the channel indexeddb, beside send (put) and receive (get).',
  {
    transaction: s.described(
      estimateSchema,
      'From the return of put until the transaction is complete. The thread is free.',
    ),
    result: s.nullable(
      estimateSchema,
      'Of receive, how long reading request.result blocks the thread; null in Firefox, which reads the value before the event.',
    ),
    floor: s.object({ transaction: s.number(), result: s.nullable(s.number()) }),
  },
);

export type Measurement = s.TypeOf<typeof measurementSchema>;
export const measurementSchema = s.named('Measurement', 'Times in ns.', {
  page: s.optional(pageClockSchema),
  answers: s.optional(answersSchema),
  link: s.optional(
    s.oneOf(
      ['this-machine', 'network'],
      'Of a browser that somebody opened a link with. On a network all samples come from one process.',
    ),
  ),
  sender: s.optional(s.oneOf(SENDERS, 'The thread of a page that posted; its main one without it.')),
  roundTrip: roundTripSchema,
  send: s.nullable(
    estimateSchema,
    'How long postMessage blocks the sender; null where the clock of a page is too coarse.',
  ),
  receive: s.nullable(
    estimateSchema,
    'How long deserializing blocks the receiver; null where the channel has no such split.',
  ),
  cold: s.object('First message of a fresh worker; null where the clock of a page is too coarse.', {
    roundTrip: s.nullable(s.number()),
  }),
  floor: s.object('The same trip with an empty message: what no rewrite can beat.', {
    roundTrip: s.number(),
    send: s.nullable(s.number()),
    receive: s.nullable(s.number()),
  }),
  overFloor: s.optional(
    s.described(ratioSchema, 'Round trip over that of an empty message, from the same rounds.'),
  ),
  peakMemory: s.nullable(peakMemorySchema),
  gc: s.nullable(s.object({ count: s.number(), share: s.number() })),
  database: s.optional(databaseSchema),
  phases: s.optional(s.nullable(phasesSchema, 'Null where there is no separate receiver.')),
  blocked: s.optional(s.nullable(blockedSchema)),
});

const shareSchema = s.nullable(s.number());

export type CpuContention = s.TypeOf<typeof contentionSchema>;
export const contentionSchema = s.object(
  'Shares of the time, 0 to 1; null where the machine has no such counter.',
  { stolen: shareSchema, throttled: shareSchema },
);

export type RunNoise = s.TypeOf<typeof runNoiseSchema>;
export const runNoiseSchema = s.named(
  'Noise',
  'How quiet the machine was, by its counters and by empty messages.',
  {
    floor: s.nullable(
      s.object({ spread: s.number(), drift: s.number(), bursts: s.number(), modes: s.number() }),
      'Null when too few empty messages were timed to tell.',
    ),
    beyond: s.list(
      s.oneOf(['spread', 'drift', 'bursts', 'modes', 'stolen', 'throttled', 'waited']),
      'Signs of noise beyond those of a quiet machine, worst first.',
    ),
    strain: s.nullable(contentionSchema),
    waited: s.optional(
      s.number(),
      'Share of a round trip in which each of its two threads waited for a core, 0 to 1; absent if that is not known. If it is in `beyond`, ratios are of the time that they had a core.',
    ),
    widened: s.number('Share by which the intervals were widened for it; 0 when they were not.'),
  },
);
