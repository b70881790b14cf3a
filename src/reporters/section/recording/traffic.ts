/** How the messages of a recorded site were posted, and what is wrong with it. */

import type { Total } from '../../../model/documents/recorded/recording.ts';
import type { AnalyzedRecording, Traffic, TrafficValues } from '../../../model/documents/recorded/traffic.ts';
import type { PayloadReport, Run } from '../../../model/documents/report.ts';
import { runtimeWord } from '../../../model/names.ts';
import { isToProcess } from '../../../model/recording/recording.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { groupedBy } from '../../text/grouped.ts';
import { bytes, bytesInterval, count, counted, medianText, percent, time } from '../../text/numbers.ts';
import type { PayloadSection, Statement } from '../model/model.ts';
import { runtimeNames } from '../model/run-groups.ts';
import { code, type Sentence, sentence } from '../model/sentence.ts';
import { SHARE_OF } from '../model/site-costs.ts';
import { payloadSection } from '../payload.ts';
import { findingStatement } from './findings.ts';
import { place, threadText } from './places.ts';
import { stepText, toSiteRow } from './site-step.ts';

/** @param recordings those of the report */
export function recordedSection(
  payload: PayloadReport,
  words: Wording,
  recordings: readonly AnalyzedRecording[] = [],
): PayloadSection {
  const section = payloadSection(payload, words);
  const { traffic } = payload;
  if (traffic === undefined) return section;
  const [row] = recordings.flatMap((recording) => toSiteRow(payload, recording, words) ?? []);
  const step = row === undefined ? '' : stepText(row.step);
  const next = step === '' ? [] : [{ label: 'do', tone: 'good', sentences: [[step]] } as const];
  return {
    ...section,
    traffic: [...next, ...trafficStatements(payload, traffic, words)],
    // What to do about the site stands above: this is about its message.
    answers: section.answers.map((column) =>
      column.head === 'do' ? { ...column, head: 'rewrite' } : column,
    ),
    runs: section.runs.map((run) => ({ ...run, statements: run.statements.map(ofMessage) })),
  };
}

const ofMessage = (statement: Statement): Statement =>
  statement.label === 'do' ? { ...statement, label: 'rewrite' } : statement;

const trafficStatements = (payload: PayloadReport, traffic: Traffic, words: Wording): Statement[] => [
  { label: 'posted', sentences: [...placeSentences(traffic), countSentence(traffic), ...modeOf(traffic)] },
  ...costStatements(payload, traffic),
  ...sizeAndTime(traffic),
  ...traffic.lint.flatMap((finding) => findingStatement(finding, traffic, words)),
  ...envelopeStatements(payload, traffic),
  ...(traffic.values === null ? [] : [valuesStatement(traffic.values, traffic)]),
];

function placeSentences({ site: { user, library }, api, from, to }: Traffic): Sentence[] {
  const by = library && `${library.name}${library.version === null ? '' : ` ${library.version}`}`;
  const frame = user ?? library?.frame;
  const where = frame ? [' at ', ...place(frame)] : [];
  const through = by === null ? '' : user === null ? `, by ${by}` : `, through ${by}`;
  const receiver = to === null ? '' : [' to ', code(threadText(to))];
  return [sentence`${code(api)}${where}${through}, from ${code(threadText(from))}${receiver}.`];
}

/** Between processes. */
const MODES = {
  json: 'Written as JSON text, the default between processes.',
  advanced: "Written with serialization: 'advanced'.",
  unknown: 'Mode not known: taken as JSON text, the default of fork.',
} as const;

function modeOf({ api, serialization }: Traffic): Sentence[] {
  if (!isToProcess(api)) return [];
  return [[MODES[serialization ?? 'unknown']]];
}

function countSentence({ count: sent, received, threads, estimated, queue }: Traffic): Sentence {
  const by = threads > 1 ? ` by ${counted(threads, 'thread')}` : '';
  const arrived = received === null ? '' : `, ${received === sent ? 'all' : count(received)} received`;
  const waited = queue ? `; at most ${count(queue.max)} waiting, ${count(queue.last)} at the end` : '';
  const least = estimated ? ' The counts may be too low: a process ended between two writes.' : '';
  return [`${counted(sent, 'message')}${by}${arrived}${waited}.${least}`];
}

