/** Counts every message and looks at some. Errors thrown here are failures of the recorder: the call is made, once. */
import { typeDetection } from '../../../engines/probe/type-detection.ts';
import type { FoundValue, Frame } from '../../../model/documents/recorded/recording.ts';
import { attempt, orElse } from '../../../model/or-else.ts';
import { isToProcess } from '../../../model/recording/recording.ts';
import { refusedIn as refusedValue } from '../../../value/describe/refused.ts';
import { getterOf } from '../../../value/read/intrinsics.ts';
import { map } from '../../../value/read/lists.ts';
import { ownStack } from '../../../value/read/own-data.ts';
import { HEADER } from '../../threads/counters.ts';
import { type Look, lookAt } from '../look/look.ts';
import * as kept from '../realm.ts';
import { type Bucket, type CountedChannel, counted, type Queue, SMALL_EXTENT } from './buckets.ts';
import * as log from './log.ts';

const UNTIMED = -1;
const NO_MESSAGE = {};

/** Time of the clock plus this is milliseconds since the recording started. */
let offset = 0;
let current: unknown = NO_MESSAGE;

/** @param at milliseconds since 1970 when this thread did */
export function startedAt(at: number): void {
  offset = at - kept.settings.startedAt - kept.now();
}

/** Not the program's: a look clones, and one posting function may call the next (the outermost counts). */
export const isWithin = (value: unknown): boolean => kept.isLooking || current === value;

export const messageOf = (
  channel: CountedChannel,
  value: unknown,
  listed: readonly kept.Listed[],
  patch: unknown,
) => ({
  // One by one: a spread takes microseconds.
  channel,
  value,
  listed,
  patch,
  bucket: null as Bucket | null,
  extent: 0,
  from: UNTIMED,
  /** The message whose post this one is made in. */
  outer: current,
  /** Id of its class and site; null if neither its site nor its content is recorded. */
  group: null as number | null,
  nth: 0,
  found: null as Look | null,
  /** The first of its class, which is written at once. */
  isWritten: false,
  /** The time of the look is not made up for: under the governor a slow start would leave none for any other. */
  free: true,
});
export type Posted = ReturnType<typeof messageOf>;

/** Values that a first look visits; later ones what the time allows. */
const FIRST_NODES = 1000;
// Classes whose first message is looked at in any case, and the next ones if small: else nothing would be known.
const KNOWN_CLASSES = 20;
const KNOWN_MESSAGES = 4;
/** Messages whose stacks are taken in any case, even if they are not looked at: a line that posts once is reported. */
const ALWAYS_SITED = 64;
const MAX_NODES = 20_000;
const LEAST_NODES = 256;
const LONGEST_MS = 0.3;
const LONGEST_MS_PER_NODE = 0.006;
const LOOK_NODES = 100;
/** Messages until the next chance if time is used up. Checking at each message would read the clock too often. */
const NO_TIME = 8;

/** Maximum time for comparing two messages before a budget exists: pairs are few, and later looks make up for it. */
const PAIR_MS = 3;

const time = kept.governor(kept.now(), 6, 0.005);
/** For stacks, which are cheap: that of every site is wanted. */
const siteTime = kept.governor(kept.now(), 1, 0.0005);
let nsPerNode = 3000;
let sited = 0;

/** The first message of a class is written at once: its thread may be terminated right after the post. */
function look(bucket: Bucket, posted: Posted, isDue: boolean): void {
  const from = kept.now();
  const nth = bucket.count;
  const first = nth === 0 && !bucket.threw;
  const group = groupOf(bucket, posted, from);
  if (group === null) {
    bucket.lookAfter(NO_TIME);
    return;
  }
  const { extent } = posted;
  posted.group = group;
  posted.nth = nth;
  posted.isWritten = first || !isDue;
  if (isDue) {
    const start = kept.now();
    // If posts throw, no message is ever counted: each would be among the first.
    const isKnown = bucket.id >= KNOWN_CLASSES || bucket.threw;
    const always = !isKnown && (first || (nth < KNOWN_MESSAGES && extent < SMALL_EXTENT));
    posted.found = foundIn(bucket, posted, always, start);
    posted.free = always && !bucket.like.isFurther;
    bucket.looked(extent);
    charge(kept.now() - start, posted);
  } else log.add({ record: 'message', group, nth, extent });
  log.took(kept.now() - from);
  if (first) write(posted, bucket, group, false);
}

