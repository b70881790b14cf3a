/** One payload of a report as a section, with a section for each group of its runs. */

import { carries, lackText } from '../../core/evidence.ts';
import type { Profile } from '../../model/documents/profile.ts';
import type { PayloadReport, Report, Run } from '../../model/documents/report.ts';
import type { Wording } from '../../model/report/wording.ts';
import { WORKS } from '../../model/vocabulary/profile.ts';
import { groupedBy } from '../text/grouped.ts';
import { bytes, count, counted, percent, time } from '../text/numbers.ts';
import { adviceStatements } from './advice/advice.ts';
import { gainChart } from './advice/answers.ts';
import { gainText } from './advice/gain-text.ts';
import { openText, otherChannelStatements } from './advice/other-channel.ts';
import { blockerStatements, findingStatements, unknownStatements } from './causes.ts';
import { payloadIcicle } from './charts/icicle.ts';
import { conditionStatements } from './conditions.ts';
import type { Chart } from './model/charts.ts';
import { type Cell, columnsOf, known } from './model/columns.ts';
import { errorText } from './model/failure.ts';
import { largestParts } from './model/largest-parts.ts';
import type { Figure, FigurePart, PayloadSection, RunSection, Statement } from './model/model.ts';
import { fastestFirst, figuresByRun, runtimeName, runtimeNames, sectionGroups } from './model/run-groups.ts';
import { code, muted, type Sentence, type Span, sentence } from './model/sentence.ts';
import { WORK_WORDS } from './model/texts.ts';
import { alarmSentence, statusText, upgradeStatements, verdictStatements } from './model/verdict.ts';
import { memoryCharts, timeFigures } from './times.ts';
import { trialFigures } from './trials.ts';

export const NO_PAYLOADS = 'No payloads.';

export function payloadSection(payload: PayloadReport, words: Wording): PayloadSection {
  const runs = fastestFirst(payload.runs);
  const groups = sectionGroups(runs);
  const gain = gainChart(payload);
  return {
    id: payload.id,
    source: sourceSentence(payload),
    facts: sizeFacts(payload),
    error: payload.error && errorText(payload.error),
    gain,
    icicle: payloadIcicle(runs, words),
    answers: isCompared(runs) ? (gain?.columns ?? []) : [],
    notes: [
      ...envelopeSentences(payload),
      ...(runs.length === 0 && payload.error === null ? [['No runtime ran this payload.']] : []),
    ],
    runs: groups.map((group) => runSection(group, words)),
  };
}

/** The head of its section says all of a single run without times and advice. */
const isCompared = (runs: readonly Run[]): boolean =>
  runs.length > 1 || runs.some(({ measurement, advice }) => measurement !== null || advice !== null);

function sourceSentence({ source: { file, export: name, line } }: PayloadReport): Sentence {
  const place = line === undefined ? '' : `, line ${count(line)}`;
  return sentence`${code(file)}${name === null ? '' : [', export ', code(name)]}${place}`;
}

/** A section has paths of two values: which is whose. */
function envelopeSentences({ runs }: PayloadReport): Sentence[] {
  const via = runs.find((run) => run.via !== undefined)?.via;
  if (via === undefined) return [];
  const message = sentence`Verdict and findings are about the message that ${via.library} posts: the payload is ${code(via.path)} in it.`;
  const isRewritten = runs.some(({ trials, byPath }) => trials.length > 0 || byPath !== undefined);
  return [isRewritten ? sentence`${message} Rewrites and branches are about the payload alone.` : message];
}

function sizeFacts({ runs, stands = 1 }: PayloadReport): string[] {
  const shape = runs.find((run) => run.shape !== null)?.shape;
  return [
    ...(shape ? [counted(shape.nodes, 'value')] : []),
    ...(shape?.depth ? [`${counted(shape.depth, 'level')} deep`] : []),
    ...(shape?.jsonBytes == null ? [] : [`${bytes(shape.jsonBytes)} as JSON`]),
    ...(shape?.truncated.items ? ['too large to examine every part'] : []),
    ...(stands > 1 ? [`stands for ${count(stands)} messages`] : []),
  ];
}

