/** A recording in words: its sites, faults and gaps, the summary of `record`, and the ranking of sites by cost. */

import type {
  Frame,
  Gap,
  RecordedMessages,
  Recording,
  RecordingHeader,
  Site,
  Total,
} from '../../model/documents/recorded/recording.ts';
import type { AnalyzedRecording, Traffic, TrafficFinding } from '../../model/documents/recorded/traffic.ts';
import type { Report, Step } from '../../model/documents/report.ts';
import { isToProcess } from '../../model/recording/recording.ts';
import { mainRun } from '../../model/report/runs.ts';
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
import { stepsOf } from '../../stats/advise/steps.ts';
import { amounts, known, sparkline } from '../columns.ts';
import type { Node } from '../doc.ts';
import {
  alert,
  type Body,
  block,
  facts,
  fold,
  heading,
  list,
  nodesOf,
  section,
  tableOf,
  text,
} from '../nodes.ts';
import { atMost } from '../text/groups.ts';
import { bytes, count, counted, percent, speed, time } from '../text/numbers.ts';
import { shellCommand } from '../text/shell.ts';
import {
  code,
  cutPath,
  firstSentence,
  muted,
  plainText,
  type Span,
  sentence,
  sentenceCase,
  type Words,
} from '../words.ts';
import { unsureSentence } from './advice.ts';
import { lossText } from './answer.ts';
import { adviceShort, adviceWithGain, anchorOf, remedyTitle, runtimeText, statusText } from './texts.ts';

// Places and threads of a recorded program, in the form that readers know.

const PACKAGES = 'node_modules/';

function shortPath(text: string): string {
  const at = text.lastIndexOf(PACKAGES);
  return at < 0 ? text : text.slice(at + PACKAGES.length);
}

export const threadText = (thread: string): string =>
  thread.includes(PACKAGES) ? `${thread.split(' ', 1)[0]} ${shortPath(thread)}` : thread;

export const lineWords = ({ file, line, column, name }: Frame): Words => [
  code(`${shortPath(file)}:${line}:${column}`),
  name !== null && [' in ', code(name)],
];

export const frameOf = ({ user, library }: Site): Frame | null => user ?? library?.frame ?? null;

export const totalText = ({ total, ci: [low, high] }: Total): string =>
  `${low === high ? '' : '~'}${bytes(total)}`;

/** "1,200 × ~900 B"; "3 messages" if the size is unknown. */
function sizeText({ count: sent, bytes: size }: Pick<Traffic, 'count' | 'bytes'>): string {
  if (size === null) return counted(sent, 'message');
  return `${count(sent)} × ${totalText({ ...size, total: size.total / Math.max(1, sent) })}`;
}

const gapText = ({ what, count: times }: Gap): string => `${what}${times > 1 ? ` (${count(times)}×)` : ''}`;

const MAX_THROWN = 3;

function thrownTexts({ thrown = [] }: Pick<RecordingHeader, 'thrown'>): string[] {
  const texts = thrown.map(thrownText);
  return atMost(MAX_THROWN, texts, (others) => `${counted(others, 'more kind')} of posts that threw`);
}

