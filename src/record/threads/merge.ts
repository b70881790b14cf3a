/** Makes one list of messages, by site, class and order of magnitude, of the files of all threads of a program. */
import { cutName } from '../../model/cut.ts';
import type {
  RecordedMessages,
  ThrownPosts,
  UnreadMessages,
} from '../../model/documents/recorded/recording.ts';
import type { ThreadRecordOf } from '../../model/documents/recorded/thread-file.ts';
import { isToProcess, type PostingApi } from '../../model/recording/recording.ts';
import { groupedBy, sumOf, sumsBy } from '../../model/sums.ts';
import { recognise } from '../envelopes/recognise.ts';
import { GROUP, groupStart, HEADER, MAPPED, MAX_GROUPS, THREAD_FIELDS, WAYS, type Way } from './counters.ts';
import { changesIn, sharesOf, transferOf } from './looked-messages.ts';
import { type RecordedThread, serializations } from './recorded-thread.ts';
import type { BytesOf } from './sample-bytes.ts';
import { type CounterShare, sameObjects, sendTimes, timesOf } from './send-times.ts';
import { groupBytes, magnitudesOf, type StratumSeen, typicalMessage } from './sizes.ts';
import { SELF, type ThreadNames, WORKER } from './thread-names.ts';

interface Delivery {
  /** Share of the messages that was received; null if it is not known. */
  received: number | null;
  queue: { max: number; last: number } | null;
}

const UNKNOWN: Delivery = { received: null, queue: null };
const ALL: Delivery = { received: 1, queue: null };

/** Their receiver counts them too, separately from the thread. */
const UPWARDS: readonly PostingApi[] = ['parentPort.postMessage', 'self.postMessage', 'window.postMessage'];

function ofThreads(threads: readonly RecordedThread[], way: Way): Delivery {
  const fields = WAYS[way];
  let sent = 0;
  let received = 0;
  // Less if the two ends count each for itself.
  let max = -1;
  for (const { counters, started } of threads) {
    if (counters === null) return UNKNOWN;
    // On Bun a message is received when its data is read: handlers that never read it look like none.
    const isUnread = counters[fields.sent]! > 0 && counters[fields.received] === 0;
    if (isUnread && started?.runtime.name === 'bun') return UNKNOWN;
    sent += counters[fields.sent]!;
    received += Math.min(counters[fields.sent]!, counters[fields.received]!);
    max = Math.max(max, counters[fields.max]!);
  }
  if (sent === 0) return UNKNOWN;
  return { received: received / sent, queue: max < 0 ? null : { max, last: sent - received } };
}

/** Which end of a port is whose is not known; that all messages in a process arrived is. */
function ofPorts(threads: readonly RecordedThread[], pid: number): Delivery {
  const own = threads.filter((thread) => thread.pid === pid);
  const [sent, received] = [WAYS.ports.sent, WAYS.ports.received].map((at) =>
    sumOf(own, ({ counters }) => counters?.[at] ?? 0),
  );
  return sent! > 0 && sent === received ? ALL : UNKNOWN;
}

/** Workers that the thread has started and that this names. */
const workersOf = (threads: readonly RecordedThread[], from: RecordedThread, to: string | null) =>
  threads.filter(({ pid, started }) => {
    const isChild = pid === from.pid && started?.parent?.thread === from.thread;
    return isChild && to === `${WORKER}${started.file ?? ''}`;
  });

/** Known if all arrived. If there are several classes, it is not known which of them did not. */
function betweenProcesses(
  threads: readonly RecordedThread[],
  from: RecordedThread,
  api: PostingApi,
): Delivery {
  const own = [...from.groups.values()].filter((one) => one.api === api);
  const classes = [...new Set(own.map(({ counter }) => counter))];
  const isApart = classes.every((counter) => counter < MAX_GROUPS - 1);
  const sent = sumOf(classes, (counter) => from.counters?.[groupStart(counter) + GROUP.count] ?? 0);
  const arrived = api === 'process.send' ? arrivedAbove(threads, from) : arrivedBelow(threads, from);
  if (arrived === null || sent === 0 || !isApart) return UNKNOWN;
  if (arrived >= sent) return ALL;
  return classes.length === 1 ? { received: arrived / sent, queue: null } : UNKNOWN;
}

/** null if the process that got them does not tell, or was killed. */
const arrivedAbove = (threads: readonly RecordedThread[], { pid }: RecordedThread): number | null =>
  threads.find(({ ended, arrived }) => ended && arrived.has(pid))?.arrived.get(pid) ?? null;

/** Arrivals in all children that have a channel: the children of one command share their classes. */
function arrivedBelow(threads: readonly RecordedThread[], { children }: RecordedThread): number | null {
  let sum = 0;
  for (const { pid } of children.filter(({ serialization }) => serialization !== undefined)) {
    const child = threads.find((one) => one.pid === pid && one.thread === 0 && one.ended);
    const arrived = child?.arrived.get(0);
    if (arrived === undefined) return null;
    sum += arrived;
  }
  return sum;
}

