/** Details of a recorded site: the way its messages were posted, and faults of its traffic. */
import type { Total } from '../../model/documents/recorded/recording.ts';
import type { Traffic, TrafficFinding, TrafficValues } from '../../model/documents/recorded/traffic.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import { runtimeWord } from '../../model/names.ts';
import { isToProcess } from '../../model/recording/recording.ts';
import type { Wording } from '../../model/report/wording.ts';
import { block, fold, item, type Node } from '../doc.ts';
import { runtimeNames } from '../section/model/run-groups.ts';
import { code, type Sentence, sentence } from '../section/model/sentence.ts';
import { SHARE_OF } from '../section/model/site-costs.ts';
import { groupedBy } from '../text/grouped.ts';
import { bytes, bytesInterval, count, counted, medianText, percent, time } from '../text/numbers.ts';
import { foldedPath } from '../text/paths.ts';
import { place, threadText } from './places.ts';

/** Empty if the payload was not recorded. */
export function trafficFolds(payload: PayloadReport, words: Wording): Node[] {
  const { id, traffic } = payload;
  if (traffic === undefined) return [];
  return fold(
    id,
    ['how it was posted'],
    block([
      item('posted', [...placeSentences(traffic), countSentence(traffic), ...modeOf(traffic)]),
      ...costItems(payload, traffic),
      ...sizeAndTime(traffic),
      ...traffic.lint.map((finding) => findingItem(finding, traffic, words)),
      ...envelopeItems(payload, traffic),
      ...(traffic.values === null ? [] : [valuesItem(traffic.values, traffic)]),
    ]),
  );
}

function placeSentences({ site: { user, library }, api, from, to }: Traffic): Sentence[] {
  const by = library && `${library.name}${library.version === null ? '' : ` ${library.version}`}`;
  const frame = user ?? library?.frame;
  const where = frame ? [' at ', ...place(frame)] : [];
  const through = by === null ? '' : user === null ? `, by ${by}` : `, through ${by}`;
  const receiver = to === null ? '' : [' to ', code(threadText(to))];
  return [sentence`${code(api)}${where}${through}, from ${code(threadText(from))}${receiver}.`];
}

/** Serialization of messages between processes. */
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

function costItems({ runs }: PayloadReport, { api, serialization, count: sent, cost }: Traffic): Node[] {
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
  return [item('cost', [[sum], ...(isAdvanced ? [[ADVANCED]] : [])])];
}

const ADVANCED = "Measured with serialization: 'advanced'. JSON text costs something else.";

/** "~1.09 MB (95 % interval 1.07–1.11 MB)" */
export const estimateText = (size: Total): string =>
  `${totalText(size)}${size.ci[0] === size.ci[1] ? '' : ` (95 % interval ${bytesInterval(size.ci)})`}`;

export const totalText = ({ total, ci: [low, high] }: Total): string =>
  `${low === high ? '' : '~'}${bytes(total)}`;

/** "1,200 × ~900 B"; "3 messages" if the size is unknown. */
export function sizeText({ count: sent, bytes: size }: Pick<Traffic, 'count' | 'bytes'>): string {
  if (size === null) return counted(sent, 'message');
  return `${count(sent)} × ${size.ci[0] === size.ci[1] ? '' : '~'}${bytes(size.total / Math.max(1, sent))}`;
}

function sizeAndTime({ bytes: size, send, looked, count: sent }: Traffic): Node[] {
  const sentences: Sentence[] = [];
  if (size !== null) sentences.push([`${estimateText(size)} in all, at most ${bytes(size.max)} a message.`]);
  if (send !== null) {
    const median = `${medianText(send)} (median of ${count(send.timed)})`;
    sentences.push([`A call took ${median}, at most ${time(send.max)}.`]);
  }
  if (sentences.length === 0) return [];
  if (looked < sent) sentences.push([`${count(looked)} of ${count(sent)} messages were looked at.`]);
  return [item('size', sentences)];
}

/** Effect of the library's envelope on the verdict, if it is known. */
function envelopeItems({ runs }: PayloadReport, { envelope }: Traffic): Node[] {
  if (envelope === null) return [];
  const { library, direction } = envelope;
  const known = runs.filter((run) => run.bare !== undefined && run.verdict !== null);
  const groups = [...groupedBy(known, bareEffect)];
  const effects = groups.map(([effect, group]) => `${effect} on ${runtimeNames(group)}`);
  const told = effects.length === 0 ? '' : ` The value alone would be ${effects.join('; ')}.`;
  return [item('library', [sentence`The message is a ${direction} of ${library}.${told}`])];
}

const bareEffect = ({ bare, verdict }: Run): string =>
  bare?.class === verdict?.class
    ? `${bare?.class} too`
    : `${bare?.class} (${bare?.path}) instead of ${verdict?.class}`;

