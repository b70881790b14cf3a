/**
 * Channels, and their messages of one class and magnitude: counters, and when the next is timed and looked at.
 *
 * Messages of one class are taken to be alike: by kind, number of keys, first and last key, and whether something is
 * transferred, which has no bytes then. The extent is a cheap size from the values near the root, about as large as the
 * bytes that are written: messages are looked at by its order of magnitude, and the bytes of all others are estimated from
 * it. None of the program's code runs.
 */
import type { ChangesSeen } from '../../../model/documents/recorded/recording.ts';
import type { Serialization } from '../../../model/names.ts';
import type { PostingApi } from '../../../model/recording/recording.ts';
import { callOn, MAP, SET } from '../../../value/read/intrinsics.ts';
import { spreadShare } from '../../../value/read/spread.ts';
import * as layout from '../../threads/counters.ts';
import { changesOf, type Look, type Part, partsOf } from '../look/look.ts';
import * as kept from '../realm.ts';

/** Bytes around what is in an object, a list, a text or a buffer, and of a number. */
const OBJECT = 4;
const LIST = 5;
const TEXT = 3;
const BUFFER = 6;
const NUMBER = 5;
const MAX_DEPTH = 6;
/** Fields of a message up to which all are read; of others and below them, this number of values. */
const MAX_READ = 12;
/** Children of a container that are read: they stand for all, and near the root more are read. */
const MAX_CHILDREN = 4;
const someOf = (children: number, depth: number): number =>
  children <= MAX_CHILDREN ? children : depth < 2 ? MAX_CHILDREN : 3;
const ENTRY = 24;
const ERROR = 500;

const isBinary = (value: object): boolean => kept.isView(value) || kept.isBuffer(value);

let left = 0;

function extentAt(value: unknown, depth: number): number {
  if (typeof value === 'string') return TEXT + value.length;
  if (typeof value === 'number') return NUMBER;
  if (!kept.canBeRead(value)) return 1;
  const isRead = depth < MAX_DEPTH && left > 0;
  if (kept.isArray(value)) {
    const { length } = value;
    return LIST + (isRead ? childrenOf(value, null, length, depth) : NUMBER * length);
  }
  if (isBinary(value)) return BUFFER + kept.memoryBehind(value);
  const names = kept.keys(value);
  const { length } = names;
  const isError = kept.getPrototypeOf(value) !== kept.objectPrototype && kept.types.isNativeError(value);
  const own = isError ? ERROR : OBJECT;
  if (length > 0) return own + (isRead ? childrenOf(value, names, length, depth) : ENTRY * length);
  const size = kept.types.isMap(value) ? MAP.size : kept.types.isSet(value) ? SET.size : null;
  return own + (size === null ? 0 : ENTRY * (callOn(size, value) as number));
}

function childrenOf(value: object, names: readonly string[] | null, length: number, depth: number): number {
  const isMessage = depth === 0 && names !== null && length <= MAX_READ;
  const some = isMessage ? length : someOf(length, depth);
  let sum = 0;
  for (let i = 0; i < some; i++) {
    if (!isMessage) left--;
    const at = some === length ? i : kept.floor((i * (length - 1)) / (some - 1));
    const name = names === null ? at : names[at]!;
    if (typeof name === 'string') sum += TEXT + name.length;
    sum += extentAt(kept.dataOf(value, name), depth + 1);
  }
  return some === 0 ? 0 : (sum * length) / some;
}

export const SMALL_EXTENT = 4096;

const SMALL_LOG = 6;
const SMALLEST = 2 ** SMALL_LOG;
const STEP_LOG = 3;

/** Order of magnitude: each is eight times the one before. */
export const sizeClass = (extent: number): number =>
  extent < SMALLEST ? 0 : kept.floor((kept.log2(extent) - SMALL_LOG) / STEP_LOG) + 1;

const TUPLE = 8;
/** More keys make a map-like object, whose keys are its content. */
const MAP_LIKE = 24;

export function classify(value: unknown, listed: readonly kept.Listed[] = []) {
  left = MAX_READ;
  const isObject = kept.canBeRead(value) && !kept.isArray(value) && !kept.isView(value);
  const names = isObject ? kept.keys(value) : [];
  let extent =
    names.length > 0 ? OBJECT + childrenOf(value as object, names, names.length, 0) : extentAt(value, 0);
  // After the post they have moved away.
  for (let i = 0; i < listed.length; i++)
    if (listed[i]!.bytes > 0) extent += listed[i]!.bytes - kept.memoryBehind(listed[i]!.value as object);
  return { class: classText(value, names) + (listed.length > 0 ? ' and a list' : ''), extent };
}

/** Most messages are like the one before: joining texts takes longer than all else here. */
let recent = { length: 0, first: '', last: '', text: '' };

function recordText(length: number, first: string, last: string): string {
  if (recent.length !== length || recent.first !== first || recent.last !== last)
    recent = { length, first, last, text: `object|${length}|${first}|${last}` };
  return recent.text;
}