/** @param to receiver, as the records of the posting thread name it */
function deliveryOf(
  threads: readonly RecordedThread[],
  from: RecordedThread,
  api: PostingApi,
  to: string | null,
): Delivery {
  if (UPWARDS.includes(api)) return ofThreads([from], 'up');
  if (api === 'Worker.postMessage') {
    const receivers = workersOf(threads, from, to);
    // A thread that counts for itself alone, and was terminated, may not have reported its last messages.
    const isUntold = receivers.some(({ counters, ended }) => !ended && (counters?.[WAYS.down.max] ?? 0) < 0);
    return isUntold ? UNKNOWN : ofThreads(receivers, 'down');
  }
  if (isToProcess(api)) return betweenProcesses(threads, from, api);
  if (api === 'MessagePort.postMessage') return ofPorts(threads, from.pid);
  return api === 'workerData' && workersOf(threads, from, to).length > 0 ? ALL : UNKNOWN;
}

/**
 * Messages of a page's worker that arrived, and that it could not tell before it was terminated (it counts for itself,
 * and its parent for itself): counted as others of the worker's largest class.
 *
 * @returns true if the counts of its posts are right: it has one class, or reported all
 */
export function countLate(thread: RecordedThread): boolean {
  const { counters, groups } = thread;
  if (counters === null || thread.ended) return false;
  const missing = counters[WAYS.up.received]! - counters[WAYS.up.sent]!;
  const posts = [...groups.values()].filter(({ api }) => api === 'self.postMessage');
  if (posts.length === 0 || missing < 0) return false;
  // On Deno neither end of a web worker counts what arrives.
  if (counters[WAYS.up.sent] === 0 && missing === 0) return false;
  const classes = [...new Set(posts.map(({ counter }) => Math.min(counter, MAX_GROUPS - 1)))];
  const countOf = (counter: number) => counters[groupStart(counter) + GROUP.count]!;
  const largest = classes.reduce((most, one) => (countOf(one) > countOf(most) ? one : most));
  const at = groupStart(largest);
  counters[at + GROUP.extent]! *= 1 + missing / Math.max(1, countOf(largest));
  counters[at + GROUP.count]! += missing;
  counters[WAYS.up.sent]! += missing;
  return posts.length === groups.size && (missing === 0 || classes.length === 1);
}

/** Half width of the interval of a size that others are compared with, as a share. */
const MAX_ERROR = 0.05;

/** One thread's part of the messages between two ends, of one class. */
interface PostedPart extends StratumSeen, CounterShare {
  thread: RecordedThread;
  class: string;
  estimated: boolean;
  ends: Pick<RecordedMessages, 'site' | 'api' | 'from' | 'to' | 'serialization'>;
  delivery: Delivery;
}

/** The most frequent first. @param bytesOf of messages that were looked at */
export function messagesIn(
  threads: readonly RecordedThread[],
  names: ThreadNames,
  bytesOf: BytesOf,
): RecordedMessages[] {
  const late = threads.filter(countLate);
  const complete = new Set([...completeThreads(threads), ...late]);
  const written = serializations(threads);
  const named = sumsBy(
    threads,
    (thread) => names.of(thread),
    () => 1,
  );
  const parts = threads.flatMap((thread) =>
    threadParts(thread, bytesOf).map((part): PostedPart => {
      const group = thread.groups.get(part.group)!;
      const ends = { ...endsOf(thread, group, names), ...written(thread, group) };
      const delivery = deliveryOf(threads, thread, ends.api, group.to);
      return { ...part, class: group.class, ends, delivery };
    }),
  );
  const families = groupedBy(parts, (part) => JSON.stringify([part.ends, part.class]));
  // One site and class in all threads.
  const messages = [...families.values()].flatMap((family) =>
    magnitudesOf(family).map((alike) => {
      const receivers = named.get(family[0]!.ends.to ?? '');
      return { ...messagesOf(alike, complete), ...(receivers !== undefined && { receivers }) };
    }),
  );
  return messages.sort((a, b) => b.count - a.count);
}

function endsOf(
  thread: RecordedThread,
  { site, api, to }: Pick<ThreadRecordOf<'group'>, 'site' | 'api' | 'to'>,
  names: ThreadNames,
) {
  const from = to === SELF ? 'window' : names.of(thread);
  return { site: names.site(site), api, from, to: names.receiver(thread, to) };
}

const UNCOUNTED = new Float64Array(THREAD_FIELDS);

/** Parts of the messages by their counters and groups. */
function threadParts(thread: RecordedThread, bytesOf: BytesOf) {
  const counters = thread.counters ?? UNCOUNTED;
  const looked = thread.messages.map((one) => ({ ...one, ...(bytesOf(one) ?? { bytes: null }) }));
  const byCounter = groupedBy(looked, ({ group }) =>
    Math.min(MAX_GROUPS - 1, thread.groups.get(group)!.counter),
  );
  return [...byCounter].flatMap(([counter, messages]) => {
    const counted = counters[groupStart(counter) + GROUP.count]!;
    // Fewer than were seen: a call was refused, or counters of a killed process are older than its records.
    const isOlder = !thread.ended && counted <= messages.at(-1)!.nth;
    const count = isOlder ? messages.at(-1)!.nth + 1 : counted;
    const extents = sumOf(messages, (one) => one.extent);
    const extent = isOlder ? extents : counters[groupStart(counter) + GROUP.extent]!;
    return (count === 0 ? [] : sharesOf(messages, count, extent)).map((part) => {
      const seen = messages.filter(({ group }) => group === part.group);
      const share = counted === 0 ? 0 : Math.min(1, part.count / counted);
      const alike = counter === MAX_GROUPS - 1 ? seen : messages;
      const { sizeClass = 0 } = thread.groups.get(part.group)!;
      return { thread, counters, counter, share, ...part, sizeClass, seen, alike };
    });
  });
}

