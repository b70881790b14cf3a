/** The charts of a recording: what its sites cost, when they posted, and how many messages waited. */
import type { AnalyzedRecording, Traffic } from '../../../model/documents/traffic.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { count, counted, percent, time } from '../../text/numbers.ts';
import type { BarChart, Chart } from '../model/charts.ts';
import { columnsOf } from '../model/columns.ts';
import { code, listed } from '../model/sentence.ts';
import type { TimelineChart, TimelineRow } from '../model/timeline.ts';
import { type ShapedSite, shapesChart } from './shapes.ts';

/** A site, and what to do there. */
export interface ChartedSite extends ShapedSite {
  step: { short: string; savesMs: number | null };
}

/** "<0.1 %" where digits would say 0. */
export const shareText = (share: number): string => (share > 0 && share < 0.0005 ? '<0.1 %' : percent(share));

/** Cheaper ones are in the table of the sites only. */
const MAX_ROWS = 10;

/** @param sites the most expensive first */
export const recordingCharts = (
  recording: AnalyzedRecording,
  sites: readonly ChartedSite[],
  words: Wording,
): Chart[] =>
  [
    costChart(sites.slice(0, MAX_ROWS)),
    timelineChart(recording, sites.slice(0, MAX_ROWS)),
    queueChart(sites),
    shapesChart(sites, words),
  ].filter((chart) => chart !== null);

/** Without a measured cost there is nothing to compare. */
function costChart(sites: readonly ChartedSite[]): BarChart | null {
  const rows = sites.flatMap(({ id, traffic: { cost }, step: { short, savesMs } }) => {
    if (cost === null || !Number.isFinite(cost.totalMs)) return [];
    const saved = Math.min(cost.totalMs, Math.max(0, savesMs ?? 0));
    return [{ id, totalMs: cost.totalMs, share: cost.share, restMs: cost.totalMs - saved, saved, short }];
  });
  if (rows.length === 0) return null;
  const ms = (value: number) => time(value * 1e6);
  return {
    kind: 'bars',
    title: 'What the sites cost, and what is left after the advice',
    about: `${listed(rows.slice(0, 3).map(({ id, share }) => `${id} ${shareText(share)}`))} of the cost of the recording.`,
    unit: 'time',
    rows: rows.map(({ id, totalMs, share, saved, restMs, short }) => ({
      name: id,
      value: totalMs * 1e6,
      text: `${ms(totalMs)} · ${shareText(share)}`,
      note: [...(short === '' ? [] : [short]), ...(saved > 0 ? [`about ${ms(saved)} less`] : [])].join(', '),
      ...(saved > 0 && { rest: restMs * 1e6 }),
    })),
    columns: columnsOf(rows, [
      { head: 'site', cell: ({ id }) => code(id) },
      { head: 'cost', cell: ({ totalMs }) => ms(totalMs), align: 'right' },
      { head: 'share', cell: ({ share }) => shareText(share), align: 'right' },
      { head: 'do', cell: ({ short }) => short },
      { head: 'saves about', cell: ({ saved }) => (saved > 0 ? ms(saved) : ''), align: 'right' },
    ]),
  };
}

type PostTimes = Traffic['times'];

/** Null where no message has a time. */
function timelineChart(
  { times, messages, elapsedMs }: AnalyzedRecording,
  sites: readonly ChartedSite[],
): TimelineChart | null {
  const all = [
    ...(times && sites.length > 1 ? [{ name: 'all sites', times, sent: messages }] : []),
    ...sites.map(({ id, traffic }) => ({ name: id, times: traffic.times, sent: traffic.count })),
  ];
  const rows = all
    .filter((row) => row.times.counts.some((posted) => posted > 0))
    .map((row): TimelineRow & { sent: number } => ({ ...row, text: rateText(row.times) }));
  if (rows.length === 0) return null;
  const lengthMs = rows.reduce((longest, row) => Math.max(longest, endMs(row.times)), elapsedMs);
  return {
    kind: 'timeline',
    title: 'When they were posted',
    about: `Messages over ${time(lengthMs * 1e6)}: ${listed(rows.map(({ name, text }) => `${name} ${text}`))}.`,
    lengthMs,
    rows,
    columns: columnsOf(rows, [
      { head: 'site', cell: ({ name }, index) => (index === 0 && times ? name : code(name)) },
      { head: 'messages', cell: ({ sent }) => count(sent), align: 'right' },
      { head: 'from', cell: (row) => time(firstMs(row.times) * 1e6), align: 'right' },
      { head: 'to', cell: (row) => time(endMs(row.times) * 1e6), align: 'right' },
      { head: 'most in a second', cell: (row) => count(mostPerSecond(row.times)), align: 'right' },
    ]),
  };
}

const isPosted = (posted: number): boolean => posted > 0;
const firstMs = ({ stepMs, counts }: PostTimes): number => counts.findIndex(isPosted) * stepMs;
const endMs = ({ stepMs, counts }: PostTimes): number => (counts.findLastIndex(isPosted) + 1) * stepMs;

/** In as many steps as a second has, or in its part of a longer step. */
export function mostPerSecond({ stepMs, counts }: PostTimes): number {
  const steps = Math.max(1, Math.round(1000 / stepMs));
  let [within, most] = [0, 0];
  for (const [at, posted] of counts.entries()) {
    within += posted - (counts[at - steps] ?? 0);
    most = Math.max(most, within);
  }
  return Math.round(most / Math.max(1, stepMs / 1000));
}

const rateText = (times: PostTimes): string => `at most ${count(mostPerSecond(times))} a second`;

/** Only sites at which messages waited. */
function queueChart(sites: readonly ChartedSite[]): BarChart | null {
  const rows = sites
    .flatMap(({ id, traffic: { queue } }) => (queue === null || queue.max < 2 ? [] : [{ id, ...queue }]))
    .sort((a, b) => b.max - a.max)
    .slice(0, MAX_ROWS);
  const [longest] = rows;
  if (longest === undefined) return null;
  return {
    kind: 'bars',
    title: 'Messages waiting for their receiver: most, and left at the end',
    about: `At ${longest.id} at most ${counted(longest.max, 'message')} waited, ${count(longest.last)} at the end.`,
    unit: 'count',
    rows: rows.map(({ id, max, last }) => ({
      name: id,
      value: max,
      rest: last,
      text: `${count(max)} at most, ${count(last)} at the end`,
    })),
    columns: columnsOf(rows, [
      { head: 'site', cell: ({ id }) => code(id) },
      { head: 'at most', cell: ({ max }) => count(max), align: 'right' },
      { head: 'at the end', cell: ({ last }) => count(last), align: 'right' },
    ]),
  };
}
