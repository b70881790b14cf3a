/** Nodes of a recording: the cost of its messages, and the next step for each of the costliest sites. */
import type { AnalyzedRecording, TrafficCost } from '../../model/documents/recorded/traffic.ts';
import type { Report, Run } from '../../model/documents/report.ts';
import type { Step } from '../../model/documents/step.ts';
import { runtimeWord } from '../../model/names.ts';
import type { Wording } from '../../model/report/wording.ts';
import { alert, block, drawing, factsNode, fold, heading, type Node, tableNode, text } from '../doc.ts';
import { type Column, columnsOf, known } from '../section/model/columns.ts';
import {
  code,
  firstSentence,
  muted,
  plainText,
  type Sentence,
  type Span,
  sentence,
  sentenceCase,
} from '../section/model/sentence.ts';
import { costCell, costOf, costSentences, kindOf, leftSentences } from '../section/model/site-costs.ts';
import { CLASS_TONES } from '../section/model/texts.ts';
import { count, counted, percent, speed, time } from '../text/numbers.ts';
import { shellCommand } from '../text/shell.ts';
import { lossText } from './answer.ts';
import { threadText } from './places.ts';
import { recordingCharts } from './recording-charts.ts';
import { type SiteRow, toSiteRow } from './site-step.ts';
import { thrownTexts, undeliveredTexts, unreadTexts } from './thrown.ts';
import { unsureSentence } from './to-do.ts';
import { findingText, ownRuntime, sizeText, totalText } from './traffic.ts';

const MAX_SITES = 5;

/** @param anchorOf anchor of a payload's section, by the index in the report */
export const recordingNodes = (report: Report, words: Wording, anchorOf: (place: number) => string): Node[] =>
  (report.recordings ?? []).map((recording) => {
    const all = report.payloads.map((payload) => toSiteRow(payload, recording, words));
    const rows = all.filter((row) => row !== null);
    const anchors = all.flatMap((row, place) => (row === null ? [] : anchorOf(place)));
    return {
      type: 'section',
      body: [
        ...rankingNodes(rows, recording, words),
        ...fold(recording.file, ['all sites'], siteTable(recording, rows, anchors, words)),
      ],
    };
  });

/** Rows of the sites, for -q. */
export const recordingRows = (report: Report, words: Wording): Node[] =>
  (report.recordings ?? []).flatMap((recording) => {
    const rows = report.payloads.flatMap((payload) => toSiteRow(payload, recording, words) ?? []);
    return [...brokenNodes(recording, rows), ...tableNode('Sites', siteColumns(rows))];
  });

function rankingNodes(rows: readonly SiteRow[], recording: AnalyzedRecording, words: Wording): Node[] {
  const shown = rows.slice(0, MAX_SITES);
  const [first] = rows;
  return [
    heading([code(recording.file)], programFacts(recording, rows), 2),
    ...brokenNodes(recording, rows),
    ...(first === undefined ? block([text(['No messages.'])]) : []),
    ...shown.flatMap((row, at) => block(siteNodes(row, at + 1, kindOf(rows), words))),
    ...block([
      ...(rows.length > shown.length
        ? [text([muted(`and ${counted(rows.length - shown.length, 'more site')}: --details`)])]
        : []),
      ...leftSentences(recording, rows).map((one) => text(one.map(mutedSpan))),
      ...recording.gaps.map(({ what, count: times }) =>
        text([muted(`Gap: ${what}${times > 1 ? ` (${count(times)}×)` : ''}`)]),
      ),
    ]),
    ...(first === undefined || rows.length === 1 ? [] : block([siteCommand(recording, first)])),
  ];
}

const brokenNodes = (recording: AnalyzedRecording, rows: readonly SiteRow[]): Node[] =>
  block(
    [
      ...thrownTexts(recording),
      ...unreadTexts(recording),
      ...undeliveredTexts(rows.map(({ traffic }) => traffic)),
    ].map((one) => alert([`${one}.`])),
  );

const mutedSpan = (span: Sentence[number]) => (typeof span === 'string' ? muted(span) : span);

function programFacts(recording: AnalyzedRecording, rows: readonly SiteRow[]): string[] {
  const { command, messages, bytes: size, sized, elapsedMs, exit } = recording;
  const some = sized < messages ? ` in ${count(sized)} of them` : '';
  const callsNs = rows.reduce((sum, { traffic: { send } }) => sum + (send?.total ?? 0), 0);
  const ended = exit?.signal == null ? `exit code ${exit?.code}` : `ended by ${exit.signal}`;
  return [
    command.join(' '),
    `${counted(messages, 'message')}${size === null ? '' : `, ${totalText(size)}${some}`}`,
    ...(callsNs > 0 ? [`calls took ${time(callsNs)} of ${time(elapsedMs * 1e6)}`] : [time(elapsedMs * 1e6)]),
    ...(exit === null || exit.code === 0 ? [] : [ended]),
  ];
}