function runSection(runs: readonly Run[], words: Wording): RunSection {
  const [run] = runs as [Run];
  return {
    status: statusText(run),
    runtimes: runtimeNames(runs),
    facts: runFacts(runs),
    error: run.status === 'failed' && run.error ? errorText(run.error) : null,
    alarm: alarmSentence(run),
    statements: [
      ...verdictStatements(run, words),
      ...blockerStatements(run, words),
      ...bytesStatements(run),
      ...adviceStatements(runs, words),
      ...otherChannelStatements(runs, words),
      ...builtLaterStatements(runs),
      ...upgradeStatements(run),
      ...findingStatements(run, words),
      ...unknownStatements(run),
      ...conditionStatements(runs),
    ],
    code: run.advice?.code ?? null,
    module: run.advice?.module ?? null,
    figures: [
      ...timeFigures(runs),
      ...trialFigures(runs, words),
      ...chartFigures(memoryCharts(runs, words)),
      ...profileAndBranchFigures(runs),
    ],
  };
}

const chartFigures = (charts: readonly Chart[]): Figure[] =>
  charts.map((chart) => {
    return {
      title: chart.title,
      short: 'memory',
      runtime: null,
      folded: false,
      parts: [{ type: 'chart', chart }],
    };
  });

/** The channel, and what becomes of the bytes where it is the same in all runs of the section. */
function runFacts(runs: readonly Run[]): string[] {
  const [text, ...others] = new Set(runs.map(bytesText));
  return [(runs[0] as Run).channel, ...(text && others.length === 0 ? [text] : [])];
}

export function bytesText({ bytes: of, wireBytes }: Run): string | null {
  if (of === undefined) return wireBytes === null ? null : `${bytes(wireBytes)} copied`;
  const copied = `${of.by === 'shape' ? 'about ' : ''}${bytes(of.copied)} copied`;
  const rest = (['moved', 'shared'] as const).filter((fate) => of[fate] > 0);
  return [copied, ...rest.map((fate) => `${bytes(of[fate])} ${fate}`)].join(', ');
}

type Measured = Pick<Report, 'machine' | 'tool' | 'seed'>;

export const machineFacts = ({ machine, tool, seed }: Measured): string[] => [
  `${machine.os} ${machine.arch}`,
  machine.cpu,
  counted(machine.cores, 'core'),
  bytes(machine.memoryBytes),
  `seed ${seed}`,
  `clone-prof ${tool.version}`,
];

/** Shares alone: engines write the same value in more or fewer bytes, and a shape does not tell how long all keys are. */
export function bytesStatements(run: Run): Statement[] {
  const largest = largestParts(run);
  if (largest === null) return [];
  const { parts, paths } = largest;
  const shown = parts.map(({ name, share }, at): Sentence => {
    return [at === 0 ? '' : ', ', ...name, ` ${Math.round(100 * share)} %`];
  });
  const where = shown.length === 0 ? [`spread over ${counted(paths, 'path')}, each under 5 %`] : shown.flat();
  return [{ label: 'bytes', sentences: [sentence`${where}, by estimate.`], isDrawn: true }];
}

// What --profile and --by-path found, each run for itself.

const isAsked = true;

const profileAndBranchFigures = (runs: readonly Run[]): Figure[] =>
  figuresByRun(runs, ({ byPath, profile }) => [
    ...(byPath
      ? [{ title: 'What each branch costs', short: 'branches', parts: branchParts(byPath), isAsked } as const]
      : []),
    ...(profile
      ? [{ title: 'Profile', short: 'profile', parts: profileParts(profile), isAsked } as const]
      : []),
  ]);

type Branches = NonNullable<Run['byPath']>;
type Send = NonNullable<Branches[number]['send']>;

function branchParts(branches: Branches): FigurePart[] {
  if (branches.length === 0)
    return [{ type: 'facts', facts: ['No branch to leave out: the payload is one piece.'] }];
  const columns = columnsOf(branches, [
    { head: 'branch', cell: ({ path }) => code(path) },
    { head: '', cell: branchBar, rank: 4 },
    { head: 'of send', cell: ({ send }) => known(send, sendShare) || 'not timed', align: 'right' },
    { head: '95 %', cell: ({ send }) => known(send, shareInterval), align: 'right', rank: 3 },
    { head: 'time', cell: ({ send }) => known(send, savedTime), align: 'right', rank: 1 },
    { head: 'bytes', cell: (branch) => known(branch.bytes, bytes), align: 'right', rank: 2 },
    { head: 'of bytes', cell: ({ bytesShare }) => known(bytesShare, shareText), align: 'right' },
  ]);
  const note = muted('Saved by leaving the branch out. Branches lie within branches: rows overlap.');
  return [
    { type: 'table', columns },
    { type: 'facts', facts: [note] },
  ];
}

