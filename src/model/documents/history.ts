/** What `check --history` keeps of each commit: a line of NDJSON, so that a file may be cut off, and merged by git. */
import * as z from 'zod';
import { HISTORY_SCHEMA } from '../document-ids.ts';
import { comparedFacts, comparisonSchema } from './check.ts';

export type HistoryFacts = z.infer<typeof historyFactsSchema>;
export const historyFactsSchema = comparisonSchema
  .pick({ payload: true, runtime: true, channel: true, time: true })
  .extend(comparedFacts.pick({ class: true, path: true, bytes: true }).shape)
  .describe(
    'Facts of one payload on one runtime, and its round trip over that of the commit before, where measured.',
  );

export type HistoryCommit = z.infer<typeof historyCommitSchema>;
export const historyCommitSchema = z
  .object({
    schema: z.literal(HISTORY_SCHEMA),
    tool: z.object({ version: z.string() }),
    commit: z.string().regex(/^[0-9a-f]{7,64}$/),
    time: z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      .describe('When it was committed, UTC: "2026-01-31T12:00:00Z".'),
    payloads: z.array(historyFactsSchema),
  })
  .meta({ title: 'clone-prof history', description: 'One line of what clone-prof check --history appends.' });

/** Many lines as one document, as `clone-prof report` writes it. */
export type History = z.infer<typeof historySchema>;
export const historySchema = z.object({
  schema: z.literal(HISTORY_SCHEMA),
  commits: z.array(historyCommitSchema),
});