function classText(value: unknown, names: readonly string[]): string {
  const { length } = names;
  if (length > MAP_LIKE) return `object|${MAP_LIKE + kept.floor(kept.log2(length))}`;
  if (length > 0) return recordText(length, names[0]!, names[length - 1]!);
  if (typeof value !== 'object') return typeof value;
  if (value === null) return 'null';
  if (kept.types.isProxy(value)) return 'proxy';
  if (kept.isArray(value)) return `array|${kept.min(value.length, TUPLE + 1)}`;
  if (kept.isView(value)) return 'view';
  if (kept.getPrototypeOf(value) === kept.objectPrototype) return 'object';
  if (kept.isBuffer(value)) return 'buffer';
  if (kept.types.isMap(value)) return 'map';
  return kept.types.isSet(value) ? 'set' : 'object';
}

/** Counters of what is sent and received, and of the longest queue: null if what is received is counted elsewhere. */
export interface Queue {
  fields: Float64Array;
  sent: number;
  received: number;
  max: number | null;
}

export interface CountedChannel {
  api: PostingApi;
  to: string | null;
  queue: Queue | null;
  buckets: Bucket[];
  /** Format of messages between processes; null if this end does not know it. */
  serialization?: Serialization | null;
}

const shared = kept.create(null) as Record<string, Bucket[]>;

/** @param of what channels that share their classes of messages have in common */
export function channelTo(
  to: string | null,
  api: PostingApi,
  queue: Queue | null = null,
  of?: string,
): CountedChannel {
  if (of !== undefined) shared[of] ??= [];
  return { api, to, queue, buckets: of === undefined ? [] : shared[of]! };
}

export const queueIn = (fields: Float64Array, way: layout.Way): Queue => ({ fields, ...layout.WAYS[way] });

export const sentIn = (fields: Float64Array, sent: number): Queue => ({
  ...{ fields, sent, received: sent, max: null },
});

const FIRST_STEP_MS = 100;
/** If a call is slower than this, the cost of the clock does not matter. */
const SLOW_CALL_MS = 1;
const MAX_UNTIMED = 64;
/** Gaps between messages that are timed, and between messages that are looked at, as shares of all that were posted. */
const GAP_SHARE = 16;
const LOOK_GAP_SHARE = 5;

const MANY_COMPARED = 128;
/** Messages to others until a pair is given up: its parts take memory. */
const MAX_BETWEEN = 64;
/** Small messages whose values are kept one by one, if the user wants them. */
const FIRST_KEPT = 4;

const LOWEST_LOG = 2 * kept.log2(layout.histogramStep(0));

interface Like {
  class: string;
  sizeClass: number;
  isFurther: boolean;
}

export class Bucket {
  readonly like: Like;
  readonly id: number;
  readonly groups = kept.create(null) as Record<number, number>;
  groupCount = 0;
  /** Group of all messages that were looked at so far; null if they came from several sites. */
  onlyGroup: number | null = null;
  readonly #at: number;
  #refused = 0;
  #looks = 0;
  /** Number from which the next message is looked at, or timed. */
  #nextLook = 0;
  #nextTimed = 0;
  #sinceClock = 0;
  #previous: WeakRef<object> | null = null;
  #largest = 0;
  lastKept = 0;
  #nextPair = 0;
  /** Parts of the message that was looked at last; kept until the next one to the same receiver, or for some messages. */
  #lastParts: { group: number; nth: number; channel: object; parts: Part } | null = null;

  constructor(like: Like, id: number) {
    this.like = like;
    this.id = id;
    this.#at = layout.groupStart(id);
  }

  get threw(): boolean {
    return this.#refused > 0;
  }

  get count(): number {
    return kept.counters[this.#at]!;
  }

  get #seen(): number {
    return this.count + this.#refused;
  }

  get isTimed(): boolean {
    return this.#seen >= this.#nextTimed;
  }

  /** True if it is looked at: its turn has come, it is larger than all before by half, or it is compared. */
  isDue(extent: number, channel: object): boolean {
    return this.#seen >= this.#nextLook || extent > this.#largest * 1.5 || this.awaits(channel);
  }

  /** @param messages from the next one on, until one is looked at */
  lookAfter(messages: number): void {
    this.#nextLook = this.#seen + messages;
  }

