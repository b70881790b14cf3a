/** Summary that `record` prints when the program has ended. */

import type { Site } from '../../model/documents/recorded/call-site.ts';
import type {
  RecordedMessages,
  Recording,
  RecordingHeader,
} from '../../model/documents/recorded/recording.ts';
import { sumOf } from '../../model/sums.ts';
import { sumBytes } from '../../record/sites/rank.ts';
import { type Body, block, heading, list, text } from '../nodes.ts';
import { atMost, groupedBy } from '../text/groups.ts';
import { count, counted, percent, time } from '../text/numbers.ts';
import { shellCommand } from '../text/shell.ts';
import { code } from '../words.ts';
import { estimateText, frameOf, lostTexts, sizeText, thrownTexts } from './sites.ts';

const MAX_GAPS = 5;
const MAX_SITES = 5;

export function recordedNodes({ header, messages }: Recording, file: string): Body {
  const sites = costliest(messages).map((site, at) => siteText(site, at + 1));
  const gaps = header.gaps.map(
    ({ what, count: times }) => `gap: ${what}${times > 1 ? ` (${count(times)} times)` : ''}`,
  );
  const lines = [
    ...(header.threads > 0 ? [ranText(header)] : []),
    ...thrownTexts(header).map((text) => `threw: ${text}`),
    ...lostTexts(header, messages).map((text) => `lost: ${text}`),
    ...atMost(MAX_SITES, sites, (others) => `and ${counted(others, 'more site')}`),
    ...atMost(MAX_GAPS, gaps, (others) => `and ${counted(others, 'more gap')}, in the file`),
  ];
  const next = code(shellCommand(['npx', 'clone-prof', 'analyze', file]));
  return block([
    heading(`wrote ${file}: ${totalText(messages)}`),
    list(lines),
    messages.length > 0 && text(['next: ', next], { isWhole: true }),
  ]);
}

function totalText(messages: readonly RecordedMessages[]): string {
  if (messages.length === 0) return 'nothing was posted';
  const low = messages.some(({ estimated }) => estimated) ? 'about ' : '';
  const all = sumOf(messages, (one) => one.count);
  const sent = `${low}${counted(all, 'message')}`;
  const size = sumBytes(messages);
  if (size === null) return `${sent}, size unknown`;
  const others = messages.some((one) => one.bytes === null) ? ', others of unknown size' : '';
  return `${sent}, ${estimateText(size)}${others}`;
}

function ranText({ processes, threads, elapsedMs, overheadMs }: RecordingHeader): string {
  const where = `${counted(threads, 'thread')} in ${counted(processes, 'process', 'processes')}`;
  const share = elapsedMs > 0 ? ` (${percent(overheadMs / elapsedMs / threads)} of each thread)` : '';
  return `${where}, ${time(elapsedMs * 1e6)}; recording took ${time(overheadMs * 1e6)}${share}`;
}

/** Sites by their share of the bytes plus their share of the time that calls took, the costliest first. */
function costliest(messages: readonly RecordedMessages[]): RecordedMessages[][] {
  const sites = groupedBy(messages, ({ api, site }) => [api, placeText(site)]).map(([, group]) => group);
  const total = (groups: readonly RecordedMessages[]) => sumBytes(groups)?.total ?? 0;
  const [allBytes, allNs] = [total(messages) || 1, sendNs(messages) || 1];
  const cost = (groups: readonly RecordedMessages[]) => total(groups) / allBytes + sendNs(groups) / allNs;
  return sites.sort((a, b) => cost(b) - cost(a));
}

const sendNs = (groups: readonly RecordedMessages[]) => sumOf(groups, ({ send }) => send?.total ?? 0);

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
  const sized = groups.filter((one) => one.bytes !== null);
  const sent = sumOf(sized.length === 0 ? groups : sized, (one) => one.count);
  const facts = [
    ...[String(rank), placeText(site)],
    ...(via === '' ? [] : [via]),
    sizeText({ count: sent, bytes: sumBytes(sized) }),
    blocked > 0 ? `${time(blocked)} in ${api}` : api,
  ];
  return facts.join(' · ');
}
