/**
 * Counts every message of a thread and looks at some of them. The caller counts errors thrown here as failures: the
 * program's call is made, once, with its own receiver and arguments.
 */
import { HEADER } from '../../threads/counters.ts';
import { Look } from '../look/look.ts';
import * as kept from '../realm/intrinsics.ts';
import { counters, platform, settings } from '../realm/platform.ts';
import { type Bucket, counted, type Message, type Queue } from '../records/bucket.ts';
import { SMALL_EXTENT } from '../records/message.ts';
import * as log from '../records/thread-log.ts';
import { governor, isLooking, looking, unrecorded } from './looker.ts';
import { addThrown } from './thrown.ts';

const UNTIMED = -1;
const NO_MESSAGE = {};

export interface Posted extends Message {
  /** null until it is classified. */
  bucket: Bucket | null;
  extent: number;
  looked: Looked | null;
  from: number;
  /** The message whose post this one is made in. */
  outer: unknown;
}

interface Looked {
  group: number;
  nth: number;
  found: Look | null;
  /** The first of its class, which is written at once. */
  isWritten: boolean;
  /** That time is not made up for: under the governor a slow start would leave none for any other look. */
  free: boolean;
}

/** Values that a first look visits; later ones what the time allows. */
const FIRST_NODES = 1000;
// Classes whose first message is looked at in any case, and the next ones if small: else nothing would be known.
const KNOWN_CLASSES = 20;
const KNOWN_MESSAGES = 4;
/** Messages whose stacks are taken in any case, also of those that are not looked at: a line that posts once is told. */
const ALWAYS_SITED = 64;
const MAX_NODES = 20_000;
/** Fewer say little of the others. */
const LEAST_NODES = 256;
/** Share of what posting itself takes, for looking at what is posted. */
const POSTING_SHARE = 1 / 200;
const LONGEST_MS = 0.3;
const LONGEST_MS_PER_NODE = 0.006;
/** Fixed cost of a look, in nodes. */
const LOOK_NODES = 100;
/** Messages until the next chance if time is used up. Checking at each message would read the clock too often. */
const NO_TIME = 8;

/** Maximum time for comparing two messages before a budget exists: pairs are few, and later looks make up for it. */
const PAIR_MS = 3;

const NOT_DESCRIBED = 'messages not described: the program has replaced built-ins';

const time = governor(kept.now(), 6, 0.0025);
/** For stacks, which are cheap: that of every site is wanted. */
const siteTime = governor(kept.now(), 1, 0.0005);
let nsPerNode = 3000;
let sited = 0;

/** The first message of a class is written at once: its thread may be terminated right after the post. */
function look(bucket: Bucket, posted: Posted): void {
  const from = kept.now();
  const first = bucket.count === 0 && !bucket.threw;
  const group = groupOf(bucket, posted, from);
  if (group === null) {
    bucket.lookAfter(NO_TIME);
    return;
  }
  const { extent } = posted;
  const start = kept.now();
  // If posts throw, no message is ever counted: each would be among the first.
  const isKnown = bucket.id >= KNOWN_CLASSES || bucket.threw;
  const always = !isKnown && (first || (bucket.count < KNOWN_MESSAGES && extent < SMALL_EXTENT));
  const found = foundIn(bucket, posted, always, start);
  const free = always && !bucket.like.isFurther;
  const looked: Looked = { group, nth: bucket.count, found, free, isWritten: first };
  posted.looked = looked;
  bucket.looked(extent);
  if (!free) charge(kept.now() - start, found);
  log.took(kept.now() - from);
  if (first) write(looked, bucket, posted, false);
}

/** Notes the site of a message that is not looked at. */
function place(bucket: Bucket, posted: Posted): void {
  const from = kept.now();
  const group = groupOf(bucket, posted, from)!;
  const nth = bucket.count;
  posted.looked = { group, nth, found: null, free: true, isWritten: true };
  log.add({ record: 'message', group, nth, extent: posted.extent });
  log.took(kept.now() - from);
}

/** Group of the message by its site; null if there is no time for its stack. */
function groupOf(bucket: Bucket, { channel, patch }: Message, from: number): number | null {
  const isFree = sited++ < ALWAYS_SITED;
  const isWanted = (bucket.count === 0 && !bucket.threw) || isFree || bucket.awaits(channel);
  if (!isWanted && siteTime.left(from) <= 0) return bucket.onlyGroup;
  const group = log.groupOf(bucket, log.siteOf(channel.api, patch), channel);
  if (!isFree) siteTime.spentMs += kept.now() - from;
  return group;
}

/** A look that took far longer was interrupted by other programs. */
function charge(ms: number, found: Look | null): void {
  time.spentMs += kept.min(ms, LONGEST_MS + (found?.sample.visited ?? 0) * LONGEST_MS_PER_NODE);
}