  posted(extent: number, by: 1 | -1): void {
    if (by < 0) this.#refused++;
    kept.counters[this.#at]! += by;
    kept.counters[this.#at + layout.GROUP.extent]! += by * extent;
    this.#sinceClock += by;
  }

  queued(waiting: number): void {
    const at = this.#at + layout.GROUP.queueMax;
    if (waiting > kept.counters[at]!) kept.counters[at] = waiting;
  }

  /** True if the values of the next message are kept: the first messages are, then messages at doubling gaps. */
  get keepsNext(): boolean {
    const first = this.#largest < SMALL_EXTENT ? FIRST_KEPT : 1;
    return this.count < first || this.count >= kept.max(FIRST_KEPT, 2 * this.lastKept);
  }

  looked(extent: number): void {
    this.#largest = kept.max(this.#largest, extent);
    const gap = this.#seen / LOOK_GAP_SHARE;
    // Messages of several kinds often take turns: even gaps would hit a single kind.
    this.lookAfter(kept.max(1, kept.floor(gap * (0.5 + spreadShare(++this.#looks)))));
  }

  awaits(channel: object): boolean {
    return this.#lastParts !== null && this.#lastParts.channel === channel;
  }

  /** null if the message before to this receiver was not looked at: then, at doubling gaps, the next one is. */
  changesIn(channel: object, group: number, nth: number, found: Look | null): ChangesSeen | null {
    const before = this.#lastParts;
    const isSame = this.awaits(channel);
    if (before !== null && !isSame && nth - before.nth < MAX_BETWEEN) return null;
    this.#lastParts = null;
    const isNext = before !== null && isSame && before.group === group;
    if (found === null || !(isNext || nth >= this.#nextPair)) return null;
    const parts = partsOf(found.value);
    if (parts === null) return null;
    if (isNext) return changesOf(before.parts, parts);
    this.#nextPair = 2 * (nth + 1);
    this.#lastParts = { group, nth, channel, parts };
    return null;
  }

  /** @param at milliseconds since the start of the recording */
  timed(ms: number, at: number): void {
    const c = kept.counters;
    const start = this.#at;
    c[start + layout.GROUP.timed]!++;
    c[start + layout.GROUP.sendSumNs]! += ms * 1e6;
    c[start + layout.GROUP.sendMaxNs] = kept.max(c[start + layout.GROUP.sendMaxNs]!, ms * 1e6);
    if (ms > layout.FRAME_MS) c[start + layout.GROUP.sendLong]!++;
    const step = kept.floor(2 * kept.log2(kept.max(1, ms * 1e6))) - LOWEST_LOG;
    c[start + layout.GROUP.histogram + kept.max(0, kept.min(layout.HISTOGRAM_STEPS - 1, step))]!++;
    this.#spread(at);
    const gap = kept.min(MAX_UNTIMED, kept.floor(this.count / GAP_SHARE) - 1);
    this.#nextTimed = ms > SLOW_CALL_MS ? 0 : this.#seen + gap;
  }

  #spread(at: number): void {
    const c = kept.counters;
    const start = this.#at;
    if (c[start + layout.GROUP.stepMs] === 0) c[start + layout.GROUP.stepMs] = FIRST_STEP_MS;
    while (at >= c[start + layout.GROUP.stepMs]! * layout.TIME_STEPS) this.#halve();
    const step = kept.max(0, kept.floor(at / c[start + layout.GROUP.stepMs]!));
    c[start + layout.GROUP.times + step]! += this.#sinceClock;
    this.#sinceClock = 0;
  }

  #halve(): void {
    const c = kept.counters;
    const times = this.#at + layout.GROUP.times;
    for (let i = 0; i < layout.TIME_STEPS; i++)
      c[times + i] = i < layout.TIME_STEPS / 2 ? c[times + 2 * i]! + c[times + 2 * i + 1]! : 0;
    c[this.#at + layout.GROUP.stepMs]! *= 2;
  }

  /** Compares the message after a timed message with it: the same object is often posted again and again. */
  compare(value: unknown, timed: boolean): void {
    const previous = this.#previous;
    this.#previous = null;
    if (typeof value !== 'object' || value === null) return;
    if (previous !== null) {
      kept.counters[this.#at + layout.GROUP.compared]!++;
      if (kept.deref(previous) === value) kept.counters[this.#at + layout.GROUP.same]!++;
    }
    // A weak reference takes microseconds: seldom, once the share of such messages is known.
    const compared = kept.counters[this.#at + layout.GROUP.compared]!;
    if (timed && (compared < MANY_COMPARED || this.count % MANY_COMPARED === 0))
      this.#previous = new kept.Ref(value);
  }
}

/** Classes of one channel before further ones are counted together. */
const CHANNEL_CLASSES = 28;

let made = 0;
let overflow: Bucket | null = null;

export function counted(buckets: Bucket[], value: unknown, listed: readonly kept.Listed[]) {
  const { class: like, extent } = classify(value, listed);
  const magnitude = sizeClass(extent);
  let alike: Bucket | null = null;
  for (let i = 0; i < buckets.length; i++) {
    const bucket = buckets[i]!;
    if (bucket.like.class !== like) continue;
    alike = bucket;
    if (bucket.like.sizeClass === magnitude) return { bucket, extent };
  }
  if (made < layout.MAX_GROUPS - 1 && buckets.length < CHANNEL_CLASSES) {
    const bucket = new Bucket({ class: like, sizeClass: magnitude, isFurther: alike !== null }, made++);
    buckets[buckets.length] = bucket;
    return { bucket, extent };
  }
  overflow ??= new Bucket({ class: 'other', sizeClass: 0, isFurther: false }, layout.MAX_GROUPS - 1);
  return { bucket: alike ?? overflow, extent };
}
