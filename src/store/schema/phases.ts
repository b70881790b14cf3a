import { z } from 'zod';

export const phasesSchema = z
  .object({
    oneWay: z.number(),
    send: z.number(),
    receive: z.number(),
    transit: z.number().describe('What an empty message takes beside its own sending and receiving.'),
    unaccounted: z.number().describe('Negative where both threads worked at the same time.'),
  })
  .meta({ id: 'Phases', description: 'One way of the trip in ns: send + transit + receive + unaccounted.' });

export const blockedSchema = z
  .object({
    senderNs: z.number(),
    receiverNs: z.number().nullable(),
    longestNs: z.number(),
    exceeds: z.enum(['frame', 'long-task']).nullable().describe('16 ms, 50 ms'),
  })
  .meta({ id: 'Blocked', description: 'How long one message keeps a thread from all else: 99 % quantiles.' });

export const loadPointSchema = z
  .object({
    window: z.number().nullable().describe('So many messages always on the way.'),
    offered: z.number().nullable().describe('So many messages due a second.'),
    throughput: z.number().describe('Acknowledged, a second.'),
    latency: z.object({ median: z.number(), p95: z.number(), p99: z.number() }),
    waiting: z.object({ median: z.number(), most: z.number() }),
    growing: z.boolean().describe('The queue grows as long as the load goes on.'),
    messages: z.number(),
  })
  .meta({ id: 'LoadPoint', description: 'Latency in ns from when a message was due.' });

const shareSchema = z.number().nullable();

export const runNoiseSchema = z
  .object({
    floor: z
      .object({ spread: z.number(), drift: z.number(), bursts: z.number(), modes: z.number() })
      .nullable(),
    beyond: z.array(z.enum(['spread', 'drift', 'bursts', 'modes', 'stolen', 'throttled'])),
    strain: z.object({ stolen: shareSchema, throttled: shareSchema }).nullable(),
    widened: z.number().describe('Share by which the intervals were widened.'),
  })
  .meta({ id: 'Noise', description: 'How quiet the machine was, by its counters and by empty messages.' });
