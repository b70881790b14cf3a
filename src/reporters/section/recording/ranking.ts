/** A recording as a ranking: what costs most, where, and what to do. */

import type { AnalyzedRecording, TrafficCost } from '../../../model/documents/recorded/traffic.ts';
import type { Report, Run } from '../../../model/documents/report.ts';
import { runtimeWord } from '../../../model/names.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { count, counted, percent, time } from '../../text/numbers.ts';
import { type Column, columnsOf, known } from '../model/columns.ts';
import type { RecordingSection } from '../model/model.ts';
import { code, muted, type Sentence, type Span, sentence } from '../model/sentence.ts';
import { costCell, costOf, costSentences, kindOf, leftSentences, SHARE_OF } from '../model/site-costs.ts';
import { CLASS_TONES } from '../model/texts.ts';
import { recordingCharts } from './charts.ts';
import { findingText } from './findings.ts';
import { type SiteRow, stepText, toSiteRow } from './site-step.ts';
import { thrownTexts, unreadTexts } from './thrown.ts';
import { ownRuntime, totalText } from './traffic.ts';

const badSentence = (text: string): Sentence => [{ text: `${text}.`, tone: 'bad' }];

export const recordingSections = (
  { recordings = [], payloads }: Report,
  words: Wording,
): RecordingSection[] =>
  recordings.map((recording) => {
    const all = payloads.map((payload) => toSiteRow(payload, recording, words));
    const rows = all.filter((row) => row !== null);
    return {
      file: recording.file,
      program: sentence`${code(recording.command.join(' '))}`,
      facts: programFacts(recording),
      lead: [
        ...[...thrownTexts(recording), ...unreadTexts(recording)].map(badSentence),
        ...leadSentences(recording, rows),
        ...slowSentences(rows, words),
      ],
      charts: recordingCharts(recording, rows, words),
      sites: siteColumns(rows),
      places: all.flatMap((row, place) => (row === null ? [] : place)),
      notes: [...leftSentences(recording, rows), ...costSentences(rows), ...gapSentences(recording)],
    };
  });

function programFacts(recording: AnalyzedRecording): string[] {
  const { runtime, messages, bytes, sized, processes, threads, elapsedMs, overheadMs, exit } = recording;
  const ended = exit?.signal == null ? `exit code ${exit?.code}` : `ended by ${exit.signal}`;
  const some = sized < messages ? ` in ${count(sized)} of them` : '';
  return [
    counted(messages, 'message'),
    ...(bytes === null ? [] : [`${totalText(bytes)}${some}`]),
    `${counted(threads, 'thread')} in ${counted(processes, 'process', 'processes')}`,
    ...(runtime === null ? [] : [`${runtimeWord(runtime)} ${runtime.version}`]),
    time(elapsedMs * 1e6),
    `recording took ${time(overheadMs * 1e6)}`,
    ...(exit === null || exit.code === 0 ? [] : [ended]),
  ];
}

function leadSentences({ left }: AnalyzedRecording, rows: readonly SiteRow[]): Sentence[] {
  const [first] = rows;
  if (first === undefined) return [['No messages.']];
  const best = rows
    .filter((row) => costOf(row, kindOf(rows)) !== null)
    .sort((a, b) => (b.step.savesMs ?? 0) - (a.step.savesMs ?? 0))[0];
  const { payload, traffic, step } = first;
  const isAll = left.groups === 0 && rows.every((row) => costOf(row, kindOf(rows)) !== null);
  const among = isAll || traffic.cost?.of !== 'measured' ? '' : ` of ${SHARE_OF.measured}`;
  const share = traffic.cost === null ? '' : ` (${percent(traffic.cost.share)})`;
  const most = sentence`${code(payload.id)} costs most${among}${share}${step.short === '' ? '' : `: ${stepText(step)}`}.`;
  if (best === undefined || best === first || best.step.savesMs === null) return [most];
  return [sentence`${most} Most to gain: ${code(best.payload.id)}: ${stepText(best.step)}.`];
}

/** The site whose calls took longest in the program, where its message is not why. */
function slowSentences(rows: readonly SiteRow[], words: Wording): Sentence[] {
  const title = words.traffic['slow-calls']?.title;
  const slow = rows.flatMap(({ payload, traffic: { lint } }) =>
    lint.flatMap((finding) => (finding.rule === 'slow-calls' ? [{ id: payload.id, finding }] : [])),
  );
  const [most] = slow.sort((a, b) => (b.finding.ns ?? 0) - (a.finding.ns ?? 0));
  return most && title ? [sentence`${code(most.id)}: ${findingText(most.finding, title)}`] : [];
}

function siteColumns(rows: readonly SiteRow[]): Column[] {
  const kind = kindOf(rows);
  return columnsOf(rows, [
    { head: '', cell: (_, index) => String(index + 1), align: 'right' },
    { head: 'site', cell: ({ payload }) => code(payload.id) },
    { head: 'library', cell: ({ traffic }) => traffic.site.library?.name ?? '', rank: 0 },
    { head: 'runtime', cell: ({ traffic }) => ownRuntime(traffic), rank: 1 },
    { head: 'sent', cell: ({ traffic }) => count(traffic.count), align: 'right', rank: 3 },
    { head: 'bytes', cell: ({ traffic }) => known(traffic.bytes, totalText), align: 'right', rank: 2 },
    { head: 'cost', cell: (row) => costCell(row, kind), align: 'right' },
    { head: '%', cell: (row) => known(costOf(row, kind), costShare), align: 'right', rank: 5 },
    { head: 'verdict', cell: ({ run }) => verdictCell(run), rank: 4 },
    { head: 'do', cell: ({ step }) => step.short },
  ]);
}

const costShare = ({ share }: TrafficCost): string => percent(share).replace(' %', '');

function verdictCell(run: Run | null): Span {
  if (run === null) return muted('unknown');
  const { verdict, status } = run;
  return verdict === null ? muted(status) : { text: verdict.class, tone: CLASS_TONES[verdict.class] };
}

const gapSentences = ({ gaps, values }: AnalyzedRecording): Sentence[] => [
  ...gaps.map(({ what, count: times }) => [`Gap: ${what}${times > 1 ? ` (${count(times)}×)` : ''}`]),
  ...(values === 'none'
    ? []
    : [[`The recording has values of the program${values === 'masked' ? ', masked' : ''}.`]]),
];
