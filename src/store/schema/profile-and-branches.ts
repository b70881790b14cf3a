import { z } from 'zod';
import { PROFILERS, SIDES, WORKS } from '../../model/report/profile.ts';
import { intervalSchema, sampledFields } from './measurement.ts';

const shareSchema = z.number().describe('Of the busy time of both threads, waiting left out.');

const hotSpotSchema = z
  .object({
    side: z.enum(SIDES),
    name: z.string(),
    where: z
      .string()
      .nullable()
      .describe("file:line:column; null within the engine, clone-prof for the tool's loop."),
    work: z.enum(WORKS),
    ns: z.number().describe('Self time per message.'),
    share: shareSchema,
  })
  .meta({ id: 'HotSpot', description: 'One function of one thread by its self time.' });

export const profileSchema = z
  .object({
    by: z.enum(PROFILERS).nullable().describe('The profiler; null: nothing could be profiled there.'),
    files: z.array(z.string()).describe('Written files, relative to the working directory.'),
    messages: z.number(),
    shares: z
      .object({ clone: shareSchema, gc: shareSchema, user: shareSchema, other: shareSchema })
      .nullable(),
    top: z.array(hotSpotSchema),
    missing: z.array(z.object({ what: z.string(), why: z.string() })),
  })
  .meta({ id: 'Profile', description: 'With --profile: where the time goes inside both threads.' });

export const branchCostSchema = z
  .object({
    path: z.string(),
    bytes: z.number().nullable(),
    bytesShare: z.number().nullable(),
    send: z
      .object({
        ns: z.number(),
        share: z.number(),
        ci: intervalSchema.describe('Of the share.'),
        ...sampledFields,
      })
      .nullable(),
  })
  .meta({ id: 'BranchCost', description: 'With --by-path: what leaving the branch out saves.' });