/**
 * Threads that have the counters of their last message: they wrote them when they ended, or their parent did when it
 * ended, or the memory of the counters was the file.
 */
function completeThreads(threads: readonly RecordedThread[]): RecordedThread[] {
  const over = new Set(threads.filter(({ ended }) => ended).map(({ pid, thread }) => `${pid}-${thread}`));
  return threads.filter(({ pid, counters, ended }) => {
    if (counters === null || ended || counters[HEADER.shared] === MAPPED) return counters !== null;
    return counters[HEADER.shared] === 1 && over.has(`${pid}-${counters[HEADER.parentThread]}`);
  });
}

function messagesOf(parts: readonly PostedPart[], complete: ReadonlySet<RecordedThread>): RecordedMessages {
  const seen = parts.flatMap((part) => part.seen);
  const typical = typicalMessage(parts);
  const sample = typical?.tree ?? null;
  const { ends } = parts[0]!;
  return {
    ...ends,
    count: sumOf(parts, ({ count }) => count),
    threads: new Set(parts.map(({ thread }) => thread)).size,
    received: receivedOf(parts),
    estimated: parts.some((part) => part.estimated || !complete.has(part.thread)),
    bytes: groupBytes(parts),
    send: sendTimes(parts),
    queue: queueOf(parts),
    // An estimate says nothing of a tenth.
    typicalBytes: (typical?.error ?? 0) > MAX_ERROR ? null : (typical?.bytes ?? null),
    looked: seen.length,
    envelope: recognise(sample, ends.site.library, ends.api),
    transfer: transferOf(seen),
    sameObject: sameObjects(parts),
    ...changesIn(seen),
    times: timesOf(parts),
    sample,
  };
}

const receivedOf = (parts: readonly PostedPart[]): number | null =>
  parts.some(({ delivery }) => delivery.received === null)
    ? null
    : sumOf(parts, ({ delivery, count }) => Math.min(count, Math.round(count * delivery.received!)));

/** Messages that waited when these were posted: others to the same receiver may have waited longer. */
function queueOf(parts: readonly PostedPart[]): RecordedMessages['queue'] {
  const queue = { max: 0, last: 0 };
  for (const { counters, counter, delivery } of parts) {
    if (delivery.queue === null) return null;
    const max = Math.min(delivery.queue.max, counters[groupStart(counter) + GROUP.queueMax]!);
    queue.max = Math.max(queue.max, max);
    queue.last = Math.max(queue.last, Math.min(max, delivery.queue.last));
  }
  return queue;
}

/** Kinds that are reported. */
const MAX_THROWN = 100;

/** The most frequent first; `untold`: number of posts of further kinds. */
export function thrownPosts(
  threads: readonly RecordedThread[],
  messages: readonly RecordedMessages[],
  names: ThreadNames,
): { thrown: ThrownPosts[]; untold: number } {
  const all = threads.flatMap((thread) =>
    [...thread.thrown.values()].map(({ count, error, refused, stack, ...ends }) => ({
      ...{ ...endsOf(thread, ends, names), count, posts: 0, error, refused },
      stack: stack.map((one) => names.frame(one)),
    })),
  );
  const placeOf = (one: Pick<ThrownPosts, 'site' | 'api'>) => JSON.stringify([one.site, one.api]);
  const posts = sumsBy([...messages, ...all], placeOf, ({ count }) => count);
  const kinds = groupedBy(all, ({ count: _, stack: __, ...kind }) => JSON.stringify(kind));
  const thrown = [...kinds.values()].map((alike) => ({
    ...alike[0]!,
    count: sumOf(alike, ({ count }) => count),
    posts: posts.get(placeOf(alike[0]!))!,
  }));
  thrown.sort((a, b) => b.count - a.count);
  const untold = sumOf(thrown.splice(MAX_THROWN), ({ count }) => count);
  return { thrown, untold };
}

export function unreadMessages(threads: readonly RecordedThread[], names: ThreadNames): UnreadMessages[] {
  const unreadIn = ({ counters }: RecordedThread) => counters?.[HEADER.unread] ?? 0;
  const some = threads.filter((thread) => unreadIn(thread) > 0);
  const counts = sumsBy(some, (thread) => names.of(thread), unreadIn);
  return [...counts].map(([thread, count]) => ({
    thread: cutName(thread),
    count: Math.min(Math.floor(count), Number.MAX_SAFE_INTEGER),
  }));
}