function groupOf(bucket: Bucket, { channel, patch }: Posted, from: number): number | null {
  const isFree = sited++ < ALWAYS_SITED;
  const isWanted = (bucket.count === 0 && !bucket.threw) || isFree || bucket.awaits(channel);
  if (!isWanted && siteTime.left(from) <= 0) return bucket.onlyGroup;
  const group = log.groupOf(bucket, log.siteOf(channel.api, patch), channel);
  if (!isFree) siteTime.spentMs += kept.now() - from;
  return group;
}

/** A look that took far longer was interrupted by other programs. */
function charge(ms: number, { found, free }: Posted): void {
  const most = LONGEST_MS + (found?.sample.visited ?? 0) * LONGEST_MS_PER_NODE;
  if (!free) time.spentMs += kept.min(ms, most);
}

function foundIn(bucket: Bucket, message: Posted, always: boolean, from: number): Look | null {
  const { channel, value, listed } = message;
  const left = time.left(from);
  if (!always && left <= (bucket.awaits(channel) ? -2 * PAIR_MS : 0)) return null;
  // Part of the time is left for later messages: visiting many in part says more than visiting one whole.
  const affordable = kept.floor((left * 1e6) / nsPerNode / 4);
  const nodes = kept.min(MAX_NODES, kept.max(always ? FIRST_NODES : LEAST_NODES, affordable));
  const { keepsNext } = bucket;
  const values = keepsNext ? kept.settings.values : 'none';
  try {
    const found = kept.looking(() => lookAt(value, listed, nodes, values, channel.serialization));
    if (found === null) log.gapOnce('messages not described: the program has replaced built-ins');
    else if (keepsNext) bucket.lastKept = bucket.count;
    const spent = kept.now() - from;
    // The first ones say what a cold engine takes, and every look has a part that no node makes.
    if (found !== null && !always)
      nsPerNode = (nsPerNode + (spent * 1e6) / (found.sample.visited + LOOK_NODES)) / 2;
    return found;
  } catch {
    log.failed();
    return null;
  }
}

function write(posted: Posted, bucket: Bucket, group: number, isPosted: boolean): void {
  const { channel, extent, nth, found, isWritten } = posted;
  const from = kept.now();
  const bytes = kept.unrecorded(() => found?.finish(isPosted || kept.platform.looksAfter === true));
  // A message that is written again was compared before.
  const hasTime = !(isPosted && isWritten) && time.left(from) > -2 * PAIR_MS;
  const changes = hasTime ? kept.looking(() => bucket.changesIn(channel, group, nth, found)) : null;
  log.add({
    record: 'message',
    ...{ group, nth, extent },
    ...(found && { tree: found.sample.tree, transfer: found.transfer }),
    ...(bytes !== undefined && { bytes }),
    ...(changes && { changes }),
  });
  const spent = kept.now() - from;
  charge(spent, posted);
  log.took(spent);
  if (kept.platform.endsUnseen || isWritten) log.flush();
}

/** It is counted before the post, as its receiver may terminate this thread before the call returns. */
export function begin(posted: Posted): Posted {
  if (kept.platform.looksAfter || count(posted)) posted.from = kept.now();
  current = posted.value;
  return posted;
}

export function end(posted: Posted): void {
  current = posted.outer;
  const to = posted.from === UNTIMED ? UNTIMED : kept.now();
  if (posted.bucket === null) count(posted);
  finish(posted, posted.bucket!, to);
}

