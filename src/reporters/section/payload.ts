/** One payload of a report as a section, with a section for each group of its runs. */

import type { PayloadReport, Report, Run, RunError } from '../../model/documents/report.ts';
import type { Wording } from '../../model/report/wording.ts';
import { bytes, count, counted } from '../text/numbers.ts';
import { foldedPath } from '../text/paths.ts';
import { adviceStatements } from './advice/advice.ts';
import { gainChart } from './advice/answers.ts';
import { builtLaterStatements } from './advice/built-later.ts';
import { otherChannelStatements } from './advice/other-channel.ts';
import { blockerStatements, findingStatements, unknownStatements } from './causes.ts';
import { icicleCharts } from './charts/icicle.ts';
import { conditionStatements } from './conditions.ts';
import type { Chart, IcicleChart } from './model/charts.ts';
import { largestParts } from './model/largest-parts.ts';
import type { Figure, PayloadSection, RunSection, Statement } from './model/model.ts';
import { fastestFirst, runtimeNames, sectionGroups } from './model/run-groups.ts';
import { code, type Sentence, sentence } from './model/sentence.ts';
import { alarmSentence, statusText, upgradeStatements, verdictStatements } from './model/verdict.ts';
import { profileAndBranchFigures } from './profile-and-branches.ts';
import { memoryCharts, timeFigures } from './times.ts';
import { trialFigures } from './trials.ts';

export const NO_PAYLOADS = 'No payloads.';

export function payloadSection(payload: PayloadReport, words: Wording): PayloadSection {
  const runs = fastestFirst(payload.runs);
  const groups = sectionGroups(runs);
  const firsts = groups.flatMap(([run]) => run ?? []);
  const icicles = icicleCharts(firsts, words);
  const gain = gainChart(payload);
  return {
    id: payload.id,
    source: sourceSentence(payload),
    facts: sizeFacts(payload),
    error: errorText(payload.error),
    gain,
    answers: isCompared(runs) ? (gain?.columns ?? []) : [],
    notes: [
      ...envelopeSentences(payload),
      ...(runs.length === 0 && payload.error === null ? [['No runtime ran this payload.']] : []),
    ],
    runs: groups.map((group, index) => runSection(group, icicles[index] ?? null, words)),
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

function errorText(error: RunError | null): string | null {
  if (error === null) return null;
  const { path, message } = error;
  if (path === undefined) return message;
  const shown = foldedPath(path);
  return message.includes(path) ? message.replaceAll(path, () => shown) : `${shown}: ${message}`;
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

function runSection(runs: readonly Run[], icicle: IcicleChart | null, words: Wording): RunSection {
  const [run] = runs as [Run];
  return {
    status: statusText(run),
    runtimes: runtimeNames(runs),
    facts: runFacts(runs),
    error: run.status === 'failed' ? errorText(run.error) : null,
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
      ...chartFigures(icicle === null ? [] : [icicle]),
      ...timeFigures(runs),
      ...trialFigures(runs, words),
      ...chartFigures(memoryCharts(runs, words)),
      ...profileAndBranchFigures(runs),
    ],
  };
}

const chartFigures = (charts: readonly Chart[]): Figure[] =>
  charts.map((chart) => {
    return { title: chart.title, runtime: null, folded: false, parts: [{ type: 'chart', chart }] };
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
