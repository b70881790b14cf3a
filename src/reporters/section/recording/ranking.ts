/** A recording as a ranking: what costs most, where, and what to do. */

import { carries } from '../../../core/evidence.ts';
import type { PayloadReport, Report, Run } from '../../../model/documents/report.ts';
import type { AnalyzedRecording, Traffic, TrafficCost } from '../../../model/documents/traffic.ts';
import { runtimeWord } from '../../../model/names.ts';
import { mainRun } from '../../../model/report/runs.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { count, counted, percent, time } from '../../text/numbers.ts';
import { adviceShort } from '../advice/advice.ts';
import { adviceWithGain } from '../advice/answers.ts';
import { type Column, columnsOf, known } from '../model/columns.ts';
import type { RecordingSection } from '../model/model.ts';
import { code, muted, type Sentence, type Span, sentence } from '../model/sentence.ts';
import { CLASS_TONES } from '../model/texts.ts';
import { recordingCharts, type SiteRow, smallShare } from './charts.ts';
import { thrownTexts } from './thrown.ts';
import { ownRuntime, totalText } from './traffic.ts';

const badSentence = (text: string): Sentence => [{ text: `${text}.`, tone: 'bad' }];

type NextStep = SiteRow['step'];

export const recordingSections = (
  { recordings = [], payloads }: Report,
  words: Wording,
): RecordingSection[] =>
  recordings.map((recording) => {
    const rows = payloads.flatMap((payload) => toSiteRow(payload, recording, words));
    return {
      file: recording.file,
      program: sentence`${code(recording.command.join(' '))}`,
      facts: programFacts(recording),
      lead: [...thrownTexts(recording).map(badSentence), ...leadSentences(rows)],
      charts: recordingCharts(recording, rows, words),
      sites: siteColumns(rows),
      notes: [...leftSentences(recording, rows.length), ...costSentences(rows), ...gapSentences(recording)],
    };
  });

function toSiteRow(payload: PayloadReport, recording: AnalyzedRecording, words: Wording): SiteRow[] {
  const { traffic, source } = payload;
  if (traffic === undefined || source.file !== recording.file) return [];
  const run = mainRun(payload, recording.runtime);
  return [{ payload, traffic, run, step: siteStep(traffic, run, words) }];
}

/** Less of the cost of a site is not worth a word. */
const MIN_SAVED = 0.05;

function siteStep({ cost, lint }: Traffic, run: Run | null, words: Wording): NextStep {
  if (run?.verdict?.class === 'rejected') return { short: 'fix the causes', savesMs: null };
  const { action, remedy, gain = null } = run?.advice ?? {};
  const saved = cost && carries(gain, 'size') ? (1 - gain.ratio) * cost.totalMs : null;
  const applied = { short: adviceWithGain({ advice: remedy ?? '', gain }), savesMs: saved };
  const fixes = lint.flatMap(({ rule, savesMs }): NextStep[] => {
    const row = words.traffic[rule];
    return row?.level === 'slow' ? [{ short: row.short, savesMs }] : [];
  });
  const least = MIN_SAVED * (cost?.totalMs ?? 0);
  const [best] = [...(action === 'apply' && gain ? [applied] : []), ...fixes]
    .filter(({ savesMs }) => savesMs === null || savesMs >= least)
    .sort((a, b) => (b.savesMs ?? 0) - (a.savesMs ?? 0));
  if (best !== undefined) return best;
  const resting = run && adviceWithGain({ advice: adviceShort(run), gain: action === 'apply' ? gain : null });
  return { short: action === 'not-the-clone' ? 'no rewrite' : (resting ?? ''), savesMs: null };
}

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

function leadSentences(rows: readonly SiteRow[]): Sentence[] {
  const [first] = rows;
  if (first === undefined) return [['No messages.']];
  const best = [...rows].sort((a, b) => (b.step.savesMs ?? 0) - (a.step.savesMs ?? 0))[0];
  const { payload, traffic, step } = first;
  const share = traffic.cost === null ? '' : ` (${percent(traffic.cost.share)})`;
  const most = sentence`${code(payload.id)} costs most${share}${step.short === '' ? '' : `: ${stepText(step)}`}.`;
  if (best === undefined || best === first || best.step.savesMs === null) return [most];
  return [sentence`${most} Most to gain: ${code(best.payload.id)}: ${stepText(best.step)}.`];
}

const stepText = ({ short, savesMs }: NextStep): string =>
  savesMs === null ? short : `${short}, about ${time(savesMs * 1e6)} less`;

const siteColumns = (rows: readonly SiteRow[]): Column[] =>
  columnsOf(rows, [
    { head: '', cell: (_, index) => String(index + 1), align: 'right' },
    { head: 'site', cell: ({ payload }) => code(payload.id) },
    { head: 'library', cell: ({ traffic }) => traffic.site.library?.name ?? '', rank: 0 },
    { head: 'runtime', cell: ({ traffic }) => ownRuntime(traffic), rank: 1 },
    { head: 'sent', cell: ({ traffic }) => count(traffic.count), align: 'right', rank: 3 },
    { head: 'bytes', cell: ({ traffic }) => known(traffic.bytes, totalText), align: 'right', rank: 2 },
    { head: 'cost', cell: ({ traffic }) => known(traffic.cost, costText), align: 'right' },
    { head: '%', cell: ({ traffic }) => known(traffic.cost, costShare), align: 'right', rank: 5 },
    { head: 'verdict', cell: ({ run }) => verdictCell(run), rank: 4 },
    { head: 'do', cell: ({ step }) => step.short },
  ]);

const costText = ({ totalMs }: TrafficCost): string => time(totalMs * 1e6);
const costShare = ({ share }: TrafficCost): string => smallShare(share).replace(' %', '');

function verdictCell(run: Run | null): Span {
  if (run === null) return muted('unknown');
  const { verdict, status } = run;
  return verdict === null ? muted(status) : { text: verdict.class, tone: CLASS_TONES[verdict.class] };
}

function leftSentences({ left }: AnalyzedRecording, shown: number): Sentence[] {
  if (left.groups === 0) return [];
  const more = `And ${counted(left.groups, 'more site')}: ${counted(left.messages, 'message')}`;
  return [[`${more}, ${percent(left.share)} of the cost; --top ${count(left.groups + shown)} analyzes all.`]];
}

function costSentences(rows: readonly SiteRow[]): Sentence[] {
  const costs = rows.flatMap(({ traffic }) => traffic.cost ?? []);
  const isSend = costs.some(({ of }) => of === 'send');
  if (costs.length === 0) return [];
  if (costs.every(({ of }) => of === 'send'))
    return [['Cost: how long the recorded calls took; what the receiver pays is not in it.']];
  const rest = isSend ? ' Where that was not measured: how long the recorded calls took.' : '';
  return [[`Cost: messages × send and receive of one, measured here.${rest}`]];
}

const gapSentences = ({ gaps, values }: AnalyzedRecording): Sentence[] => [
  ...gaps.map(({ what, count: times }) => [`Gap: ${what}${times > 1 ? ` (${count(times)}×)` : ''}`]),
  ...(values === 'none'
    ? []
    : [[`The recording has values of the program${values === 'masked' ? ', masked' : ''}.`]]),
];
