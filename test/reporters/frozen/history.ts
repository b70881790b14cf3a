import { HISTORY_SCHEMA } from '../../../src/model/document-ids.ts';
import type { History, HistoryCommit, HistoryFacts } from '../../../src/model/documents/history.ts';

const facts = (more: Partial<HistoryFacts> = {}): HistoryFacts => ({
  ...{
    payload: 'orders',
    runtime: 'node@24.21.0',
    channel: 'worker',
    class: 'serialized',
    path: 'fast-object',
  },
  bytes: 5200,
  ...more,
});

export const commitLine = (nth: number, payloads: HistoryFacts[] = [facts()]): HistoryCommit => ({
  ...{ schema: HISTORY_SCHEMA, tool: { version: '0.1.0' } },
  commit: `${nth.toString(16).padStart(4, '0')}${'ab'.repeat(18)}`,
  time: `2026-01-${String((nth % 28) + 1).padStart(2, '0')}T12:00:00Z`,
  payloads,
});

/** Of two payloads on two runtimes; from the second commit on one is larger, and timed. */
export const history = (commits: number): History => ({
  schema: HISTORY_SCHEMA,
  commits: Array.from({ length: commits }, (_, nth) =>
    commitLine(nth, [
      facts({
        bytes: 5200 * (nth + 1),
        ...(nth > 0 && {
          time: { change: 1.2, ci: [1.1, 1.3] as [number, number], samples: 90, processes: 6 },
        }),
      }),
      facts({
        runtime: 'bun@1.4.5',
        class: nth === 0 ? 'in-memory' : 'serialized',
        path: 'serializer',
        bytes: 0,
      }),
      facts({ payload: 'log <b>#x', channel: 'message-port', bytes: null }),
    ]),
  ),
});