function siteNodes(row: SiteRow, rank: number, kind: ReturnType<typeof kindOf>, words: Wording): Node[] {
  const { payload, traffic } = row;
  const cost = costOf(row, kind);
  const facts = [
    code(payload.id),
    ...(traffic.to === null ? [] : [`to ${threadText(traffic.to)}`]),
    sizeText(traffic),
    ...(cost === null
      ? traffic.cost === null
        ? []
        : [muted('not measured')]
      : [`${time(cost.totalMs * 1e6)}, ${percent(cost.share)}`]),
  ];
  const [step] = row.steps;
  return [
    factsNode([muted(String(rank)), ...facts]),
    ...(step === undefined ? restNodes(row) : stepNodes(step, row, words)).map((one) => text(one, { by: 1 })),
  ];
}

function restNodes({ payload: { error, runs }, run }: SiteRow): Sentence[] {
  if (error !== null) return [[muted(error.message)]];
  if (run?.advice?.action === 'unsure') return [unsureSentence(run, run.advice)];
  const isMeasured = runs.some(({ measurement }) => measurement !== null);
  return isMeasured ? [[muted('Nothing to do: nothing that was tried or recorded saves much.')]] : [];
}

const saved = ({ savesMs }: Step): Sentence =>
  savesMs === null ? [] : [{ text: `   saves about ${time(savesMs * 1e6)}`, tone: 'good' }];

function stepNodes(step: Step, row: SiteRow, words: Wording): Sentence[] {
  const { kind, path = '$', remedy = '', gain } = step;
  if (kind === 'traffic') {
    const wording = step.traffic && words.traffic[step.traffic];
    const finding = row.traffic.lint.find((one) => one.rule === step.traffic);
    if (wording === undefined || finding === undefined) return [];
    const found = findingText({ ...finding, bytes: null, savesMs: null }, wording.title);
    return [[sentenceCase(found)], [firstSentence(wording.fix), ...saved(step)]];
  }
  if (kind === 'rewrite') {
    const title = words.remedies[remedy]?.title ?? remedy;
    const faster = gain === undefined ? '' : `, proven equal and ${speed(gain)}`;
    return [
      sentence`${sentenceCase(title)}${path === '$' ? '' : [' at ', code(path)]}${faster}.${saved(step)}`,
    ];
  }
  if (kind === 'fewer') return [['An empty message takes about as long: post fewer, larger messages.']];
  const second = row.steps.find((one) => one.kind === 'rewrite' || one.kind === 'traffic');
  return [
    [{ text: `${plainText(lossText(step, words))}.`, tone: kind === 'rejected' ? 'bad' : 'fair' }],
    ...(second === undefined ? [] : stepNodes(second, row, words)),
  ];
}

const siteCommand = ({ file }: AnalyzedRecording, { payload }: SiteRow): Node =>
  text(
    sentence`One site in full: ${code(shellCommand(['npx', 'clone-prof', 'analyze', file, '--site', payload.id]))}`,
  );

function siteTable(
  recording: AnalyzedRecording,
  rows: readonly SiteRow[],
  anchors: readonly string[],
  words: Wording,
): Node[] {
  const { processes, threads, overheadMs, values, runtime } = recording;
  if (rows.length === 0) return [];
  const charts = recordingCharts(recording, rows, words);
  return [
    factsNode([
      `${counted(threads, 'thread')} in ${counted(processes, 'process', 'processes')}`,
      ...(runtime === null ? [] : [`${runtimeWord(runtime)} ${runtime.version}`]),
      `recording took ${time(overheadMs * 1e6)}`,
    ]),
    { type: 'table', title: 'Sites, most expensive first', columns: siteColumns(rows), anchors },
    ...charts.flatMap((chart) => drawing({ ...chart, isDrawnOnly: true })),
    ...costSentences(rows).map((one) => text(one, { tone: 'muted' })),
    ...(values === 'none'
      ? []
      : [text([muted(`The recording has values of the program${values === 'masked' ? ', masked' : ''}.`)])]),
  ];
}

/** Columns of the table of sites. A phone shows the first columns, and the rest scrolls. */
function siteColumns(rows: readonly SiteRow[]): Column[] {
  const kind = kindOf(rows);
  return columnsOf(rows, [
    { head: 'site', cell: ({ payload }) => code(payload.id) },
    { head: 'do', cell: ({ step }) => step.short },
    { head: 'cost', cell: (row) => costCell(row, kind), align: 'right' },
    { head: '%', cell: (row) => known(costOf(row, kind), costShare), align: 'right', rank: 5 },
    { head: 'sent', cell: ({ traffic }) => count(traffic.count), align: 'right', rank: 3 },
    { head: 'bytes', cell: ({ traffic }) => known(traffic.bytes, totalText), align: 'right', rank: 2 },
    { head: 'library', cell: ({ traffic }) => traffic.site.library?.name ?? '', rank: 0 },
    { head: 'runtime', cell: ({ traffic }) => ownRuntime(traffic), rank: 1 },
    { head: 'verdict', cell: ({ run }) => verdictCell(run), rank: 4 },
  ]);
}

const costShare = ({ share }: TrafficCost): string => percent(share).replace(' %', '');

function verdictCell(run: Run | null): Span {
  if (run === null) return muted('unknown');
  const { verdict, status } = run;
  return verdict === null ? muted(status) : { text: verdict.class, tone: CLASS_TONES[verdict.class] };
}
