import { z } from 'zod';
import { SENDERS } from '../../model/names.ts';
import { blockedSchema, loadPointSchema, phasesSchema } from './phases.ts';

export const intervalSchema = z
  .tuple([z.number(), z.number()])
  .meta({ id: 'Interval', description: '[low, high] of a 95 % interval.' });

/** Of reports of earlier versions not known. */
export const sampledFields = {
  samples: z.exactOptional(z.number().describe('What it rests on; of a ratio, the fewer of both sides.')),
  processes: z.exactOptional(z.number()),
};

export const estimateSchema = z
  .object({ median: z.number().describe('ns'), ci: intervalSchema, ...sampledFields })
  .meta({ id: 'Estimate' });

export const ratioSchema = z
  .object({
    ratio: z.number().describe('New time over old time: 0.5 is twice as fast.'),
    ci: intervalSchema,
    ...sampledFields,
  })
  .meta({ id: 'Ratio' });

export const histogramSchema = z
  .object({ from: z.number(), to: z.number(), counts: z.array(z.number()) })
  .meta({ id: 'Histogram', description: 'Counts in equal bins from `from` to `to`, both log10 of ns.' });

const roundTripSchema = z
  .object({
    median: z.number(),
    ci: intervalSchema,
    p95: z.number().nullable(),
    p99: z.number().nullable(),
    samples: z.number(),
    messagesPerSample: z.exactOptional(
      z.number().describe('More than 1 where the clock is too coarse for one message.'),
    ),
    processes: z.number(),
    histogram: z.exactOptional(histogramSchema),
  })
  .meta({ id: 'RoundTrip' });

export const peakMemorySchema = z.object({
  bytes: z.number(),
  perMessage: z.number(),
  messages: z.number(),
});

export const measurementSchema = z
  .object({
    page: z.exactOptional(
      z
        .object({ clockStepNs: z.number(), sharesMemory: z.boolean() })
        .describe('Of a page whose clock is coarse, or whose threads share no memory.'),
    ),
    link: z.exactOptional(
      z
        .enum(['this-machine', 'network'])
        .describe(
          'Of a browser that somebody opened a link with. On a network all samples come from one process.',
        ),
    ),
    sender: z.exactOptional(z.enum(SENDERS).describe('The thread of a page that posted.')),
    roundTrip: roundTripSchema,
    send: estimateSchema.nullable(),
    receive: estimateSchema.nullable(),
    cold: z.object({ roundTrip: z.number().nullable() }),
    floor: z.object({ roundTrip: z.number(), send: z.number().nullable(), receive: z.number().nullable() }),
    overFloor: z.exactOptional(
      ratioSchema.describe('Round trip over that of an empty message, from the same rounds.'),
    ),
    wireBytes: z.number().nullable(),
    peakMemory: peakMemorySchema.nullable(),
    gc: z.object({ count: z.number(), share: z.number() }).nullable(),
    phases: z.exactOptional(phasesSchema.nullable()),
    blocked: z.exactOptional(blockedSchema.nullable()),
    load: z.exactOptional(z.array(loadPointSchema)),
  })
  .meta({ id: 'Measurement', description: 'Times in ns.' });
