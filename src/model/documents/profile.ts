/** Results that `--profile` and `--by-path` add to a run. */
import * as s from '../schema.ts';
import { PROFILERS, SIDES, WORKS } from '../vocabulary/words.ts';
import { intervalSchema, sampledFields } from './measurement.ts';

const shareSchema = s.number('Of the busy time of both threads, waiting left out.');

export type HotSpot = s.TypeOf<typeof hotSpotSchema>;
export const hotSpotSchema = s.named('HotSpot', 'One function of one thread by its self time.', {
  side: s.oneOf(SIDES),
  name: s.text('As the engine names it: "postMessage", "(program)", "toJSON".'),
  where: s.nullable(s.text(), "file:line:column; null within the engine, clone-prof for the tool's loop."),
  work: s.oneOf(WORKS),
  ns: s.number('Self time per message.'),
  share: shareSchema,
});

export type Profile = s.TypeOf<typeof profileSchema>;
export const profileSchema = s.named('Profile', 'With --profile: where the time goes inside both threads.', {
  by: s.nullable(s.oneOf(PROFILERS), 'The profiler; null: nothing could be profiled there.'),
  files: s.list(s.string(), 'Written files, relative to the working directory.'),
  messages: s.number('Round trips meanwhile.'),
  shares: s.nullable(
    s.object({ clone: shareSchema, gc: shareSchema, user: shareSchema, other: shareSchema }),
    'The sum is 1.',
  ),
  top: s.list(hotSpotSchema),
  missing: s.list(
    s.object({ what: s.text(), why: s.text() }),
    'What the runtime does not offer, each with the reason.',
  ),
});

export type BranchCost = s.TypeOf<typeof branchCostSchema>;
export const branchCostSchema = s.named('BranchCost', 'With --by-path: what leaving the branch out saves.', {
  path: s.string('Path pattern: "$.rows[*].geo".'),
  bytes: s.nullable(s.number(), 'Wire bytes that go away; null where it is not known.'),
  bytesShare: s.nullable(s.number()),
  send: s.nullable(
    s.object({
      ns: s.number(),
      share: s.number(),
      ci: s.described(intervalSchema, 'Of the share.'),
      ...sampledFields,
    }),
    'Send time that goes away, of the median; null when it could not be timed.',
  ),
});
