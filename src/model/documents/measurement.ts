/** Times in ns, and what they rest on. */
import * as z from 'zod';
import { SENDERS } from '../names.ts';

export type Interval = z.infer<typeof intervalSchema>;
export const intervalSchema = z
  .tuple([z.number(), z.number()])
  .meta({ id: 'Interval', description: '[low, high] of a 95 % interval.' });

/** Absent in reports of earlier versions. */
export const sampledFields = {
  samples: z.exactOptional(z.number().describe('What it rests on; of a ratio, the fewer of both sides.')),
  processes: z.exactOptional(z.number()),
};
export type Sampled = { samples?: number; processes?: number };

export type Estimate = z.infer<typeof estimateSchema>;
export const estimateSchema = z
  .object({ median: z.number().describe('ns'), ci: intervalSchema, ...sampledFields })
  .meta({ id: 'Estimate' });

export type RatioEstimate = z.infer<typeof ratioSchema>;
export const ratioSchema = z
  .object({
    ratio: z.number().describe('New time over old time of the round trip: 0.5 is twice as fast.'),
    ci: intervalSchema,
    ...sampledFields,
  })
  .meta({ id: 'Ratio' });

export type Histogram = z.infer<typeof histogramSchema>;
export const histogramSchema = z
  .object({ from: z.number(), to: z.number(), counts: z.array(z.number()) })
  .meta({ id: 'Histogram', description: 'Counts in equal bins from `from` to `to`, both log10 of ns.' });

export type RoundTrip = z.infer<typeof roundTripSchema>;
export const roundTripSchema = z
  .object({
    median: z.number(),
    ci: intervalSchema,
    p95: z
      .number()
      .nullable()
      .describe(
        'Null where a sample is a block of messages: what is rare among blocks is not so among messages. Null with fewer than 20 samples.',
      ),
    p99: z.number().nullable().describe('Null with fewer than 100 samples, and where p95 is.'),
    samples: z.number(),
    messagesPerSample: z.exactOptional(
      z.number().describe('More than 1 where the clock is too coarse for one message.'),
    ),
    processes: z.number().describe('Fresh ones, in which the samples were taken.'),
    histogram: z.exactOptional(histogramSchema),
  })
  .meta({ id: 'RoundTrip' });

export const peakMemorySchema = z.object({
  bytes: z.number(),
  perMessage: z.number(),
  messages: z.number(),
});

export type PageClock = z.infer<typeof pageClockSchema>;
export const pageClockSchema = z
  .object({
    clockStepNs: z.number().describe('0 where it is fine.'),
    sharesMemory: z
      .boolean()
      .describe(
        'Its threads do. False in a page that is not isolated: then receive and memory are not known.',
      ),
  })
  .describe('Of a page whose clock is coarse, or whose threads share no memory.');

export type Answers = z.infer<typeof answersSchema>;
export const answersSchema = z
  .object({
    with: z
      .enum(['handed', 'empty'])
      .describe('handed: with copies of one that the page gave it; empty: the payload goes one way only.'),
    why: z.string().describe('What building it in the receiver threw.'),
  })
  .describe('What a receiver answers with that cannot build the payload: only a page has a document.');

export type Phases = z.infer<typeof phasesSchema>;
export const phasesSchema = z
  .object({
    oneWay: z.number(),
    send: z.number(),
    receive: z.number(),
    transit: z.number().describe('What an empty message takes beside its own sending and receiving.'),
    unaccounted: z.number().describe('Negative where both threads worked at the same time.'),
  })
  .meta({ id: 'Phases', description: 'One way of the trip in ns: send + transit + receive + unaccounted.' });

export type Blocked = z.infer<typeof blockedSchema>;
export const blockedSchema = z
  .object({
    senderNs: z.number(),
    receiverNs: z.number().nullable(),
    longestNs: z.number().describe('Of all, on either side.'),
    exceeds: z.enum(['frame', 'long-task']).nullable().describe('16 ms, 50 ms'),
  })
  .meta({ id: 'Blocked', description: 'How long one message keeps a thread from all else: 99 % quantiles.' });

const databaseSchema = z
  .object({
    transaction: estimateSchema.describe(
      'From the return of put until the transaction is complete. The thread is free.',
    ),
    result: estimateSchema
      .nullable()
      .describe(
        'Of receive, how long reading request.result blocks the thread; null in Firefox, which reads the value before the event.',
      ),
    floor: z.object({ transaction: z.number(), result: z.number().nullable() }),
  })
  .meta({
    id: 'DatabaseTimes',
    description: 'Over the channel indexeddb, beside send (put) and receive (get).',
  });

export type Measurement = z.infer<typeof measurementSchema>;
export const measurementSchema = z
  .object({
    page: z.exactOptional(pageClockSchema),
    answers: z.exactOptional(answersSchema),
    link: z.exactOptional(
      z
        .enum(['this-machine', 'network'])
        .describe(
          'Of a browser that somebody opened a link with. On a network all samples come from one process.',
        ),
    ),
    sender: z.exactOptional(
      z.enum(SENDERS).describe('The thread of a page that posted; its main one without it.'),
    ),
    roundTrip: roundTripSchema,
    send: estimateSchema
      .nullable()
      .describe('How long postMessage blocks the sender; null where the clock of a page is too coarse.'),
    receive: estimateSchema
      .nullable()
      .describe('How long deserializing blocks the receiver; null where the channel has no such split.'),
    cold: z
      .object({ roundTrip: z.number().nullable() })
      .describe('First message of a fresh worker; null where the clock of a page is too coarse.'),
    floor: z
      .object({ roundTrip: z.number(), send: z.number().nullable(), receive: z.number().nullable() })
      .describe('The same trip with an empty message: what no rewrite can beat.'),
    overFloor: z.exactOptional(
      ratioSchema.describe('Round trip over that of an empty message, from the same rounds.'),
    ),
    wireBytes: z.number().nullable(),
    peakMemory: peakMemorySchema.nullable(),
    gc: z.object({ count: z.number(), share: z.number() }).nullable(),
    database: z.exactOptional(databaseSchema),
    phases: z.exactOptional(phasesSchema.nullable().describe('Null where there is no separate receiver.')),
    blocked: z.exactOptional(blockedSchema.nullable()),
  })
  .meta({ id: 'Measurement', description: 'Times in ns.' });

const shareSchema = z.number().nullable();

export type CpuContention = z.infer<typeof contentionSchema>;
export const contentionSchema = z
  .object({ stolen: shareSchema, throttled: shareSchema })
  .describe('Shares of the time, 0 to 1; null where the machine has no such counter.');

export type RunNoise = z.infer<typeof runNoiseSchema>;
export const runNoiseSchema = z
  .object({
    floor: z
      .object({ spread: z.number(), drift: z.number(), bursts: z.number(), modes: z.number() })
      .nullable()
      .describe('Null when too few empty messages were timed to tell.'),
    beyond: z
      .array(z.enum(['spread', 'drift', 'bursts', 'modes', 'stolen', 'throttled']))
      .describe('Signs of noise beyond those of a quiet machine, worst first.'),
    strain: contentionSchema.nullable(),
    widened: z.number().describe('Share by which the intervals were widened for it; 0 when they were not.'),
  })
  .meta({ id: 'Noise', description: 'How quiet the machine was, by its counters and by empty messages.' });
