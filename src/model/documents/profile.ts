/** What `--profile` and `--by-path` add to a run. */
import * as z from 'zod';
import { PROFILERS, SIDES, WORKS } from '../vocabulary/profile.ts';
import { intervalSchema, sampledFields } from './measurement.ts';

const shareSchema = z.number().describe('Of the busy time of both threads, waiting left out.');

export type HotSpot = z.infer<typeof hotSpotSchema>;
export const hotSpotSchema = z
  .object({
    side: z.enum(SIDES),
    name: z.string().describe('As the engine names it: "postMessage", "(program)", "toJSON".'),
    where: z
      .string()
      .nullable()
      .describe("file:line:column; null within the engine, clone-prof for the tool's loop."),
    work: z.enum(WORKS),
    ns: z.number().describe('Self time per message.'),
    share: shareSchema,
  })
  .meta({ id: 'HotSpot', description: 'One function of one thread by its self time.' });

export type Profile = z.infer<typeof profileSchema>;
export const profileSchema = z
  .object({
    by: z.enum(PROFILERS).nullable().describe('The profiler; null: nothing could be profiled there.'),
    files: z.array(z.string()).describe('Written files, relative to the working directory.'),
    messages: z.number().describe('Round trips meanwhile.'),
    shares: z
      .object({ clone: shareSchema, gc: shareSchema, user: shareSchema, other: shareSchema })
      .nullable()
      .describe('The sum is 1.'),
    top: z.array(hotSpotSchema),
    missing: z
      .array(z.object({ what: z.string(), why: z.string() }))
      .describe('What the runtime does not offer, each with the reason.'),
  })
  .meta({ id: 'Profile', description: 'With --profile: where the time goes inside both threads.' });

export type BranchCost = z.infer<typeof branchCostSchema>;
export const branchCostSchema = z
  .object({
    path: z.string().describe('Path pattern: "$.rows[*].geo".'),
    bytes: z.number().nullable().describe('Wire bytes that go away; null where it is not known.'),
    bytesShare: z.number().nullable(),
    send: z
      .object({
        ns: z.number(),
        share: z.number(),
        ci: intervalSchema.describe('Of the share.'),
        ...sampledFields,
      })
      .nullable()
      .describe('Send time that goes away, of the median; null when it could not be timed.'),
  })
  .meta({ id: 'BranchCost', description: 'With --by-path: what leaving the branch out saves.' });