function foundIn(bucket: Bucket, message: Message, always: boolean, from: number): Look | null {
  const { channel, value, listed } = message;
  const left = time.left(from);
  if (!always && left <= (bucket.awaits(channel) ? -2 * PAIR_MS : 0)) return null;
  // Part of the time is left for later messages: visiting many in part says more than visiting one whole.
  const affordable = kept.floor((left * 1e6) / nsPerNode / 4);
  const nodes = kept.min(MAX_NODES, kept.max(always ? FIRST_NODES : LEAST_NODES, affordable));
  const { keepsNext } = bucket;
  const values = keepsNext ? settings.values : 'none';
  const request = { nodes, values, serialization: channel.serialization };
  try {
    const found = looking(() => new Look(value, listed, request));
    if (found === null) log.gapOnce(NOT_DESCRIBED);
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

function write(looked: Looked, bucket: Bucket, { channel, extent }: Posted, isPosted: boolean): void {
  const { group, nth, found, free, isWritten } = looked;
  const from = kept.now();
  unrecorded(() => found?.finish(isPosted || platform.looksAfter === true));
  // One that is written again was compared before.
  const hasTime = !(isPosted && isWritten) && time.left(from) > -2 * PAIR_MS;
  const changes = hasTime ? looking(() => bucket.changesIn(channel, group, nth, found)) : null;
  log.add({
    record: 'message',
    ...{ group, nth, extent },
    ...(found && { tree: found.sample.tree, transfer: found.transfer }),
    ...(found !== null && found.bytes !== null && { bytes: found.bytes }),
    ...(changes && { changes }),
  });
  const spent = kept.now() - from;
  if (!free) charge(spent, found);
  log.took(spent);
  if (platform.endsUnseen || isWritten) log.flush();
}

/** Time of the clock plus this is milliseconds since the recording started. */
let offset = 0;
let current: unknown = NO_MESSAGE;

/** @param at milliseconds since 1970 when this thread did */
export function startedAt(at: number): void {
  offset = at - settings.startedAt - kept.now();
}

/** Not the program's: a look clones, and one posting function may call the next (the outermost counts). */
export const isWithin = (value: unknown): boolean => isLooking || current === value;

/** Before it is posted: it is counted then, as its receiver may terminate this thread before the call returns. */
export function begin(message: Message): Posted {
  const posted = beginning(message);
  if (platform.looksAfter || count(posted)) posted.from = kept.now();
  current = message.value;
  return posted;
}

export function end(posted: Posted): void {
  current = posted.outer;
  const to = posted.from === UNTIMED ? UNTIMED : kept.now();
  if (posted.bucket === null) count(posted);
  finish(posted, posted.bucket!, to);
}

/** A post that threw is a message that does not arrive. */
export function threw(posted: Posted, error: unknown): void {
  current = posted.outer;
  const { bucket, channel, extent, looked } = posted;
  if (bucket !== null) {
    if (looked?.isWritten) log.add({ record: 'cancelled', group: looked.group });
    bucket.posted(extent, -1);
    counters[HEADER.total]!--;
    if (channel.queue !== null) channel.queue.fields[channel.queue.sent]!--;
  }
  refused(posted, error, bucket ?? channel);
}

/** A post that throws, or would. @param alike the same for messages of one class, if that is known */
export function refused(message: Message, error: unknown, alike: object = message.channel): void {
  addThrown({ ...message, error, alike });
  platform.onCounted?.();
}

/** A message that the runtime has posted for the program. */
export function tell(message: Message): void {
  const posted = beginning(message);
  count(posted);
  finish(posted, posted.bucket!, UNTIMED);
}

/** A literal: a spread takes microseconds. */
const beginning = ({ channel, value, listed, patch }: Message): Posted => ({
  channel,
  value,
  listed,
  patch,
  bucket: null,
  extent: 0,
  looked: null,
  from: UNTIMED,
  outer: current,
});

function count(posted: Posted): boolean {
  const { channel, value, listed } = posted;
  const { bucket, extent } = counted(channel.buckets, value, listed);
  posted.bucket = bucket;
  posted.extent = extent;
  const isDue = bucket.isDue(extent, channel);
  const isTimed = isDue || bucket.isTimed;
  if (isDue) look(bucket, posted);
  else if (sited < ALWAYS_SITED) place(bucket, posted);
  bucket.posted(extent, 1);
  counters[HEADER.total]!++;
  platform.onCounted?.();
  if (channel.queue !== null) queued(channel.queue, bucket);
  return isTimed;
}

function finish(posted: Posted, bucket: Bucket, to: number): void {
  const { value, looked, from } = posted;
  const isTimed = from !== UNTIMED;
  // If messages take long to post, there is time to look at more.
  if (isTimed) time.spentMs -= (to - from) * bucket.timed(to - from, to + offset) * POSTING_SHARE;
  bucket.compare(value, isTimed);
  // Posting an error makes its stack, which is most of its bytes.
  if (looked !== null && (!looked.isWritten || looked.found?.sample.isUnfinished === true))
    write(looked, bucket, posted, true);
  if (log.isEnding) log.flush();
}

function queued({ fields, sent, received, max }: Queue, bucket: Bucket): void {
  fields[sent]!++;
  if (max === null) return;
  const waiting = fields[sent]! - fields[received]!;
  if (waiting > fields[max]!) fields[max] = waiting;
  bucket.queued(waiting);
}
