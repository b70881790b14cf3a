/** Sites of a recording: their names, what they cost, how their messages are posted again, and problems in the way they post. */
import type { Measurement } from '../../model/documents/measurement.ts';
import type { RecordedMessages, ThrownPosts, Total } from '../../model/documents/recorded/recording.ts';
import type { TrafficCost, TrafficFinding } from '../../model/documents/recorded/traffic.ts';
import { type Channel, channelRow } from '../../model/names.ts';
import { CHANNEL_OF_API, isToProcess, type PostingApi } from '../../model/recording/recording.ts';
import { groupedBy, sumOf } from '../../model/sums.ts';
import { count, counted } from '../../model/units.ts';
import type { TrafficRule } from '../../model/vocabulary/traffic.ts';
import { FRAME_MS } from '../threads/counters.ts';

type Placed = Pick<RecordedMessages, 'site' | 'api'>;

/** "src/pool.js:41", "piscina/dist/index.js:812"; the called function if nothing is known. */
export function placeOfSite({ site: { user, library }, api }: Placed): string {
  if (user !== null) return `${user.file}:${user.line}`;
  if (library === null) return api;
  const { name, frame } = library;
  const at = frame.file.lastIndexOf(`node_modules/${name}/`);
  const below = frame.file.slice(at + 'node_modules/'.length);
  return `${at < 0 ? `${name} ${frame.file.split('/').at(-1)}` : below}:${frame.line}`;
}

/** "src/app.js:12: 50 of 51 posts threw DataCloneError: $.user.save is a function" */
export function thrownText(one: ThrownPosts): string {
  const { posts, error, refused } = one;
  const what = refused === null ? '' : `: ${refused.path} is ${refused.what}`;
  return `${placeOfSite(one)}: ${count(one.count)} of ${counted(posts, 'post')} threw ${error}${what}`;
}

/** Different names: "pool.js:41", "a/pool.js:41" of two such files, "pool.js:41#2" for the second group of a site. */
export function siteNames(messages: readonly Placed[]): string[] {
  const places = messages.map(placeOfSite);
  const owners = groupedBy([...new Set(places)].flatMap(endings), (name) => name);
  const seen = new Map<string, number>();
  return places.map((place) => {
    const name = endings(place).find((ending) => owners.get(ending)!.length === 1) ?? place;
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return nth === 1 ? name : `${name}#${nth}`;
  });
}

const MAX_FOLDERS = 12;

function endings(place: string): string[] {
  const parts = place.split('/');
  const most = Math.min(parts.length, MAX_FOLDERS);
  return Array.from({ length: most }, (_, folders) => parts.slice(-folders - 1).join('/'));
}

/** Indices of the sites that `--site` means: by name, else by a part of file and line, library or called function. */
export function sitesNamed(messages: readonly Placed[], text: string): number[] {
  const named = siteNames(messages).indexOf(text);
  if (named >= 0) return [named];
  const textsOf = (one: Placed) => [placeOfSite(one), one.site.library?.name ?? '', one.api];
  return [...messages.keys()].filter((at) => textsOf(messages[at]!).some((name) => name.includes(text)));
}

/** A site with more kinds of messages is rather in a library that all posts of a program pass. */
const MAX_GROUPS = 16;

export function groupsOfSite(messages: readonly Placed[], index: number): number[] {
  const { api } = messages[index]!;
  const place = placeOfSite(messages[index]!);
  const others = [...messages.keys()].filter(
    (at) => at !== index && messages[at]!.api === api && placeOfSite(messages[at]!) === place,
  );
  return [index, ...others.slice(0, MAX_GROUPS - 1)].sort((a, b) => a - b);
}

type RankedMessages = Pick<RecordedMessages, 'api' | 'count' | 'bytes' | 'send'>;

/** Time of all calls of a site, ns. Null if none was timed. */
export const sendNs = ({ send }: Pick<RankedMessages, 'send'>): number | null =>
  send === null || send.timed <= 0 ? null : send.total;

export function sumBytes(messages: readonly Pick<RankedMessages, 'bytes'>[]): Total | null {
  const sized = messages.flatMap(({ bytes }) => bytes ?? []);
  if (sized.length === 0) return null;
  return sized.reduce((all, { total, ci: [low, high], max }) => ({
    total: all.total + total,
    ci: [all.ci[0] + low, all.ci[1] + high],
    max: Math.max(all.max, max),
  }));
}

/** Before measuring, in ns of sending. Sites without a timed call get the time of timed sites with as many bytes. */
export function sendWeights(messages: readonly RankedMessages[]): number[] {
  const timed = messages.flatMap((one) => {
    const ns = sendNs(one);
    return ns === null ? [] : [{ ns, bytes: one.bytes?.total ?? 0 }];
  });
  const perByte = sumOf(timed, ({ ns }) => ns) / sumOf(timed, ({ bytes }) => bytes);
  const ofByte = Number.isFinite(perByte) && perByte > 0 ? perByte : 1;
  return messages.map((one) => sendNs(one) ?? ofByte * (one.bytes?.total ?? 0));
}

