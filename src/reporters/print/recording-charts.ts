/** Charts of a recording: costs of its sites, times of their posts, and numbers of waiting messages. */

import type { AnalyzedRecording, Traffic } from '../../model/documents/recorded/traffic.ts';
import type { Wording } from '../../model/report/wording.ts';
import type { BarChart, Chart, IcicleCell, IcicleChart, TimelineChart } from '../charts.ts';
import { amounts, columnsOf } from '../columns.ts';
import { count, counted, percent, time } from '../text/numbers.ts';
import { code, listed } from '../words.ts';
import { icicleChart, pruned, toIcicle } from './icicle.ts';
import { costOf, kindOf, SHARE_OF, type SiteRow } from './sites.ts';

/** Maximum number of sites in a chart. The table of sites has the others. */
const MAX_ROWS = 10;

type Sites = readonly SiteRow[];

/** @param sites sites of the recording, the most expensive first */
export function recordingCharts(recording: AnalyzedRecording, sites: Sites, words: Wording): Chart[] {
  const costly = sites.slice(0, MAX_ROWS);
  const charts = [costChart(costly), timelineChart(recording, costly), queueChart(sites)];
  return [...charts, shapesChart(costly, words)].filter((chart) => chart !== null);
}

/** Chart of costs of one kind; other kinds are only in the table. Null if no site has a cost. */
function costChart(sites: Sites): BarChart | null {
  const kind = kindOf(sites);
  const rows = sites.flatMap((site) => {
    const { payload, short, savesMs } = site;
    const cost = costOf(site, kind);
    if (cost === null || !Number.isFinite(cost.totalMs)) return [];
    const saved = Math.min(cost.totalMs, Math.max(0, savesMs ?? 0));
    return [{ ...cost, id: payload.id, saved, short }];
  });
  if (rows.length === 0) return null;
  const ms = (value: number) => time(value * 1e6);
  return {
    kind: 'bars',
    title: 'What the sites cost, and what is left after the advice',
    about: `${listed(rows.slice(0, 3).map(({ id, share }) => `${id} ${percent(share)}`))} of ${SHARE_OF[kind]}.`,
    unit: 'time',
    rows: rows.map(({ id, totalMs, share, saved, short }) => ({
      name: id,
      value: totalMs * 1e6,
      text: `${ms(totalMs)} · ${percent(share)}`,
      note: [...(short === '' ? [] : [short]), ...(saved > 0 ? [`about ${ms(saved)} less`] : [])].join(', '),
      ...(saved > 0 && { rest: (totalMs - saved) * 1e6 }),
    })),
    columns: columnsOf(rows, [
      { head: 'site', cell: ({ id }) => code(id) },
      amounts('cost', ({ totalMs }) => ms(totalMs)),
      amounts('share', ({ share }) => percent(share)),
      { head: 'do', cell: ({ short }) => short },
      amounts('saves about', ({ saved }) => (saved > 0 ? ms(saved) : '')),
    ]),
  };
}

type PostTimes = Traffic['times'];

function timelineChart(recording: AnalyzedRecording, sites: Sites): TimelineChart | null {
  const { times, messages, elapsedMs } = recording;
  const all = [
    ...(times && sites.length > 1 ? [{ name: 'all sites', times, sent: messages }] : []),
    ...sites.map(({ payload: { id }, traffic }) => ({ name: id, times: traffic.times, sent: traffic.count })),
  ];
  const rows = all
    .filter((row) => row.times.counts.some(isPosted))
    .map((row) => {
      const most = count(mostPerSecond(row.times));
      return { ...row, most, text: `at most ${most} a second` };
    });
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
      amounts('messages', ({ sent }) => count(sent)),
      amounts('from', (row) => time(firstMs(row.times) * 1e6)),
      amounts('to', (row) => time(endMs(row.times) * 1e6)),
      amounts('most in a second', ({ most }) => most),
    ]),
  };
}

const isPosted = (posted: number): boolean => posted > 0;
const firstMs = ({ stepMs, counts }: PostTimes): number => counts.findIndex(isPosted) * stepMs;
const endMs = ({ stepMs, counts }: PostTimes): number => (counts.findLastIndex(isPosted) + 1) * stepMs;

/** Maximum number of posts within one second; steps longer than a second are scaled down. */
export function mostPerSecond({ stepMs, counts }: PostTimes): number {
  const steps = Math.max(1, Math.round(1000 / stepMs));
  let [within, most] = [0, 0];
  for (let at = 0; at < counts.length; at++) {
    within += counts[at]! - (at < steps ? 0 : counts[at - steps]!);
    most = Math.max(most, within);
  }
  return Math.round(most / Math.max(1, stepMs / 1000));
}

function queueChart(sites: Sites): BarChart | null {
  const rows = sites
    .flatMap(({ payload: { id }, traffic: { queue } }) =>
      queue === null || queue.max < 2 ? [] : [{ id, ...queue }],
    )
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
      amounts('at most', ({ max }) => count(max)),
      amounts('at the end', ({ last }) => count(last)),
    ]),
  };
}

/** Maximum levels below a site: the site's section has all of them. */
const MAX_DEPTH = 4;
/** Minimum share of all bytes that is drawn: narrower parts would be invisible. */
const MIN_SHARE = 0.008;

/** Shapes of the costliest sites; null if fewer than two have a known size. */
function shapesChart(sites: Sites, words: Wording): IcicleChart | null {
  const cells = sites.flatMap((site) => siteCell(site, words));
  if (cells.length < 2) return null;
  const sum = (of: 'count' | 'bytes') => cells.reduce((all, cell) => all + cell[of], 0);
  const bytes = sum('bytes');
  if (!Number.isFinite(bytes)) return null;
  const children = cells.map((cell) => pruned(cell, (part) => part.bytes >= MIN_SHARE * bytes));
  const all = { path: null, send: null, kinds: [], class: 'serialized', blockers: [] } as const;
  const root: IcicleCell = { ...all, name: 'all sites', count: sum('count'), bytes, children };
  return toIcicle(root, `Where the bytes of ${cells.length} sites are`, true);
}

/** Cell for all messages of a site: the recorded bytes, divided by the parts of its shape. */
function siteCell({ payload: { id }, traffic, run }: SiteRow, words: Wording): IcicleCell[] {
  const { bytes, count: sent } = traffic;
  const total = bytes?.total ?? 0;
  if (!(total > 0) || !Number.isFinite(total)) return [];
  const root = run === null ? undefined : icicleChart(run, words)?.root;
  const children = root?.children.map((cell) => scaled(cell, total / root.bytes, sent, id, MAX_DEPTH)) ?? [];
  const verdict = run?.verdict?.class ?? 'serialized';
  const own = { name: id, path: null, count: sent, bytes: total, send: null, children };
  const { kinds = ['messages'], class: of = verdict, blockers = [] } = root ?? {};
  return [{ ...own, kinds, class: of, blockers }];
}

const scaled = (
  cell: IcicleCell,
  factor: number,
  messages: number,
  id: string,
  levels: number,
): IcicleCell => ({
  ...cell,
  path: cell.path === null ? null : `${id} ${cell.path}`,
  bytes: cell.bytes * factor,
  // A time would be that of a single message.
  send: null,
  count: cell.count * messages,
  children: levels <= 1 ? [] : cell.children.map((child) => scaled(child, factor, messages, id, levels - 1)),
});
