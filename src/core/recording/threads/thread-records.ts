/** Reads what a recorded thread has written. The text is a stranger's: what is not as it should be is left out and counted. */
import { PROCESS_RUNTIMES } from '../../../model/names.ts';
import { POSTING_APIS, type PostingApi } from '../../../model/recording/recording.ts';
import {
  type ChildStarted,
  type GapSeen,
  type GroupSeen,
  type MessageSeen,
  PAGE_KINDS,
  type SiteSeen,
  type ThreadStarted,
} from '../../../model/recording/thread-file.ts';
import { COUNTERS_MAGIC, HEADER, THREAD_FIELDS } from './counters.ts';

/** A thread's records and counters. */
export interface RecordedThread {
  pid: number;
  thread: number;
  started: ThreadStarted | null;
  sites: Map<number, SiteSeen>;
  groups: Map<number, GroupSeen>;
  /** In the order in which they were posted. */
  messages: MessageSeen[];
  children: ChildStarted[];
  gaps: GapSeen[];
  /** It ended as it should. */
  ended: boolean;
  /** As `counters.ts` lays them out; null where they could not be read. */
  counters: Float64Array | null;
  /** Lines that could not be read. */
  unreadable: number;
}

type Fields = Record<string, unknown>;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown): value is string => typeof value === 'string';
const isSize = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const orNull = (value: unknown, is: (value: unknown) => boolean) => value === null || is(value);

const isFrame = (value: unknown): boolean =>
  isObject(value) &&
  isText(value.file) &&
  isCount(value.line) &&
  isCount(value.column) &&
  orNull(value.name, isText);

const isLibrary = (value: unknown): boolean =>
  isObject(value) && isText(value.name) && orNull(value.version, isText) && isFrame(value.frame);

const isSite = (value: unknown): boolean =>
  isObject(value) && orNull(value.user, isFrame) && orNull(value.library, isLibrary);

const isParent = (value: unknown): boolean => isObject(value) && isCount(value.pid) && isCount(value.thread);

const isRuntime = (value: unknown): boolean =>
  isObject(value) && [...PROCESS_RUNTIMES, 'chromium'].includes(value.name as never) && isText(value.version);

/** Of a message: its shape is checked where the recording is written. */
const isMessage = (one: Fields): boolean =>
  isCount(one.group) &&
  isCount(one.nth) &&
  isSize(one.hint) &&
  orNull(one.bytes, isCount) &&
  (one.error === undefined || isSize(one.error)) &&
  (one.shape === undefined || (isObject(one.shape) && Array.isArray(one.shape.patterns))) &&
  (one.transfer === undefined || (isObject(one.transfer) && Object.values(one.transfer).every(isSize))) &&
  (one.content === undefined || isText(one.content));

/** Takes one record in; false where it is not one. */
const TAKEN: Readonly<Record<string, (thread: RecordedThread, one: Fields) => boolean>> = {
  thread(thread, one) {
    const ok =
      isCount(one.pid) &&
      isCount(one.thread) &&
      orNull(one.parent, isParent) &&
      isRuntime(one.runtime) &&
      orNull(one.file, isText) &&
      (one.kind === undefined || PAGE_KINDS.includes(one.kind as never)) &&
      isSize(one.at);
    if (ok) thread.started ??= one as unknown as ThreadStarted;
    return ok;
  },
  site(thread, one) {
    const ok = isCount(one.id) && POSTING_APIS.includes(one.api as PostingApi) && isSite(one.site);
    if (ok) thread.sites.set(one.id as number, one as unknown as SiteSeen);
    return ok;
  },
  group(thread, one) {
    const ok =
      isCount(one.id) &&
      thread.sites.has(one.site as number) &&
      isText(one.class) &&
      orNull(one.to, isText) &&
      isCount(one.counter);
    if (ok) thread.groups.set(one.id as number, one as unknown as GroupSeen);
    return ok;
  },
  message(thread, one) {
    const ok = isMessage(one) && thread.groups.has(one.group as number);
    if (ok) thread.messages.push(one as unknown as MessageSeen);
    return ok;
  },
  child(thread, one) {
    const ok = isCount(one.pid) && isCount(one.thread) && isText(one.program);
    if (ok) thread.children.push(one as unknown as ChildStarted);
    return ok;
  },
  gap(thread, one) {
    if (isText(one.what)) thread.gaps.push(one as unknown as GapSeen);
    return isText(one.what);
  },
  end(thread) {
    thread.ended = true;
    return true;
  },
};

function parsed(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * @param lines of `<pid>-<thread>.ndjson`; the last may be cut off
 * @param counters content of `<pid>-<thread>.cnt`; null where there is none
 */
export function readThread(
  pid: number,
  thread: number,
  lines: string,
  counters: Uint8Array | null,
): RecordedThread {
  const read: RecordedThread = {
    ...{ pid, thread, started: null, ended: false, unreadable: 0 },
    ...{ sites: new Map(), groups: new Map(), messages: [], children: [], gaps: [] },
    counters: counters === null ? null : readCounters(counters),
  };
  for (const line of lines.split('\n')) {
    if (line === '') continue;
    const one = parsed(line);
    const take =
      one !== null && isText(one.record) && Object.hasOwn(TAKEN, one.record) ? TAKEN[one.record] : null;
    if (one === null || !take?.(read, one)) read.unreadable++;
  }
  read.messages.sort((a, b) => a.nth - b.nth);
  return read;
}

/** null where they are not what a tap writes. */
function readCounters(bytes: Uint8Array): Float64Array | null {
  if (bytes.byteLength !== THREAD_FIELDS * 8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = Float64Array.from({ length: THREAD_FIELDS }, (_, i) => view.getFloat64(i * 8, true));
  const isPossible = fields.every((field) => field >= -1 && field <= Number.MAX_SAFE_INTEGER);
  return isPossible && fields[HEADER.magic] === COUNTERS_MAGIC ? fields : null;
}