function branchBar({ send, bytesShare }: Branches[number]): Cell {
  const timed = send !== null && carries(send, 'side') ? send.share : null;
  const share = Math.min(1, timed ?? bytesShare ?? 0);
  return share > 0 ? { bar: share, tone: 'fair' } : '';
}

/** Never below 0: noise saves no time. */
const savedTime = (send: Send): string => (carries(send, 'side') ? time(Math.max(0, send.ns)) : '');

const sendShare = (send: Send): string => lackText(send, 'side') ?? shareText(send.share);

const shareText = (share: number): string => (share < 0.001 ? '0 %' : percent(share));

function shareInterval(send: Send): string {
  const [low, high] = send.ci.map((share) => Math.round(Math.max(0, share) * 100));
  return carries(send, 'side') ? `${low}–${high} %` : '';
}

function profileParts(profile: Profile): FigurePart[] {
  const { shares, files } = profile;
  const works = WORKS.map((work): Span => {
    const { text, tone } = WORK_WORDS[work];
    return { text: `${text} ${shareText(shares?.[work] ?? 0)}`, tone };
  });
  const items = [...profilerFacts(profile).map(muted), ...files.map(code)].map((item) => [item]);
  return [
    ...(shares ? [{ type: 'facts', facts: works } as const] : []),
    ...hotSpotTable(profile),
    { type: 'list', items },
  ];
}

const MAX_SPOTS = 5;
/** What takes less is noise of the sampling. */
const MIN_SHARE = 0.01;

function hotSpotTable({ top }: Profile): FigurePart[] {
  const spots = top.filter(({ share }) => share >= MIN_SHARE).slice(0, MAX_SPOTS);
  if (spots.length === 0) return [];
  const columns = columnsOf(spots, [
    { head: 'self time', cell: ({ name }) => code(name) },
    { head: 'share', cell: ({ share }) => percent(share), align: 'right' },
    { head: 'per message', cell: ({ ns }) => time(ns), align: 'right', rank: 1 },
    { head: 'thread', cell: ({ side }) => side, rank: 2 },
    { head: 'work', cell: ({ work }) => WORK_WORDS[work].text, rank: 4 },
    { head: 'where', cell: ({ where }): Cell => (where === null ? 'the engine' : code(where)), rank: 3 },
  ]);
  return [{ type: 'table', columns }];
}

/** "profiled by inspector, 332 messages", then what is missing and why, each reason once. */
function profilerFacts({ by, messages, missing }: Profile): string[] {
  const groups = [...groupedBy(missing, ({ why }) => why)];
  const whats = (gap: typeof missing) => gap.map(({ what }) => what).join(', ');
  const gaps = groups.map(([why, gap]) => `not available there: ${whats(gap)} (${why})`);
  return by === null ? gaps : [`profiled by ${by}, ${count(messages)} messages`, ...gaps];
}

// V8: what is built when its thread has received such a message is stored otherwise.

function timeOf({ builtLater }: Run): string | null {
  if (builtLater?.ratio == null) return null;
  const { ratio, outcome } = builtLater;
  return outcome === 'unsure' ? openText(ratio) : gainText([ratio]);
}

/** One for all runs of a section. */
function builtLaterStatements(runs: readonly Run[]): Statement[] {
  const [path] = runs.flatMap(({ builtLater }) => builtLater?.path ?? []);
  if (path === undefined) return [];
  const times = runs.flatMap((run): Sentence[] => {
    const time = timeOf(run);
    if (time === null) return [];
    const name = runs.length === 1 ? '' : ` on ${runtimeName(run)}`;
    return [sentence`Posting it then${name}: ${time}.`];
  });
  const what = sentence`A thread that has received such a message stores values that it builds later differently, at ${code(path)}. Verdict, times and rewrites are of one that was built before.`;
  return [{ label: 'later', tone: 'muted', sentences: [what, ...times] }];
}
