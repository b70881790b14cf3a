/** Problems in the way that messages are posted, independent of their content: rows over the counts of a site. */

import type { Measurement } from '../../model/documents/measurement.ts';
import type { RecordedMessages } from '../../model/documents/recorded/recording.ts';
import type { TrafficCost, TrafficFinding } from '../../model/documents/recorded/traffic.ts';
import { type Channel, channelRow } from '../../model/names.ts';
import { isToProcess } from '../../model/recording/recording.ts';
import type { TrafficRule } from '../../model/vocabulary/traffic.ts';
import { FRAME_MS } from '../threads/counters.ts';
import { channelOf, keepsBuffers, perMessageNs, sendNs } from './sites.ts';

type SiteMessages = Omit<RecordedMessages, 'sample'>;

export interface LintContext {
  cost: TrafficCost | null;
  measurement: Measurement | null;
  /** It says that something is done, and holds nothing that a receiver could keep. */
  isSignal?: boolean;
  faster?: FasterChannel | null;
  /** False if the measured value or engine differs from the recorded one. */
  isLike?: boolean;
  /** A rewrite of the message was proven to be faster: then the message is what is slow. */
  hasRewrite?: boolean;
}

/** The other serialization of messages between processes, if it is faster and nothing is lost. */
export interface FasterChannel {
  channel: Channel;
  share: number;
}

type Found = Partial<Omit<TrafficFinding, 'rule'>> & { count: number };

type LintRow = (posted: SiteMessages, context: LintContext) => Found | null;

const MIN_QUEUE = 16;
const LONG_QUEUE_SHARE = 0.25;
const GROWING_SHARE = 0.5;

const MIN_CHATTY = 100;
const SMALL_BYTES = 1000;
/** A message whose round trip takes longer than this number of empty ones is not small. */
const SMALL_FLOORS = 2;

/** Rarer long calls are pauses of the machine; smaller messages do not take a frame in any engine. */
const MIN_LONG = 0.01;
const MIN_LONG_BYTES = 50_000;

/** The last few are lost in most programs that end at once. */
const MIN_LOST = 0.01;

const MIN_REPEATED = 0.1;

/** Fewer messages, fewer pairs or a smaller share say nothing of a state that is sent again and again. */
const MIN_STATES = 10;
const MIN_COMPARED = 2;
const MIN_EQUAL = 0.5;
const MIN_STATE_BYTES = 500;

const ROWS: Readonly<Record<TrafficRule, LintRow>> = {
  'slow-calls': (posted, context) => {
    const calls = context.hasRewrite ? null : slowCalls(posted, context);
    return calls && found(posted.count, calls);
  },
  'advanced-faster': (posted, context) => otherSerialization('ipc-advanced', posted, context),
  'json-faster': (posted, context) => otherSerialization('ipc-json', posted, context),
  'transfer-missing': (posted, { cost }) => {
    const { moves, elsewhere } = channelRow(channelOf(posted));
    const { possible, possibleBytes } = posted.transfer;
    if (moves !== true || elsewhere === true || keepsBuffers(posted)) return null;
    return found(ofAll(possible, posted), ofBytes(possibleBytes, posted, cost));
  },
  'transfer-useless': ({ transfer: { useless, listed } }) => found(useless, { of: listed }),
  'view-of-larger': (posted, { cost }) => {
    const { hiddenBytes, pooled } = posted.transfer;
    // The rest of pooled buffers is the pool, which has its own row. A post to another process writes the viewed bytes.
    if (isToProcess(posted.api)) return null;
    return hiddenBytes > 0 && pooled === 0 ? found(posted.count, ofBytes(hiddenBytes, posted, cost)) : null;
  },
  'pooled-buffer': (posted) => {
    const { hiddenBytes, pooled } = posted.transfer;
    if (isToProcess(posted.api)) return null;
    return found(ofAll(pooled, posted), { bytes: hiddenBytes > 0 ? ofAll(hiddenBytes, posted) : null });
  },
  'queue-grows': (posted) => (isGrowing(posted) ? found(posted.queue?.last ?? 0) : null),
  'queue-long': (posted) => {
    const most = posted.queue?.max ?? 0;
    const isLong = most >= MIN_QUEUE && most >= LONG_QUEUE_SHARE * posted.count;
    return isLong && !isGrowing(posted) ? found(most) : null;
  },
  'same-content': (posted, { cost, isSignal = false }) => {
    const share = sameShare(posted);
    // Each one is news: that it came.
    if (isSignal || posted.changes === undefined || share < MIN_REPEATED) return null;
    const { same, compared } = posted.changes;
    const further = furtherOf(posted);
    // One pair is chance, unless it is the only one or the object is the same each time.
    const isChance = compared < MIN_COMPARED && compared < further && posted.sameObject < posted.count / 2;
    if (further === 0 || isChance) return null;
    return found(same, { of: compared, savesMs: saved(cost, share * further) });
  },
  'same-object': (posted, { cost, isSignal = false }) => {
    const { count, sameObject, changes } = posted;
    const again = Math.min(sameObject, furtherOf(posted));
    // Objects that differ in content each time are reused on purpose.
    return isSignal || (changes?.same ?? 0) > 0 || again < MIN_REPEATED * count
      ? null
      : found(again, { of: count, savesMs: saved(cost, again) });
  },
  'mostly-same': (posted, { cost, isSignal = false }) => {
    const states = isSignal ? null : statesOf(posted);
    if (states === null) return null;
    const { compared, ...shares } = states;
    const savesMs = saved(cost, shares.equal * furtherOf(posted));
    return found(compared, { of: posted.count, ...shares, savesMs });
  },
  chatty: (posted, context) => {
    const batch = Math.floor(messagesAFrame(posted));
    if (posted.count < MIN_CHATTY || batch < 2 || !isSmall(posted, context)) return null;
    // The calls took their time elsewhere: a batch would save next to nothing of it.
    if (slowCalls(posted, context) !== null) return null;
    // Cost of an empty message for both threads: a batch pays it once.
    const floor = context.measurement && perMessageNs(posted.api, context.measurement.floor);
    const savesMs = floor === null ? null : (posted.count * (1 - 1 / batch) * floor) / 1e6;
    return found(batch, { of: posted.count, savesMs });
  },
  'long-call': ({ send, bytes }) =>
    send === null || send.long < MIN_LONG * send.timed || (bytes?.max ?? MIN_LONG_BYTES) < MIN_LONG_BYTES
      ? null
      : found(send.long, { of: send.timed, ns: send.max }),
  'not-received': ({ count, received, estimated }) => {
    const lost = received === null || estimated ? 0 : count - received;
    return lost < MIN_LOST * count ? null : found(lost, { of: count });
  },
};