function count(posted: Posted): boolean {
  const { channel, value, listed } = posted;
  const { bucket, extent } = counted(channel.buckets, value, listed);
  posted.bucket = bucket;
  posted.extent = extent;
  const isDue = bucket.isDue(extent, channel);
  const isTimed = isDue || bucket.isTimed;
  if (isDue || sited < ALWAYS_SITED) look(bucket, posted, isDue);
  bucket.posted(extent, 1);
  kept.counters[HEADER.total]!++;
  kept.platform.onCounted?.();
  if (channel.queue !== null) queued(channel.queue, bucket);
  return isTimed;
}

function finish(posted: Posted, bucket: Bucket, to: number): void {
  const { value, group, found, isWritten, from } = posted;
  const isTimed = from !== UNTIMED;
  if (isTimed) bucket.timed(to - from, to + offset);
  bucket.compare(value, isTimed);
  // Posting an error makes its stack, which is most of its bytes.
  if (group !== null && (!isWritten || found?.sample.isUnfinished)) write(posted, bucket, group, true);
  if (log.isEnding) log.flush();
}

function queued({ fields, sent, received, max }: Queue, bucket: Bucket): void {
  fields[sent]!++;
  if (max === null) return;
  const waiting = fields[sent]! - fields[received]!;
  if (waiting > fields[max]!) fields[max] = waiting;
  bucket.queued(waiting);
}

/** A post that threw is a message that does not arrive. */
export function threw(posted: Posted, error: unknown): void {
  current = posted.outer;
  const { bucket, channel, extent, group, isWritten } = posted;
  if (bucket !== null) {
    if (group !== null && isWritten) log.add({ record: 'cancelled', group });
    bucket.posted(extent, -1);
    kept.counters[HEADER.total]!--;
    if (channel.queue !== null) channel.queue.fields[channel.queue.sent]!--;
  }
  refused(posted, error);
}

const MOST_SEARCHED = 20_000;
const DOCTOR_SEARCHED = 2_000_000;
/** Counts that are written at once: a thread may be ended by what it threw. */
const AT_ONCE = 16;
const MAX_KINDS = 200;
/** Code of the error of a closed channel: nothing is wrong with the message. */
export const CLOSED = 'ERR_IPC_CHANNEL_CLOSED';

interface Kind {
  posts: log.Tally;
  found: FoundValue | null;
}

const kinds = kept.create(null) as Record<string, Kind>;
const recentKinds = new kept.Weak<object, Kind>();
let kindCount = 0;
const searchTime = kept.governor(kept.now(), 3, 0.005);

export function refused(posted: Posted, error: unknown): void {
  const from = kept.now();
  const { doctor } = kept.settings;
  // The same for messages of one class, if that is known.
  const alike = posted.bucket ?? posted.channel;
  // A post that is not looked at is taken to be like the previous one.
  const recent = doctor || searchTime.left(from) > 0 ? undefined : kept.weakGet(recentKinds, alike);
  const one = recent ?? kindOf(posted, error);
  if (one !== null) {
    kept.weakSet(recentKinds, alike, one);
    const count = ++one.posts.count;
    if (recent === undefined) searchTime.spentMs += kept.now() - from;
    const isRound = count <= AT_ONCE || (count & (count - 1)) === 0;
    if (isRound || log.isEnding) log.flush();
    log.took(kept.now() - from);
    if (doctor) amend(error, one.found, log.stackOf(posted.patch)[0]);
  }
  kept.platform.onCounted?.();
}

function kindOf(posted: Posted, thrown: unknown): Kind | null {
  const { channel, patch } = posted;
  const site = log.siteOf(channel.api, patch);
  const error = errorName(thrown);
  const found = error === CLOSED ? null : refusedIn(posted, thrown, error);
  const key = `${site.id}|${error}|${channel.to}|${found?.path}|${found?.what}`;
  const known = kinds[key];
  if (known !== undefined) {
    // The doctor needs the latest value: it may be at a different key that is data.
    known.found = found;
    return known;
  }
  if (kindCount === MAX_KINDS) {
    log.gapOnce('kinds of posts that threw, beyond the most that are kept');
    return null;
  }
  const id = kindCount++;
  const fresh: Kind = { posts: log.tally((count) => ({ record: 'throws', id, count })), found };
  kinds[key] = fresh;
  const told = found && { path: found.path, what: found.what };
  const place = { ...site.told, to: channel.to, stack: log.stackOf(patch) };
  log.add({ record: 'thrown', id, ...place, error, refused: told });
  return fresh;
}

