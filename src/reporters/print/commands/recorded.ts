/** Summary that `record` prints when the program has ended. */

import { sumBytes } from '../../../core/recording/sites/rank.ts';
import type { Site } from '../../../model/documents/recorded/call-site.ts';
import type {
  RecordedMessages,
  Recording,
  RecordingHeader,
} from '../../../model/documents/recorded/recording.ts';
import { block, heading, list, type Node, text } from '../../doc.ts';
import { code } from '../../section/model/sentence.ts';
import { groupedBy } from '../../text/grouped.ts';
import { count, counted, percent, time } from '../../text/numbers.ts';
import { shellCommand } from '../../text/shell.ts';
import { frameOf } from '../places.ts';
import { thrownTexts, undeliveredTexts, unreadTexts } from '../thrown.ts';
import { estimateText, sizeText } from '../traffic.ts';

const MAX_GAPS = 5;
const MAX_SITES = 5;

export function recordedNodes({ header, messages }: Recording, file: string): Node[] {
  const sites = costliest(messages);
  const rest = sites.length - MAX_SITES;
  const lines = [
    ...(header.threads > 0 ? [ranText(header)] : []),
    ...thrownTexts(header).map((text) => `threw: ${text}`),
    ...[...unreadTexts(header), ...undeliveredTexts(messages)].map((text) => `lost: ${text}`),
    ...sites.slice(0, MAX_SITES).map((site, at) => siteText(site, at + 1)),
    ...(rest > 0 ? [`and ${counted(rest, 'more place')} that post`] : []),
    ...gapTexts(header),
  ];
  const next = code(shellCommand(['clone-prof', 'analyze', file]));
  return block([
    heading([`wrote ${file}: ${totalText(messages)}`]),
    ...list(lines.map((line) => [line])),
    ...(messages.length > 0 ? [text(['next: ', next], { isWhole: true })] : []),
  ]);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const messagesText = (messages: readonly RecordedMessages[]): string =>
  counted(sum(messages.map(({ count }) => count)), 'message');

function totalText(messages: readonly RecordedMessages[]): string {
  if (messages.length === 0) return 'nothing was posted';
  const low = messages.some(({ estimated }) => estimated) ? 'about ' : '';
  return `${low}${messagesText(messages)}, ${bytesText(messages)}`;
}

function bytesText(messages: readonly RecordedMessages[]): string {
  const size = sumBytes(messages);
  if (size === null) return 'size unknown';
  return `${estimateText(size)}${messages.some((one) => one.bytes === null) ? ', others of unknown size' : ''}`;
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

/** Sites by their share of the bytes plus their share of the time that calls took, the costliest first. */
function costliest(messages: readonly RecordedMessages[]): RecordedMessages[][] {
  const sites = groupedBy(messages, ({ api, site }) => `${api} ${placeText(site)}`);
  const total = (groups: readonly RecordedMessages[]) => sumBytes(groups)?.total ?? 0;
  const [allBytes, allNs] = [total(messages) || 1, sendNs(messages) || 1];
  const cost = (groups: readonly RecordedMessages[]) => total(groups) / allBytes + sendNs(groups) / allNs;
  return [...sites.values()].sort((a, b) => cost(b) - cost(a));
}

const sendNs = (groups: readonly RecordedMessages[]) => sum(groups.map((one) => one.send?.total ?? 0));

function placeText(site: Site): string {
  const frame = frameOf(site);
  return frame ? `${frame.file}:${frame.line}` : 'a place that is not known';
}

/** "1 · src/pool.js:42 · piscina reply · 3 × 2.00 MB · 3.00 ms in Worker.postMessage", ranked like in `analyze`. */
function siteText(groups: readonly RecordedMessages[], rank: number): string {
  const { site, api } = groups[0]!;
  const envelopes = groups.flatMap(({ envelope: one }) => (one ? `${one.library} ${one.direction}` : []));
  const via = [...new Set(envelopes)].join(', ') || (site.library?.name ?? '');
  const blocked = sendNs(groups);
  const facts = [
    ...[String(rank), placeText(site)],
    ...(via === '' ? [] : [via]),
    sentText(groups),
    blocked > 0 ? `${time(blocked)} in ${api}` : api,
  ];
  return facts.join(' · ');
}

function sentText(groups: readonly RecordedMessages[]): string {
  const sized = groups.filter((one) => one.bytes !== null);
  return sizeText({
    count: sum((sized.length === 0 ? groups : sized).map((one) => one.count)),
    bytes: sumBytes(sized),
  });
}
