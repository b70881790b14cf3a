/** Details of a recorded site: the way its messages were posted, and faults of its traffic. */
import type { Traffic, TrafficFinding, TrafficValues } from '../../model/documents/recorded/traffic.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import { isToProcess } from '../../model/recording/recording.ts';
import type { Wording } from '../../model/report/wording.ts';
import { type Body, block, fold, item } from '../nodes.ts';
import { groupedBy } from '../text/groups.ts';
import { bytes, count, counted, medianText, percent, time } from '../text/numbers.ts';
import { code, type Words } from '../words.ts';
import { estimateText, findingText, frameOf, placeWords, SHARE_OF, threadText } from './sites.ts';
import { runtimeNames } from './texts.ts';

/** Null if the payload was not recorded. */
export function trafficFold(payload: PayloadReport, words: Wording): Body {
  const { id, traffic } = payload;
  if (traffic === undefined) return null;
  const { api, serialization, lint, values } = traffic;
  const posted = [
    placeWordsOf(traffic),
    countText(traffic),
    isToProcess(api) && MODES[serialization ?? 'unknown'],
  ];
  return fold(
    id,
    'how it was posted',
    block([
      item('posted', posted),
      item('cost', costTexts(payload, traffic)),
      item('size', sizeTexts(traffic)),
      lint.map((finding) => findingItem(finding, traffic, words)),
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

/** Serialization of messages between processes. */
const MODES = {
  json: 'Written as JSON text, the default between processes.',
  advanced: "Written with serialization: 'advanced'.",
  unknown: 'Mode not known: taken as JSON text, the default of fork.',
} as const;

function countText({ count: sent, received, threads, estimated, queue }: Traffic): string {
  const by = threads > 1 ? ` by ${counted(threads, 'thread')}` : '';
  const arrived = received === null ? '' : `, ${received === sent ? 'all' : count(received)} received`;
  const waited = queue ? `; at most ${count(queue.max)} waiting, ${count(queue.last)} at the end` : '';
  const least = estimated ? ' The counts may be too low: a process ended between two writes.' : '';
  return `${counted(sent, 'message')}${by}${arrived}${waited}.${least}`;
}

function costTexts({ runs }: PayloadReport, { api, serialization, count: sent, cost }: Traffic): Words[] {
  if (cost === null) return [];
  const measurement = runs.find((run) => run.measurement !== null)?.measurement;
  const parts = measurement?.receive == null ? 'half the round trip' : 'send and receive';
  const measured = `${api === 'structuredClone' ? 'the call' : parts}, measured`;
  const how = cost.of === 'measured' ? measured : 'recorded time of the call alone';
  const [total, one] = [time(cost.totalMs * 1e6), time(cost.perMessageNs)];
  const isAdvanced =
    serialization !== 'advanced' &&
    runs.some((run) => run.channel === 'ipc-advanced' && run.measurement !== null);
  return [
    `${percent(cost.share)} of ${SHARE_OF[cost.of]}: ${total}, ${count(sent)} × ${one} (${how}).`,
    isAdvanced && "Measured with serialization: 'advanced'. JSON text costs something else.",
  ];
}

function sizeTexts({ bytes: size, send, looked, count: sent }: Traffic): Words[] {
  if (size === null && send === null) return [];
  return [
    size && `${estimateText(size)} in all, at most ${bytes(size.max)} a message.`,
    send && `A call took ${medianText(send)} (median of ${count(send.timed)}), at most ${time(send.max)}.`,
    looked < sent && `${count(looked)} of ${count(sent)} messages were looked at.`,
  ];
}

/** Effect of the library's envelope on the verdict, if it is known. */
function envelopeText({ runs }: PayloadReport, { envelope }: Traffic): Words {
  if (envelope === null) return null;
  const known = runs.filter((run) => run.bare !== undefined && run.verdict !== null);
  const effects = groupedBy(known, bareEffect).map(
    ([effect, group]) => `${effect} on ${runtimeNames(group)}`,
  );
  const alone = effects.length > 0 && ` The value alone would be ${effects.join('; ')}.`;
  return [`The message is a ${envelope.direction} of ${envelope.library}.`, alone];
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

function valuesText(values: TrafficValues, { transfer: { listed } }: Traffic): Words {
  const { differences } = values;
  const more = differences.length - MAX_DIFFERENCES;
  return [
    VALUES[values.from](values),
    differences.length > 0 && ` What differs: ${differences.slice(0, MAX_DIFFERENCES).join('; ')}.`,
    more > 0 && ` And ${more} more differences: --format json lists all.`,
    listed > 0 && ' Posted with a transfer list: classified with it, and not measured.',
  ];
}

function findingItem(finding: TrafficFinding, traffic: Traffic, words: Wording): Body {
  const row = words.traffic[finding.rule];
  const text = findingText(finding, row?.title);
  const isSlow = row?.level === 'slow';
  const calls = finding.rule === 'slow-calls' && callsText(traffic);
  return item(isSlow ? 'fix' : 'see', [isSlow ? { text, tone: 'poor' } : text, calls], {
    explanations: row ? [{ rule: finding.rule, text: `${row.why} ${row.fix}`, source: row.source }] : [],
  });
}

/** Minimum backlog of messages that is reported. */
const MIN_QUEUE = 16;
/** Minimum ratio of the mean to the median: above it, a few calls took nearly all of the time. */
const MIN_SKEW = 5;

/** Recorded facts about the slow calls. The actual cause is not known. */
function callsText({ send, queue, from, threads, count: sent }: Traffic): Words {
  if (send === null) return null;
  const [half, most] = [time(send.median), time(send.max)];
  const isRare = send.total / Math.max(1, sent) >= MIN_SKEW * send.median;
  const calls = isRare
    ? `Half of the calls took at most ${half}: the others, at most ${most} each, took nearly all of the time`
    : `They were long throughout: half of them took more than ${half}`;
  const poster = threads > 1 ? counted(threads, 'thread') : from === 'main' && 'the main thread';
  return [
    calls,
    poster && `; ${poster} posted`,
    queue !== null &&
      queue.max >= MIN_QUEUE &&
      `, and up to ${count(queue.max)} messages waited for the receiver`,
    '.',
  ];
}
