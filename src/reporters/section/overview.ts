/** All payloads of a report on all runtimes, the most expensive first: what a reader finds his way by. */
import type { PayloadReport, Report } from '../../model/documents/report.ts';
import type { Wording } from '../../model/report/wording.ts';
import { time } from '../text/numbers.ts';
import { type AnswerRow, payloadAnswers } from './advice/answers.ts';

export interface OverviewRow {
  id: string;
  /** Place in the report, from 0. */
  place: number;
  /** Time of all its messages where it was recorded, else of one round trip on the slowest runtime, ns; null: not measured. */
  cost: number | null;
  /** "655 µs" */
  costText: string;
  /** One for each of `runtimes`. */
  cells: readonly (AnswerRow | null)[];
}

export interface Overview {
  /** "node 24.21.0", with the channel where there are several. */
  runtimes: readonly string[];
  rows: readonly OverviewRow[];
  /** `cost` is that of all messages of recordings, instead of one round trip. */
  isRecorded: boolean;
}

/** Null where there is one payload only: its section is all there is. */
export function overviewOf({ payloads }: Report, words: Wording): Overview | null {
  if (payloads.length < 2) return null;
  const answers = payloads.map((payload) => payloadAnswers(payload, words));
  const channels = new Set(answers.flat().flatMap(({ channel }) => channel ?? []));
  const runName = ({ runtime, channel }: AnswerRow): string =>
    channels.size > 1 ? `${runtime}, ${channel}` : `${runtime}`;
  const runtimes = [
    ...new Set(answers.flat().flatMap((one) => (one.runtime === null ? [] : runName(one)))),
  ].sort();
  const rows = payloads.map((payload, place): OverviewRow => {
    const own = answers[place] ?? [];
    const cost = costOf(payload, own);
    return {
      ...{ id: payload.id, place, cost },
      costText: cost === null ? 'not measured' : time(cost),
      cells: runtimes.map((name) => own.find((one) => one.runtime === null || runName(one) === name) ?? null),
    };
  });
  const isRecorded = payloads.some(({ traffic }) => traffic != null);
  return { runtimes, isRecorded, rows: rows.sort((a, b) => (b.cost ?? -1) - (a.cost ?? -1)) };
}

function costOf({ traffic }: PayloadReport, answers: readonly AnswerRow[]): number | null {
  if (traffic?.cost) return traffic.cost.totalMs * 1e6;
  const medians = answers.flatMap(({ now }) => now?.median ?? []);
  return medians.length === 0 ? null : Math.max(...medians);
}