/** Messages that the receiver could not read, or that got lost between processes, which nothing else would report. */
const lostTexts = (
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

/** "longer than 16.7 ms: 4 of 12 timed calls, at most ..., about 41.9 MB; the fix would save about 12.0 ms" */
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
function postedText(messages: number, sized: number, size: Total | null): string {
  const some = sized < messages ? ` in ${count(sized)} of them` : '';
  return `${counted(messages, 'message')}${size === null ? '' : `, ${totalText(size)}${some}`}`;
}

const threadsText = ({ processes, threads }: Pick<RecordingHeader, 'processes' | 'threads'>): string =>
  `${counted(threads, 'thread')} in ${counted(processes, 'process', 'processes')}`;

type Overhead = Pick<RecordingHeader, 'threads' | 'elapsedMs' | 'overheadMs'>;

function overheadText({ threads, elapsedMs, overheadMs }: Overhead): string {
  const share = elapsedMs > 0 ? ` (${percent(overheadMs / elapsedMs / threads)} of each thread)` : '';
  return `recording took ${time(overheadMs * 1e6)}${share}`;
}

// Ranking that `analyze` prints: the cost of the messages of each site, and its next step.

type SiteRow = ReturnType<typeof siteRows>[number];

const kindOf = (sites: readonly { traffic: Pick<Traffic, 'cost'> }[]): keyof typeof COSTS =>
  sites.some(({ traffic }) => traffic.cost?.of === 'measured') ? 'measured' : 'send';

function siteRows({ payloads }: Report, { file, runtime }: AnalyzedRecording) {
  const rows = payloads.flatMap((payload, place) => {
    const { traffic, source } = payload;
    if (traffic === undefined || source.file !== file) return [];
    // The run on the runtime of the program; null if none could be analyzed.
    const run = mainRun(payload, runtime);
    const steps = stepsOf({ runs: run === null ? [] : [run], traffic });
    // A loss is skipped here: the section of the payload names it.
    const step = steps.find(({ kind }) => kind !== 'lost');
    const short = (step === undefined ? run && adviceShort(run) : stepShort(step)) ?? '';
    const savesMs = step?.savesMs ?? null;
    return { payload, anchor: anchorOf(place), traffic, run, steps, short, savesMs };
  });
  // Measured costs and times of recorded calls are never added or put into one column.
  const kind = kindOf(rows);
  return rows.map((row) => ({ ...row, cost: row.traffic.cost?.of === kind ? row.traffic.cost : null }));
}

function stepShort({ kind, remedy = '', gain, traffic }: Step): string | undefined {
  if (kind === 'rejected') return 'fix the causes';
  if (kind === 'fewer') return 'no rewrite';
  if (kind === 'rewrite') return adviceWithGain(remedy, gain ?? null);
  return traffic && TRAFFIC_WORDS[traffic].short;
}

export const recordingNodes = (report: Report): Node[] =>
  (report.recordings ?? []).map((recording) => {
    const rows = siteRows(report, recording);
    const details = fold(recording.file, 'all sites', siteDetails(recording, rows));
    return section([rankingNodes(rows, recording), details]);
  });

export const recordingRows = (report: Report): Node[] =>
  (report.recordings ?? []).flatMap((recording) => {
    const rows = siteRows(report, recording);
    return nodesOf([faultNodes(recording, rows), sitesTable('Sites', rows, recording)]);
  });

function rankingNodes(rows: readonly SiteRow[], recording: AnalyzedRecording): Body {
  const { file, gaps } = recording;
  const [first, ...others] = rows;
  const more = rows.length - MAX_SITES;
  const left = leftText(recording, rows.length);
  const command = first && shellCommand(['npx', 'clone-prof', 'analyze', file, '--site', first.payload.id]);
  return [
    heading(code(file), programFacts(recording, rows), 2),
    faultNodes(recording, rows),
    first === undefined && block(text('No messages.')),
    rows.slice(0, MAX_SITES).map((row, at) => siteNodes(row, at + 1)),
    block([
      more > 0 && text(muted(`and ${counted(more, 'more site')}: --details`)),
      text(left && muted(left)),
      gaps.map((gap) => text(muted(`Gap: ${gapText(gap)}`))),
    ]),
    others.length > 0 && block(text(sentence`One site in full: ${code(command!)}`)),
  ];
}

function faultNodes(recording: AnalyzedRecording, rows: readonly SiteRow[]): Body {
  const posted = rows.map(({ traffic }) => traffic);
  const faults = [...thrownTexts(recording), ...lostTexts(recording, posted)];
  return block(faults.map((one) => alert(`${one}.`)));
}

function programFacts(recording: AnalyzedRecording, rows: readonly SiteRow[]): Words {
  const { command, messages, bytes, sized, elapsedMs, exit } = recording;
  const callsNs = rows.reduce((sum, { traffic: { send } }) => sum + (send?.total ?? 0), 0);
  return [
    command.join(' '),
    postedText(messages, sized, bytes),
    // With --site or --top, the rows are not all sites of the program.
    `${callsNs > 0 ? `calls of these sites took ${time(callsNs)} of ` : ''}${time(elapsedMs * 1e6)}`,
    exit !== null &&
      exit.code !== 0 &&
      (exit.signal == null ? `exit code ${exit.code}` : `ended by ${exit.signal}`),
  ];
}

function siteNodes(row: SiteRow, rank: number): Body {
  const { payload, traffic, steps, cost } = row;
  const [step] = steps;
  const sentences = step === undefined ? restWords(row) : stepWords(step, row);
  return block([
    facts([
      ...[muted(String(rank)), code(payload.id)],
      traffic.to !== null && `to ${threadText(traffic.to)}`,
      sizeText(traffic),
      cost === null
        ? traffic.cost && muted('not measured')
        : `${time(cost.totalMs * 1e6)}, ${percent(cost.share)}`,
    ]),
    sentences.map((one) => text(one, { by: 1 })),
  ]);
}

function restWords({ payload: { error, runs }, run }: SiteRow): Words[] {
  if (error !== null) return [muted(error.message)];
  if (run?.advice?.action === 'unsure') return [unsureSentence(run, run.advice)];
  const isMeasured = runs.some(({ measurement }) => measurement !== null);
  return isMeasured ? [muted('Nothing to do: nothing that was tried or recorded saves much.')] : [];
}

function stepWords(step: Step, row: SiteRow): Words[] {
  const { kind, path = '$', remedy = '', gain, savesMs } = step;
  const saves = `   saves about ${time((savesMs ?? 0) * 1e6)}`;
  const saved: Words = savesMs !== null && { text: saves, tone: 'good' };
  if (kind === 'traffic') {
    const finding = row.traffic.lint.find((one) => one.rule === step.traffic);
    if (finding === undefined) return [];
    const found = findingText({ ...finding, bytes: null, savesMs: null });
    return [sentenceCase(found), [firstSentence(TRAFFIC_WORDS[finding.rule].fix), saved]];
  }
  if (kind === 'rewrite') {
    const faster = gain === undefined ? '' : `, proven equal and ${speed(gain)}`;
    const title = sentenceCase(remedyTitle(remedy));
    return [sentence`${title}${path !== '$' && [' at ', code(path)]}${faster}.${saved}`];
  }
  if (kind === 'fewer') return ['An empty message takes about as long: post fewer, larger messages.'];
  const second = row.steps.find((one) => one.kind === 'rewrite' || one.kind === 'traffic');
  return [
    { text: `${plainText(lossText(step))}.`, tone: kind === 'rejected' ? 'bad' : 'fair' },
    ...(second === undefined ? [] : stepWords(second, row)),
  ];
}

function siteDetails(recording: AnalyzedRecording, rows: readonly SiteRow[]): Body {
  const { runtime } = recording;
  if (rows.length === 0) return null;
  return [
    facts([threadsText(recording), runtime && runtimeText(runtime), overheadText(recording)]),
    sitesTable('Sites, most expensive first', rows, recording),
    rows.some(({ traffic }) => traffic.cost !== null) && text(COSTS[kindOf(rows)], { tone: 'muted' }),
  ];
}

/** Table of sites. A phone shows the first columns, and the rest scrolls. */
function sitesTable(title: string, rows: readonly SiteRow[], { elapsedMs }: AnalyzedRecording): Body {
  const uncosted = ({ traffic }: SiteRow): Span => (traffic.cost === null ? '' : muted('unmeasured'));
  const table = tableOf(title, rows, [
    { head: 'site', cell: ({ payload }) => code(payload.id) },
    { head: 'do', cell: ({ short }) => short },
    amounts('cost', (row) => known(row.cost, ({ totalMs }) => time(totalMs * 1e6)) || uncosted(row)),
    amounts('%', ({ cost }) => known(cost, ({ share }) => percent(share).replace(' %', '')), 5),
    amounts('saves about', ({ savesMs }) => (savesMs ? time(savesMs * 1e6) : ''), -2),
    amounts('sent', ({ traffic }) => count(traffic.count), 3),
    amounts('bytes', ({ traffic }) => known(traffic.bytes, totalText), 2),
    { head: 'when', cell: ({ traffic }) => whenText(traffic, elapsedMs), rank: -3 },
    { head: 'library', cell: ({ traffic }) => traffic.site.library?.name ?? '', rank: 0 },
    // Of a site that posts on a different runtime than the first process.
    { head: 'runtime', cell: ({ traffic: { runtime = null } }) => known(runtime, runtimeText), rank: 1 },
    { head: 'verdict', cell: ({ run }) => (run ? statusText(run) : muted('unknown')), rank: 4 },
  ]);
  return table && { ...table, anchors: rows.map(({ anchor }) => anchor) };
}

/** Messages from the start of the recording to its end. */
function whenText({ times: { stepMs, counts } }: Traffic, elapsedMs: number): Span {
  const steps = Math.ceil(elapsedMs / stepMs);
  return counts.some((posted) => posted > 0) ? sparkline(counts, Number.isFinite(steps) ? steps : 0) : '';
}

const COSTS = {
  send: 'Cost: how long the recorded calls took; what the receiver pays is not in it.',
  measured:
    'Cost: messages × send and receive of one, measured here; shares are of the sites that were measured.',
} as const satisfies Record<NonNullable<Traffic['cost']>['of'], string>;

export function leftText({ left }: Pick<AnalyzedRecording, 'left'>, sites: number): string | null {
  if (left.groups === 0) return null;
  const more = `And ${counted(left.groups, 'more site')}: ${counted(left.messages, 'message')}`;
  // The number can be typed, since it lacks a comma.
  return `${more}, ${percent(left.share)} of the time that all recorded calls took. --top ${left.groups + sites} analyzes all.`;
}
