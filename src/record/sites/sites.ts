/** Sites of a recording: their names, what they cost before and after measuring, and how their messages are posted again. */
import type { Measurement } from '../../model/documents/measurement.ts';
import type { RecordedMessages, ThrownPosts, Total } from '../../model/documents/recorded/recording.ts';
import type { TrafficCost } from '../../model/documents/recorded/traffic.ts';
import type { Channel } from '../../model/names.ts';
import { CHANNEL_OF_API, type PostingApi } from '../../model/recording/recording.ts';
import { groupedBy, sumOf } from '../../model/sums.ts';
import { count, counted } from '../../model/units.ts';

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
export const areNew = ({
  count,
  sameObject,
  bytes,
}: Pick<RecordedMessages, 'count' | 'sameObject' | 'bytes'>): boolean =>
  bytes !== null && bytes.max >= MIN_BYTES && sameObject < count / 2;

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
