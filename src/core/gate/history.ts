import { HISTORY_SCHEMA } from '../../model/document-ids.ts';
import type { CheckReport } from '../../model/documents/check.ts';
import type { HistoryCommit } from '../../model/documents/history.ts';

/** @param at the commit whose payloads were checked @returns null where the report has no facts */
export function historyOf(
  { tool, compared }: CheckReport,
  at: Pick<HistoryCommit, 'commit' | 'time'>,
): HistoryCommit | null {
  if (compared === undefined) return null;
  const payloads = compared.flatMap(({ payload, runtime, channel, now, time }) => {
    if (now === null) return [];
    const { class: name, path, bytes } = now;
    return [{ payload, runtime, channel, class: name, path, bytes, ...(time && { time }) }];
  });
  return { schema: HISTORY_SCHEMA, tool, ...at, payloads };
}