const COVERED = 0.95;
const MAX_SITES = 10;

/** Indices, the heaviest first. @param top number of sites; null: those that make 95 % of the weight, at most `most` */
export function heaviest(weights: readonly number[], top: number | null, most = MAX_SITES): number[] {
  const order = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b);
  if (top !== null) return order.slice(0, top);
  const all = sumOf(weights, (weight) => weight);
  const taken: number[] = [];
  let covered = 0;
  for (const index of order.slice(0, most)) {
    if (taken.length > 0 && covered >= COVERED * all) break;
    taken.push(index);
    covered += weights[index]!;
  }
  return taken;
}

/** For both threads, ns: the call and deserializing. Half the round trip if a channel does not have such a split. */
export function perMessageNs(api: PostingApi, { roundTrip, send, receive }: Measurement['floor']): number {
  if (api === 'structuredClone') return roundTrip;
  return send !== null && receive !== null ? send + receive : roundTrip / 2;
}

/**
 * The cost of each site: measured, else the time of sending. The two are never added: a share is of the sites measured
 * here, or of the time that all recorded calls took. @param leftNs time of sending of the sites that are not among them
 */
export function costsOf(
  sites: readonly { posted: RankedMessages; measurement: Measurement | null }[],
  leftNs: number,
) {
  const measured = sites.map(({ posted: { api, count }, measurement: one }) => {
    if (one === null) return null;
    const [send, receive] = [one.send?.median ?? null, one.receive?.median ?? null];
    return count * perMessageNs(api, { roundTrip: one.roundTrip.median, send, receive });
  });
  const recorded = sites.map(({ posted }) => sendNs(posted));
  const all = { measured: sumOf(measured, (ns) => ns ?? 0), send: sumOf(recorded, (ns) => ns ?? 0) + leftNs };
  const shareOf = (ns: number, of: TrafficCost['of']) => (all[of] > 0 ? ns / all[of] : 0);
  const costs = sites.map(({ posted: { count } }, at): TrafficCost | null => {
    const of = measured[at] === null ? 'send' : 'measured';
    const ns = measured[at] ?? recorded[at] ?? null;
    if (ns === null) return null;
    return { perMessageNs: count > 0 ? ns / count : 0, totalMs: ns / 1e6, share: shareOf(ns, of), of };
  });
  return { costs, leftShare: shareOf(leftNs, 'send') };
}

/** Channel of the messages of a site. If the format between processes is not known, it is the default of `fork`. */
export const channelOf = ({ api, serialization }: Pick<RecordedMessages, 'api' | 'serialization'>): Channel =>
  CHANNEL_OF_API[api] ?? (serialization === 'advanced' ? 'ipc-advanced' : 'ipc-json');

/** For smaller messages it makes no difference that their memory is new to the processor. */
const MIN_BYTES = 10_000;

/** Such messages are measured with new values too: these are not in caches, and their memory was never touched. */
export function areNew(posted: Pick<RecordedMessages, 'count' | 'sameObject' | 'bytes'>): boolean {
  return posted.bytes !== null && posted.bytes.max >= MIN_BYTES && posted.sameObject < posted.count / 2;
}

/** Share of messages with a buffer that was not posted before, up to which the site posts the same buffers again. */
const MIN_NEW = 0.1;

/** True if its buffers are posted again, as memory of WebAssembly is, or if it has none. One counts as new the first time. */
export const keepsBuffers = ({ transfer }: Pick<RecordedMessages, 'transfer'>): boolean =>
  transfer.possible <= MIN_NEW * transfer.messages;

const TOLERANCE = 1.1;
const FEW_BYTES = 64;

/** Such a value may not be used for demands. Null if sizes are equal or not known. @param copied bytes of a post */
export function sizeDifference(
  copied: number,
  { typicalBytes, transfer }: Pick<RecordedMessages, 'typicalBytes' | 'transfer'>,
): string | null {
  // Bytes that a transfer list moves are not in the recorded bytes.
  if (typicalBytes == null || transfer.listed > 0) return null;
  const ratio = Math.max(copied, FEW_BYTES) / Math.max(typicalBytes, FEW_BYTES);
  if (ratio <= TOLERANCE && ratio >= 1 / TOLERANCE) return null;
  return `The value has ${copied} bytes, the message that it stands for had ${typicalBytes}: results for it do not apply to the messages.`;
}

// Problems in the way that messages are posted, independent of their content: rows over the counts of a site.

type SiteMessages = Omit<RecordedMessages, 'sample'>;

export interface LintContext {
  cost: TrafficCost | null;
  measurement: Measurement | null;
  /** It says that something is done, and holds nothing that a receiver could keep. */
  isSignal?: boolean;
  /** The other serialization of messages between processes, if it is faster and nothing is lost. */
  faster?: { channel: Channel; share: number } | null;
  /** False if the measured value or engine differs from the recorded one. */
  isLike?: boolean;
  /** A rewrite of the message was proven to be faster: then the message is what is slow. */
  hasRewrite?: boolean;
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