function costStatements(
  { runs }: PayloadReport,
  { api, serialization, count: sent, cost }: Traffic,
): Statement[] {
  if (cost === null) return [];
  const measurement = runs.find((run) => run.measurement !== null)?.measurement;
  const parts = measurement?.receive == null ? 'half the round trip' : 'send and receive';
  const measured = `${api === 'structuredClone' ? 'the call' : parts}, measured`;
  const how = cost.of === 'measured' ? measured : 'recorded time of the call alone';
  const [total, one] = [time(cost.totalMs * 1e6), time(cost.perMessageNs)];
  const sum = `${percent(cost.share)} of ${SHARE_OF[cost.of]}: ${total}, ${count(sent)} × ${one} (${how}).`;
  const isAdvanced =
    serialization !== 'advanced' &&
    runs.some((run) => run.channel === 'ipc-advanced' && run.measurement !== null);
  return [{ label: 'cost', sentences: [[sum], ...(isAdvanced ? [[ADVANCED]] : [])] }];
}

const ADVANCED = "Measured with serialization: 'advanced'. JSON text costs something else.";

export const totalText = ({ total, ci: [low, high] }: Total): string =>
  `${low === high ? '' : '~'}${bytes(total)}`;

function sizeAndTime({ bytes: size, send, looked, count: sent }: Traffic): Statement[] {
  const sentences: Sentence[] = [];
  if (size !== null) {
    const estimate = size.ci[0] === size.ci[1] ? '' : ` (95 % interval ${bytesInterval(size.ci)})`;
    sentences.push([`${totalText(size)} in all${estimate}, at most ${bytes(size.max)} a message.`]);
  }
  if (send !== null) {
    const median = `${medianText(send)} (median of ${count(send.timed)})`;
    sentences.push([`A call took ${median}, at most ${time(send.max)}.`]);
  }
  if (sentences.length === 0) return [];
  if (looked < sent) sentences.push([`${count(looked)} of ${count(sent)} messages were looked at.`]);
  return [{ label: 'size', sentences }];
}

/** What the library's envelope does to the verdict, where that is known. */
function envelopeStatements({ runs }: PayloadReport, { envelope }: Traffic): Statement[] {
  if (envelope === null) return [];
  const { library, direction } = envelope;
  const known = runs.filter((run) => run.bare !== undefined && run.verdict !== null);
  const groups = [...groupedBy(known, bareEffect)];
  const effects = groups.map(([effect, group]) => `${effect} on ${runtimeNames(group)}`);
  const told = effects.length === 0 ? '' : ` The value alone would be ${effects.join('; ')}.`;
  return [{ label: 'library', sentences: [sentence`The message is a ${direction} of ${library}.${told}`] }];
}

const bareEffect = ({ bare, verdict }: Run): string =>
  bare?.class === verdict?.class
    ? `${bare?.class} too`
    : `${bare?.class} (${bare?.path}) instead of ${verdict?.class}`;

const VALUES = {
  shape: ({ seed }: TrafficValues) => `Synthesised from the recorded shape, seed ${seed}.`,
  sample: () => 'A message as it was recorded.',
  'masked-sample': () => 'A message as it was recorded, its texts masked.',
} as const satisfies Record<TrafficValues['from'], (values: TrafficValues) => string>;

const MAX_DIFFERENCES = 3;
const LISTED = ' Posted with a transfer list: classified with it, and not measured.';

function valuesStatement(values: TrafficValues, { transfer: { listed } }: Traffic): Statement {
  const { differences } = values;
  const shown = differences.slice(0, MAX_DIFFERENCES).join(' ');
  const rest = differences.length - MAX_DIFFERENCES;
  const more = rest > 0 ? ` And ${rest} more differences: --format json lists all.` : '';
  const told = differences.length === 0 ? '' : ` ${shown}${more}`;
  const unmeasured = listed > 0 ? LISTED : '';
  return { label: 'values', sentences: [[`${VALUES[values.from](values)}${told}${unmeasured}`]] };
}

/** "node 20.20.2", where the site posts on another runtime than the first process. */
export const ownRuntime = ({ runtime }: Traffic): string =>
  runtime === undefined ? '' : `${runtimeWord(runtime)} ${runtime.version}`;