const VALUES = {
  'made-up': ({ seed }: TrafficValues) =>
    `A message as it was recorded; its texts, numbers and keys that are data are made up, seed ${seed}.`,
  sample: () => 'A message as it was recorded.',
  'masked-sample': () => 'A message as it was recorded, its texts masked.',
} as const satisfies Record<TrafficValues['from'], (values: TrafficValues) => string>;

const MAX_DIFFERENCES = 3;
const LISTED = ' Posted with a transfer list: classified with it, and not measured.';

function valuesItem(values: TrafficValues, { transfer: { listed } }: Traffic): Node {
  const { differences } = values;
  const shown = differences.slice(0, MAX_DIFFERENCES).join('; ');
  const rest = differences.length - MAX_DIFFERENCES;
  const more = rest > 0 ? ` And ${rest} more differences: --format json lists all.` : '';
  const told = differences.length === 0 ? '' : ` What differs: ${shown}.${more}`;
  const unmeasured = listed > 0 ? LISTED : '';
  return item('values', [[`${VALUES[values.from](values)}${told}${unmeasured}`]]);
}

/** "node 20.20.2", if the site posts on a different runtime than the first process. */
export const ownRuntime = ({ runtime }: Traffic): string =>
  runtime === undefined ? '' : `${runtimeWord(runtime)} ${runtime.version}`;

/** Singular words for titles, used if the count is one (ONE), or the total is one (ONE_OF). */
const ONE: Readonly<Record<string, string>> = { were: 'was', are: 'is', have: 'has' };
const ONE_OF: Readonly<Record<string, string>> = { messages: 'message', entries: 'entry', calls: 'call' };

/** "4 of 12 timed calls took ...", about 41.9 MB; the fix would save about 12.0 ms" */
export function findingText(finding: TrafficFinding, title = `${finding.rule}: {count} of {of}`): string {
  const {
    count: found,
    of = found,
    bytes: size,
    ns,
    hereNs,
    savesMs,
    equal = 0,
    paths = [],
    share = 1,
  } = finding;
  const words: Readonly<Record<string, string>> = {
    ...{ count: count(found), of: count(of ?? found), ns: time(ns ?? 0), here: time(hereNs ?? 0) },
    // Long lists and texts are sampled, so "100 %" is never claimed.
    equal: `${Math.min(99, Math.floor(equal * 100))} %`,
    share: percent(share),
    paths: paths.length === 0 ? 'parts that were not looked at' : paths.map(foldedPath).join(', '),
    ...((of ?? found) === 1 ? ONE_OF : {}),
    ...(found === 1 ? ONE : {}),
  };
  const filled = title.replace(/\{(\w+)\}/g, (_, name: string) =>
    Object.hasOwn(words, name) ? words[name]! : name,
  );
  const amount = size === null ? '' : `, about ${bytes(size)}`;
  const saves = savesMs === null ? '' : `; the fix would save about ${time(savesMs * 1e6)}`;
  return `${filled}${amount}${saves}.`;
}

function findingItem(finding: TrafficFinding, traffic: Traffic, words: Wording): Node {
  const row = words.traffic[finding.rule];
  const text = findingText(finding, row?.title);
  const isSlow = row?.level === 'slow';
  const calls = finding.rule === 'slow-calls' ? knownOfCalls(traffic) : [];
  return item(isSlow ? 'fix' : 'see', [[isSlow ? { text, tone: 'poor' } : text], ...calls], {
    explanations: row ? [{ rule: finding.rule, text: `${row.why} ${row.fix}`, source: row.source }] : [],
  });
}

/** Minimum backlog of messages that is reported. */
const MIN_QUEUE = 16;
/** Minimum ratio of the mean to the median: above it, a few calls took nearly all of the time. */
const MIN_SKEW = 5;

/** Recorded facts about the slow calls. The actual cause is not known. */
function knownOfCalls({ send, queue, from, threads, count: sent }: Traffic): Sentence[] {
  if (send === null) return [];
  const [half, most] = [time(send.median), time(send.max)];
  const isRare = send.total / Math.max(1, sent) >= MIN_SKEW * send.median;
  const calls = isRare
    ? `Half of the calls took at most ${half}: the others, at most ${most} each, took nearly all of the time`
    : `They were long throughout: half of them took more than ${half}`;
  const poster =
    threads > 1
      ? `; ${counted(threads, 'thread')} posted`
      : from === 'main'
        ? '; the main thread posted'
        : '';
  const waiting =
    queue !== null && queue.max >= MIN_QUEUE
      ? `, and up to ${count(queue.max)} messages waited for the receiver`
      : '';
  return [[`${calls}${poster}${waiting}.`]];
}
