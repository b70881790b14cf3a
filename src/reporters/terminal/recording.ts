/** What `record` says on stderr when the program has ended. Texts are escaped before they are wrapped. */
import type { RecordedMessages, Recording, RecordingHeader, Site } from '../../model/documents/recording.ts';
import { visible } from '../text/escape.ts';
import { bytes, count, counted, percent, time } from '../text/numbers.ts';
import { hanging, wrapped } from './layout.ts';

const MAX_GAPS = 5;
const MAX_SITES = 3;

/** @param file as the user wrote it */
export function recordingSummary({ header, messages }: Recording, file: string, columns: number): string[] {
  const sites = costliest(messages);
  const title = `Costliest of ${counted(sites.length, 'place')} that post, by bytes and time in the call:`;
  return [
    ...hanging(visible(`wrote ${file}: ${totalText(messages)}`), columns),
    ...(header.threads > 0 ? indented(ranText(header), columns) : []),
    ...gapTexts(header).flatMap((text) => indented(text, columns)),
    ...(sites.length > MAX_SITES ? indented(title, columns) : []),
    ...sites.slice(0, MAX_SITES).flatMap((site) => siteLines(site, columns)),
    // Not wrapped: it is copied.
    ...(messages.length > 0 ? [visible(`  next: clone-prof analyze ${shellWord(file)}`)] : []),
  ];
}

const indented = (text: string, columns: number, by = 2): string[] =>
  wrapped(visible(text), columns - by - 2).map((line, i) => ' '.repeat(i === 0 ? by : by + 2) + line);

const sum = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((all, one) => all + of(one), 0);

function totalText(messages: readonly RecordedMessages[]): string {
  if (messages.length === 0) return 'nothing was posted';
  const low = messages.some(({ estimated }) => estimated) ? 'about ' : '';
  return `${low}${counted(
    sum(messages, (one) => one.count),
    'message',
  )}, ${bytesText(messages)}`;
}

/** "1.09 MB", "about 1.09 MB (1.07 MB to 1.11 MB)" */
function bytesText(messages: readonly RecordedMessages[]): string {
  const sized = messages.flatMap((one) => one.bytes ?? []);
  if (sized.length === 0) return 'size unknown';
  const [total, low, high] = [
    sum(sized, (one) => one.total),
    ...([0, 1] as const).map((end) => sum(sized, (one) => one.ci[end])),
  ];
  const unsized = sized.length < messages.length ? ', others of unknown size' : '';
  const [said, from, to] = [total, low!, high!].map(bytes);
  return from === to ? `${said}${unsized}` : `about ${said} (95 %: ${from} to ${to})${unsized}`;
}

function ranText({ processes, threads, elapsedMs, overheadMs }: RecordingHeader): string {
  const where = `${counted(threads, 'thread')} in ${counted(processes, 'process', 'processes')}`;
  const share = elapsedMs > 0 ? ` (${percent(overheadMs / elapsedMs / threads)} of each thread)` : '';
  return `${where}, ${time(elapsedMs * 1e6)}; recording took ${time(overheadMs * 1e6)}${share}`;
}

function gapTexts({ gaps }: RecordingHeader): string[] {
  const more = gaps.length - MAX_GAPS;
  return [
    ...gaps
      .slice(0, MAX_GAPS)
      .map((gap) => `gap: ${gap.what}${gap.count > 1 ? ` (${count(gap.count)} times)` : ''}`),
    ...(more > 0 ? [`and ${counted(more, 'more gap', 'more gaps')}, in the file`] : []),
  ];
}

interface PostingSite {
  groups: RecordedMessages[];
  /** Share of the bytes plus share of the time that calls took. */
  cost: number;
}

function costliest(messages: readonly RecordedMessages[]): PostingSite[] {
  const sites = new Map<string, RecordedMessages[]>();
  for (const one of messages) {
    const key = `${one.api} ${siteText(one.site)}`;
    sites.set(key, [...(sites.get(key) ?? []), one]);
  }
  const sumBytes = (groups: readonly RecordedMessages[]) => sum(groups, (one) => one.bytes?.total ?? 0);
  const [allBytes, allNs] = [sumBytes(messages) || 1, sendNs(messages) || 1];
  return [...sites.values()]
    .map((groups) => ({ groups, cost: sumBytes(groups) / allBytes + sendNs(groups) / allNs }))
    .sort((a, b) => b.cost - a.cost);
}

const sendNs = (groups: readonly RecordedMessages[]) => sum(groups, (one) => one.send?.total ?? 0);

/** "src/pool.js:41", "node_modules/piscina/dist/worker.js:219" */
function siteText({ user, library }: Site): string {
  const frame = user ?? library?.frame;
  return frame ? `${frame.file}:${frame.line}` : 'a place that is not known';
}

function siteLines({ groups }: PostingSite, columns: number): string[] {
  const { site, api } = groups[0]!;
  const envelopes = new Set(
    groups.flatMap(({ envelope: one }) => (one ? `${one.library} ${one.direction}` : [])),
  );
  const via = envelopes.size > 0 ? [...envelopes].join(', ') : (site.library?.name ?? '');
  const blocked = sendNs(groups);
  const facts = [
    counted(
      sum(groups, (one) => one.count),
      'message',
    ),
    bytesText(groups).replace(/ \(.*?\)/, ''),
    ...(blocked > 0 ? [`${time(blocked)} in ${api}`] : [api]),
  ];
  return [
    ...indented(`${siteText(site)}${via ? `  ${via}` : ''}`, columns),
    ...indented(facts.join(', '), columns, 6),
  ];
}

/** As a shell reads it. */
const shellWord = (file: string) =>
  /^[\w./@%+=:,-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
