/** Deliveries of the messages of a thread: the share that arrived, and the length of the queue. */
import { isToProcess, type PostingApi } from '../../../model/recording/recording.ts';
import { GROUP, groupStart, MAX_GROUPS, WAYS, type Way } from './counters.ts';
import type { RecordedThread } from './recorded-thread.ts';
import { WORKER } from './thread-names.ts';

export interface Delivery {
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

/** Which end of a port is whose is not known; that all messages arrived is. */
function portsOf(threads: readonly RecordedThread[]): Map<number, Delivery> {
  const sums = new Map<number, { sent: number; received: number }>();
  for (const { pid, counters } of threads) {
    const sum = sums.get(pid) ?? { sent: 0, received: 0 };
    sum.sent += counters?.[WAYS.ports.sent] ?? 0;
    sum.received += counters?.[WAYS.ports.received] ?? 0;
    sums.set(pid, sum);
  }
  const isAll = ({ sent, received }: { sent: number; received: number }) => sent > 0 && sent === received;
  return new Map([...sums].map(([pid, sum]) => [pid, isAll(sum) ? ALL : UNKNOWN]));
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
  const own = [...from.groups.values()].filter(({ site }) => from.sites.get(site)?.api === api);
  const classes = [...new Set(own.map(({ counter }) => counter))];
  const isApart = classes.every((counter) => counter < MAX_GROUPS - 1);
  const count = (counter: number) => from.counters?.[groupStart(counter) + GROUP.count] ?? 0;
  const sent = classes.reduce((sum, counter) => sum + count(counter), 0);
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

type DeliveryOf = (from: RecordedThread, api: PostingApi, to: string | null) => Delivery;

/** @returns what is known of messages by api and receiver, as the thread's records name them */
export function deliveries(threads: readonly RecordedThread[]): DeliveryOf {
  const ports = portsOf(threads);
  return (from, api, to) => {
    if (UPWARDS.includes(api)) return ofThreads([from], 'up');
    if (api === 'Worker.postMessage') {
      const receivers = workersOf(threads, from, to);
      // A thread that counts for itself alone, and was terminated, may not have reported its last messages.
      const isUntold = receivers.some(
        ({ counters, ended }) => !ended && (counters?.[WAYS.down.max] ?? 0) < 0,
      );
      return isUntold ? UNKNOWN : ofThreads(receivers, 'down');
    }
    if (isToProcess(api)) return betweenProcesses(threads, from, api);
    if (api === 'MessagePort.postMessage') return ports.get(from.pid) ?? UNKNOWN;
    return api === 'workerData' && workersOf(threads, from, to).length > 0 ? ALL : UNKNOWN;
  };
}

/**
 * Messages of a page's worker that arrived, and that it could not tell before it was terminated (it counts for itself,
 * and its parent for itself): counted as others of the worker's largest class.
 *
 * @returns true if the counts of its posts are right: it has one class, or reported all
 */
export function countLate(thread: RecordedThread): boolean {
  const { counters, groups, sites } = thread;
  if (counters === null || thread.ended) return false;
  const missing = counters[WAYS.up.received]! - counters[WAYS.up.sent]!;
  const posts = [...groups.values()].filter(({ site }) => sites.get(site)?.api === 'self.postMessage');
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
