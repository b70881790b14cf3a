/** Recorded sites in words: places, sizes, faults, the summary of `record`, and details. */

import type {
  Frame,
  Gap,
  RecordedMessages,
  Recording,
  RecordingHeader,
  Site,
  Total,
} from '../../model/documents/recorded/recording.ts';
import type { Traffic, TrafficFinding, TrafficValues } from '../../model/documents/recorded/traffic.ts';
import type { PayloadReport } from '../../model/documents/report.ts';
import { isToProcess } from '../../model/recording/recording.ts';
import { sumOf } from '../../model/sums.ts';
import { TRAFFIC_WORDS } from '../../model/vocabulary/traffic.ts';
import {
  heaviest,
  placeOfSite,
  sendWeights,
  siteNames,
  sumBytes,
  thrownText,
} from '../../record/sites/sites.ts';
import { type Body, block, fold, heading, item, list, text } from '../nodes.ts';
import { atMost, groupedBy } from '../text/groups.ts';
import { bytes, bytesInterval, count, counted, medianText, percent, time } from '../text/numbers.ts';
import { shellCommand } from '../text/shell.ts';
import { code, cutPath, muted, sentenceCase, type Words } from '../words.ts';
import { runtimeNames } from './texts.ts';

// Places and threads of a recorded program, in the form that readers know.

const PACKAGES = 'node_modules/';

function shortPath(text: string): string {
  const at = text.lastIndexOf(PACKAGES);
  return at < 0 ? text : text.slice(at + PACKAGES.length);
}

export const threadText = (thread: string): string =>
  thread.includes(PACKAGES) ? `${thread.split(' ', 1)[0]} ${shortPath(thread)}` : thread;

export const placeWords = ({ file, line, column, name }: Frame): Words => [
  code(`${shortPath(file)}:${line}:${column}`),
  name !== null && [' in ', code(name)],
];

export const frameOf = ({ user, library }: Site): Frame | null => user ?? library?.frame ?? null;

const isExact = ({ ci: [low, high] }: Total): boolean => low === high;

export const totalText = (size: Total): string => `${isExact(size) ? '' : '~'}${bytes(size.total)}`;

/** "1,200 × ~900 B"; "3 messages" if the size is unknown. */
export function sizeText({ count: sent, bytes: size }: Pick<Traffic, 'count' | 'bytes'>): string {
  if (size === null) return counted(sent, 'message');
  return `${count(sent)} × ${totalText({ ...size, total: size.total / Math.max(1, sent) })}`;
}

export const gapText = ({ what, count: times }: Gap): string =>
  `${what}${times > 1 ? ` (${count(times)}×)` : ''}`;

const MAX_THROWN = 3;

export function thrownTexts({ thrown = [] }: Pick<RecordingHeader, 'thrown'>): string[] {
  const texts = thrown.map(thrownText);
  return atMost(MAX_THROWN, texts, (others) => `${counted(others, 'more kind')} of posts that threw`);
}

/** Messages that the receiver could not read, or that got lost between processes, which nothing else would report. */
export const lostTexts = (
  { unread = [] }: Pick<RecordingHeader, 'unread'>,
  messages: readonly Pick<RecordedMessages, 'site' | 'api' | 'count' | 'received' | 'estimated'>[],
): string[] => [
  ...unread.map(
    ({ thread, count: got }) =>
      `${thread} got ${counted(got, 'message')} that it could not read (messageerror)`,
  ),
  ...messages.flatMap((one) => {
    const lost =
      one.received === null || one.estimated || !isToProcess(one.api) ? 0 : one.count - one.received;
    return lost > 0 ? `${placeOfSite(one)}: ${lost} of ${counted(one.count, 'message')} never arrived` : [];
  }),
];

/** "longer than a frame (16.7 ms): 4 of 12 timed calls, at most ..., about 41.9 MB; the fix would save about 12.0 ms" */
export function findingText(finding: TrafficFinding): string {
  const { count: found, of = found, bytes: size, ns, hereNs, savesMs } = finding;
  const { equal = 0, paths = [], share = 1 } = finding;
  const words: Readonly<Record<string, string>> = {
    ...{ count: count(found), of: count(of ?? found), ns: time(ns ?? 0), here: time(hereNs ?? 0) },
    // Long lists and texts are sampled, so "100 %" is never claimed.
    equal: `${Math.min(99, Math.floor(equal * 100))} %`,
    share: percent(share),
    paths: paths.length === 0 ? 'parts that were not looked at' : paths.map(cutPath).join(', '),
  };
  const filled = TRAFFIC_WORDS[finding.rule].title.replace(/\{(\w+)\}/g, (_, name: string) =>
    Object.hasOwn(words, name) ? words[name]! : name,
  );
  const amount = size === null ? '' : `, about ${bytes(size)}`;
  const saves = savesMs === null ? '' : `; the fix would save about ${time(savesMs * 1e6)}`;
  return `${filled}${amount}${saves}.`;
}

// Summary that `record` prints when the program has ended.

const MAX_GAPS = 5;
const MAX_SITES = 5;