/** V8's words for an object that it refuses, which may be a Proxy: `#<Object> could not be cloned.` */
const OBJECT = /(?:#<[^>]*>|\[object [^\]]*\]) could not be cloned/;

function refusedIn({ channel, value, listed }: Posted, error: unknown, name: string) {
  const nodes = kept.settings.doctor ? DOCTOR_SEARCHED : MOST_SEARCHED;
  const message = textIn(error, 'message') ?? '';
  // A child that gets JSON text throws TypeErrors of JSON.stringify.
  const as = name === 'TypeError' && isToProcess(channel.api) ? 'json' : 'clone';
  const stopsAtGetter = kept.platform.looksAfter === true;
  return kept.looking(() => {
    // If nothing tells a Proxy, a message that may hold one is not searched: its traps would run.
    const isNoProxy = message.includes('could not be cloned') && !OBJECT.test(message);
    if (stopsAtGetter && typeof value !== 'function' && !isNoProxy) return null;
    const inList = map(listed, (one) => one.value);
    return refusedValue(value, { nodes, as, stopsAtGetter, types: typeDetection(), listed: inList });
  });
}

const LONGEST_NAME = 100;
const dom = (globalThis.DOMException?.prototype ?? {}) as object;
const DOM_GETTERS = { name: getterOf(dom, 'name'), message: getterOf(dom, 'message') };

/** Reads data properties and the platform's own getters, so that the program's code does not run. */
function textIn(error: unknown, key: keyof typeof DOM_GETTERS): string | null {
  const getter = kept.canBeRead(error) ? DOM_GETTERS[key] : undefined;
  const text: unknown = getter && orElse(() => kept.apply(getter, error, []), null);
  if (typeof text === 'string') return text;
  for (let at = error; kept.canBeRead(at); at = kept.getPrototypeOf(at)) {
    const own = kept.dataOf(at, key);
    if (typeof own === 'string') return own;
  }
  return null;
}

function errorName(error: unknown): string {
  if (!kept.canBeRead(error)) return typeof error;
  const code = kept.dataOf(error, 'code');
  const isCode = typeof code === 'string' && kept.startsWith(code, 'ERR_');
  return kept.slice(isCode ? code : (textIn(error, 'name') ?? 'Error'), 0, LONGEST_NAME);
}

function amend(error: unknown, refused: FoundValue | null, at: Frame | undefined): void {
  attempt(() => {
    const message = textIn(error, 'message');
    if (!kept.canBeRead(error) || !message) return;
    const what = refused === null ? 'refused' : `${refused.whole} is ${refused.what}`;
    const place = at === undefined ? '' : `, posted at ${at.file}:${at.line}`;
    const longer = `${message} [${what}${place}]`;
    // First: the engine may make it of the message when it is first read.
    rewriteStack(error, message, longer);
    kept.setData(error, 'message', longer, false);
  });
}

const ErrorHere = Error;
const formatter = kept.getOwnPropertyDescriptor(Error, 'prepareStackTrace')?.value as unknown;

function rewriteStack(error: object, message: string, other: string): void {
  // The program formats stacks itself: nothing is known of what it makes of them.
  if (kept.getOwnPropertyDescriptor(ErrorHere, 'prepareStackTrace')?.value !== formatter) return;
  const found = kept.getOwnPropertyDescriptor(error, 'stack');
  if (found === undefined) return;
  const stack = ownStack(error);
  const at = typeof stack === 'string' ? kept.indexOf(stack, message) : -1;
  if (at < 0) return;
  const value = kept.slice(stack as string, 0, at) + other + kept.slice(stack as string, at + message.length);
  if (!kept.hasOwn(found, 'value')) kept.apply(found.set!, error, [value]);
  else if (found.writable) kept.setData(error, 'stack', value, false);
}