function otherSerialization(channel: Channel, { count }: SiteMessages, { faster, cost }: LintContext) {
  if (faster == null || faster.channel !== channel) return null;
  const { share } = faster;
  return found(count, { share, savesMs: cost && (1 - share) * cost.totalMs });
}

/** If a site posts a whole state each time: the share that stays equal, and the paths of the rest. Else null. */
export function statesOf(posted: SiteMessages) {
  const { count, changes, bytes } = posted;
  if (changes === undefined || sameShare(posted) >= MIN_REPEATED) return null;
  const { compared, equal, paths } = changes;
  if (count < MIN_STATES || compared < MIN_COMPARED || equal < MIN_EQUAL) return null;
  if (bytes === null || bytes.max < MIN_STATE_BYTES) return null;
  return { compared, equal, paths: paths.map(({ path }) => path) };
}

/** Messages beyond the first to each receiver: that one has to be posted. */
const furtherOf = ({ count, receivers = 1 }: SiteMessages): number => Math.max(0, count - receivers);

const sameShare = ({ changes }: SiteMessages): number =>
  changes ? changes.same / Math.max(1, changes.compared) : 0;

const found = (count: number, more: Partial<Found> = {}): Found | null =>
  count > 0 ? { count, ...more } : null;

/** If a message holds less of other data, its cost is the cost of copying bytes. */
const MIN_BYTES_SHARE = 0.8;

function ofBytes(seen: number, posted: SiteMessages, cost: TrafficCost | null) {
  const bytes = ofAll(seen, posted);
  const share = Math.min(1, bytes / (posted.bytes?.total ?? Number.POSITIVE_INFINITY));
  const savesMs = cost === null || share < MIN_BYTES_SHARE ? null : share * cost.totalMs;
  return { bytes, savesMs };
}

const ofAll = (seen: number, { count, transfer: { messages } }: SiteMessages): number =>
  messages > 0 ? Math.round((seen * Math.max(count, messages)) / messages) : seen;

const isGrowing = ({ queue }: SiteMessages): boolean =>
  queue !== null && queue.max >= MIN_QUEUE && queue.last >= GROWING_SHARE * queue.max;

const saved = (cost: TrafficCost | null, messages: number): number | null =>
  cost === null ? null : (cost.perMessageNs * messages) / 1e6;

/** While it posts at all: steps without a message do not count. */
function messagesAFrame({ count, times: { stepMs, counts } }: SiteMessages): number {
  const busy = counts.filter((posted) => posted > 0).length;
  return busy === 0 || stepMs <= 0 ? 0 : (count / (busy * stepMs)) * FRAME_MS;
}

function isSmall({ bytes, count }: SiteMessages, { measurement }: LintContext): boolean {
  if (measurement !== null) return measurement.roundTrip.median <= SMALL_FLOORS * measurement.floor.roundTrip;
  return bytes !== null && count > 0 && bytes.total / count <= SMALL_BYTES;
}

export const lintOf = (posted: SiteMessages, context: LintContext): TrafficFinding[] =>
  (Object.entries(ROWS) as [TrafficRule, LintRow][]).flatMap(([rule, row]) => {
    const finding = row(posted, context);
    return finding === null ? [] : [{ rule, of: null, bytes: null, ns: null, savesMs: null, ...finding }];
  });

const MIN_TIMES = 5;
/** Less is the first calls, of code that was still cold. */
const MIN_MORE_NS = 10e6;

/** Calls that took much longer in the program than posting the message takes here: null if not, or if it is not known. */
function slowCalls({ api, count, send }: SiteMessages, { measurement, isLike = true }: LintContext) {
  const ns = sendNs({ send });
  // Between processes the call is not measured apart from the round trip.
  if (ns === null || measurement === null || !isLike || isToProcess(api)) return null;
  const { roundTrip } = measurement;
  const half = api === 'structuredClone' ? roundTrip.median : roundTrip.median / 2;
  const hereNs = count * (measurement.send?.median ?? half);
  return ns > MIN_TIMES * hereNs && ns - hereNs >= MIN_MORE_NS ? { ns, hereNs } : null;
}