export function recordedNodes({ header, messages }: Recording, file: string): Body {
  const names = siteNames(messages);
  const sites = heaviest(sendWeights(messages), messages.length).map((at, rank) => {
    const { to, send } = messages[at]!;
    const facts = [
      ...[String(rank + 1), names[at]!, ...(to === null ? [] : [`to ${threadText(to)}`])],
      ...[sizeText(messages[at]!), ...(send === null ? [] : [time(send.total)])],
    ];
    return facts.join(' · ');
  });
  const gaps = header.gaps.map((gap) => `gap: ${gapText(gap)}`);
  const lines = [
    ...(header.threads > 0
      ? [`${threadsText(header)}, ${time(header.elapsedMs * 1e6)}; ${overheadText(header)}`]
      : []),
    ...thrownTexts(header).map((text) => `threw: ${text}`),
    ...lostTexts(header, messages).map((text) => `lost: ${text}`),
    ...atMost(MAX_SITES, sites, (others) => `and ${counted(others, 'more site')}`),
    ...atMost(MAX_GAPS, gaps, (others) => `and ${counted(others, 'more gap')}, in the file`),
  ];
  const next = code(shellCommand(['npx', 'clone-prof', 'analyze', file]));
  const posted = postedText(
    sumOf(messages, (one) => one.count),
    sumOf(messages, (one) => (one.bytes === null ? 0 : one.count)),
    sumBytes(messages),
  );
  return block([
    heading(`wrote ${file}: ${messages.length === 0 ? 'nothing was posted' : posted}`),
    list(lines),
    messages.length > 0 && text(['next: ', next], { isWhole: true }),
  ]);
}

/** "2,405 messages, ~7.62 MB in 2,403 of them" */
export function postedText(messages: number, sized: number, size: Total | null): string {
  const some = sized < messages ? ` in ${count(sized)} of them` : '';
  return `${counted(messages, 'message')}${size === null ? '' : `, ${totalText(size)}${some}`}`;
}

export const threadsText = ({ processes, threads }: Pick<RecordingHeader, 'processes' | 'threads'>): string =>
  `${counted(threads, 'thread')} in ${counted(processes, 'process', 'processes')}`;

type Overhead = Pick<RecordingHeader, 'threads' | 'elapsedMs' | 'overheadMs'>;

export function overheadText({ threads, elapsedMs, overheadMs }: Overhead): string {
  const share = elapsedMs > 0 ? ` (${percent(overheadMs / elapsedMs / threads)} of each thread)` : '';
  return `recording took ${time(overheadMs * 1e6)}${share}`;
}

// Details of a site: the way its messages were posted, and faults of its traffic.

export function trafficFold(payload: PayloadReport): Body {
  const { id, traffic } = payload;
  if (traffic === undefined) return null;
  const { api, serialization, lint, values } = traffic;
  const mode = isToProcess(api) && `Serialization: ${serialization ?? 'not known, taken as json'}.`;
  const posted = [placeWordsOf(traffic), countText(traffic), mode];
  return fold(
    id,
    'how it was posted',
    block([
      item('posted', posted),
      item('size', sizeTexts(traffic)),
      lint.map(findingItem),
      item('library', [envelopeText(payload, traffic)]),
      values && item('values', [valuesText(values, traffic)]),
    ]),
  );
}

function placeWordsOf({ site, api, from, to }: Traffic): Words {
  const { user, library } = site;
  const by = library && `${library.name}${library.version === null ? '' : ` ${library.version}`}`;
  const frame = frameOf(site);
  return [
    code(api),
    frame && [' at ', placeWords(frame)],
    by !== null && `, ${user === null ? 'by' : 'through'} ${by}`,
    ...[', from ', code(threadText(from))],
    to !== null && [' to ', code(threadText(to))],
    '.',
  ];
}

function countText({ count: sent, received, threads, estimated, queue }: Traffic): string {
  const by = threads > 1 ? ` by ${counted(threads, 'thread')}` : '';
  const arrived = received === null ? '' : `, ${received === sent ? 'all' : count(received)} received`;
  const waited = queue ? `; at most ${count(queue.max)} waiting, ${count(queue.last)} at the end` : '';
  const least = estimated ? ' The counts may be too low: a process ended between two writes.' : '';
  return `${counted(sent, 'message')}${by}${arrived}${waited}.${least}`;
}

const sizeTexts = ({ bytes: size, send, looked, count: sent }: Traffic): Words[] => [
  size &&
    `${totalText(size)}${isExact(size) ? '' : ` (95 % interval ${bytesInterval(size.ci)})`} in all, at most ${bytes(size.max)} a message.`,
  send && `A call took ${medianText(send)} (median of ${count(send.timed)}), at most ${time(send.max)}.`,
  looked < sent && `${count(looked)} of ${count(sent)} messages were looked at.`,
];

function envelopeText({ runs }: PayloadReport, { envelope }: Traffic): Words {
  if (envelope === null) return null;
  const others = runs.filter(({ bare, verdict }) => bare && verdict && bare.class !== verdict.class);
  const effects = groupedBy(others, ({ bare }) => `${bare?.class} (${bare?.path})`);
  const alone = effects.map(
    ([effect, group]) => ` The value alone would be ${effect} on ${runtimeNames(group)}.`,
  );
  return [`The message is a ${envelope.direction} of ${envelope.library}.`, alone];
}

const VALUES: Record<TrafficValues['from'], string> = {
  'made-up': '; its texts, numbers and keys that are data are made up',
  sample: '',
  'masked-sample': '; its texts are masked',
};

const MAX_DIFFERENCES = 3;

function valuesText({ from, differences }: TrafficValues, { transfer: { listed } }: Traffic): Words {
  const told = atMost(MAX_DIFFERENCES, differences, (others) => `${others} more, in --format json`);
  return [
    `A message as it was recorded${VALUES[from]}.`,
    told.length > 0 && ` What differs: ${told.join('; ')}.`,
    listed > 0 && ' Posted with a transfer list: classified with it, and not measured.',
  ];
}

function findingItem(finding: TrafficFinding): Body {
  const row = TRAFFIC_WORDS[finding.rule];
  const text = sentenceCase(findingText(finding));
  const isSlow = row.level !== 'note';
  const why = muted(`${row.why} ${row.fix}`);
  return item(isSlow ? 'fix' : 'see', [isSlow ? { text, tone: 'poor' } : text, why]);
}
