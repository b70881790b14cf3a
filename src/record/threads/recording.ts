/** Makes a recording of the files of threads: by site, class and order of magnitude, with the facts of the run. */
import { cutName, cutText } from '../../model/cut.ts';
import type * as documents from '../../model/documents/recorded/recording.ts';
import type { ThreadRecordOf } from '../../model/documents/recorded/recording.ts';
import { ENGINE_OF, RECORDING_SCHEMA } from '../../model/names.ts';
import { isToProcess, MAX_GROUPS as MOST_GROUPS, type PostingApi } from '../../model/recording/recording.ts';
import { groupedBy, sumOf, sumsBy } from '../../model/sums.ts';
import { recognise } from '../envelopes/envelopes.ts';
import { GROUP, groupStart, HEADER, MAX_GROUPS, THREAD_FIELDS, WAYS, type Way } from './counters.ts';
import * as facts from './group-facts.ts';
import type { MapFrame, RecordedThread, ThreadNames, Threads } from './recorded-thread.ts';
import * as recorded from './recorded-thread.ts';
import type { BytesOf } from './sample-bytes.ts';

export interface RecordedRun
  extends Pick<documents.RecordingHeader, 'command' | 'elapsedMs' | 'exit' | 'values'> {
  version: string;
  /** Why nothing of the program can be recorded, if that is known before the start. */
  unreachable: string | null;
  hasLeft: boolean;
  isFull: boolean;
  gaps: readonly documents.Gap[];
}

const MAX_GAPS = 100;

const NOTHING =
  'No process of the program loaded the recorder: it runs no JavaScript, or was started with another environment.';
const FULL = 'No space was left in the temp folder: messages or their descriptions are missing.';
const KILLED =
  'The program was killed: what it posted since its counts were last written is missing, a tenth of a second or one turn.';
const LEFT =
  'Processes that the program had started are still running: what they post from now on is not recorded.';

interface Reading {
  /** Folder of the command, or address of the page: files are given relative to it. */
  root: string;
  bytesOf: BytesOf;
  mapFrame: MapFrame;
  isWhole(messages: documents.RecordedMessages): boolean;
}

export function recordingOf(threads: Threads, run: RecordedRun, reading: Reading): documents.Recording {
  const { root, bytesOf, mapFrame, isWhole } = reading;
  const names = recorded.threadNames(threads, root, mapFrame);
  const all = messagesIn(threads, names, bytesOf);
  const { thrown, untold } = thrownPosts(threads, all, names);
  const unread = unreadMessages(threads, names);
  const whole = all.filter(isWhole);
  const messages = whole.slice(0, MOST_GROUPS);
  const gaps = new recorded.Gaps();
  if (threads.length === 0) gaps.miss(run.unreachable ?? NOTHING);
  if (run.isFull) gaps.miss(FULL);
  if (run.hasLeft) gaps.miss(LEFT);
  if (run.exit?.signal === 'SIGKILL') gaps.miss(KILLED);
  for (const { what, count } of run.gaps) gaps.miss(what, count);
  gaps.miss('Messages whose record could not be read.', all.length - whole.length);
  gaps.miss('A group of messages beyond the most that a recording holds.', whole.length - messages.length);
  recorded.missedBy(threads, gaps);
  gaps.miss('a post that threw, beyond the kinds that are kept', untold);
  const [first] = threads.flatMap(({ started }) => started ?? []).sort((a, b) => a.at - b.at);
  const { name = null, version = '' } = first?.runtime ?? {};
  const { command, elapsedMs, exit, values } = run;
  const header: documents.RecordingHeader = {
    schema: RECORDING_SCHEMA,
    tool: { version: run.version },
    runtime: name && { name, version: cutName(version), engine: ENGINE_OF[name] },
    processes: new Set(threads.map(({ pid }) => pid)).size,
    threads: threads.length,
    overheadMs: within(sumOf(threads, ({ counters }) => counters?.[HEADER.overheadMs] ?? 0)),
    gaps: gaps.list
      .slice(0, MAX_GAPS)
      .map(({ what, count }) => ({ what: cutText(what), count: within(count) })),
    ...{ command, elapsedMs, exit, values },
    ...(thrown.length > 0 && { thrown }),
    ...(unread.length > 0 && { unread }),
  };
  return { header, messages };
}

const within = (value: number) => Math.min(Math.max(0, value), Number.MAX_SAFE_INTEGER);

export function filesOfFrames(threads: Threads): string[] {
  const thrown = threads.flatMap((thread) => [...thread.thrown.values()]);
  const sites = [...threads.flatMap(({ groups }) => [...groups.values()]), ...thrown].map(({ site }) => site);
  const frames = sites.flatMap(({ user, library }) => [user, library?.frame ?? null]);
  return [...frames, ...thrown.flatMap(({ stack }) => stack)].flatMap((frame) => frame?.file ?? []);
}

/** Threads of the program may write anything, and name their errors freely: a name that is not an identifier may be any text. */
const ERROR_NAME = /^[A-Za-z_$][\w$]*$/;

type Ends = Pick<ThreadRecordOf<'group'>, 'site' | 'api' | 'to'>;

interface Delivery {
  /** Share of the messages that was received; null if it is not known. */
  received: number | null;
  queue: documents.RecordedMessages['queue'];
}

const UNKNOWN: Delivery = { received: null, queue: null };
const ALL: Delivery = { received: 1, queue: null };

/** Their receiver counts them too, separately from the thread. */
const UPWARDS: readonly PostingApi[] = ['parentPort.postMessage', 'self.postMessage', 'window.postMessage'];

function ofThreads(threads: Threads, way: Way): Delivery {
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

const workersOf = (threads: Threads, from: RecordedThread, to: string | null) =>
  threads.filter(({ pid, started }) => {
    const isChild = pid === from.pid && started?.parent?.thread === from.thread;
    return isChild && to === `${recorded.WORKER}${started.file ?? ''}`;
  });

/** Known if all arrived. If there are several classes, it is not known which of them did not. */
function betweenProcesses(threads: Threads, from: RecordedThread, api: PostingApi): Delivery {
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
const arrivedAbove = (threads: Threads, { pid }: RecordedThread): number | null =>
  threads.find(({ ended, arrived }) => ended && arrived.has(pid))?.arrived.get(pid) ?? null;

/** In all children that have a channel: the children of one command share their classes. */
function arrivedBelow(threads: Threads, { children }: RecordedThread): number | null {
  let sum = 0;
  for (const { pid } of children.filter(({ serialization }) => serialization !== undefined)) {
    const child = threads.find((one) => one.pid === pid && one.thread === 0 && one.ended);
    const arrived = child?.arrived.get(0);
    if (arrived === undefined) return null;
    sum += arrived;
  }
  return sum;
}

function deliveryOf(threads: Threads, from: RecordedThread, { api, to }: Ends): Delivery {
  if (UPWARDS.includes(api)) return ofThreads([from], 'up');
  if (api === 'Worker.postMessage') {
    const receivers = workersOf(threads, from, to);
    // A thread that counts for itself alone, and was terminated, may not have reported its last messages.
    const isUntold = receivers.some(({ counters, ended }) => !ended && (counters?.[WAYS.down.max] ?? 0) < 0);
    return isUntold ? UNKNOWN : ofThreads(receivers, 'down');
  }
  if (isToProcess(api)) return betweenProcesses(threads, from, api);
  return api === 'workerData' && workersOf(threads, from, to).length > 0 ? ALL : UNKNOWN;
}

/** Half width of the interval of a size that others are compared with, as a share. */
const MAX_ERROR = 0.05;

type PostedPart = ReturnType<typeof threadParts>[number] & {
  class: string;
  ends: Pick<documents.RecordedMessages, 'site' | 'api' | 'from' | 'to' | 'serialization'>;
  delivery: Delivery;
};

function messagesIn(threads: Threads, names: ThreadNames, bytesOf: BytesOf): documents.RecordedMessages[] {
  const complete = recorded.completeThreads(threads);
  const written = recorded.serializations(threads);
  const named = groupedBy(threads, (thread) => names.of(thread));
  const parts = threads.flatMap((thread) =>
    threadParts(thread, bytesOf).map((part): PostedPart => {
      const group = thread.groups.get(part.group)!;
      const ends = { ...endsOf(thread, group, names), ...written(thread, group) };
      const delivery = deliveryOf(threads, thread, group);
      return { ...part, class: group.class, ends, delivery };
    }),
  );
  const families = groupedBy(parts, (part) => JSON.stringify([part.ends, part.class]));
  const messages = [...families.values()].flatMap((family) =>
    facts.magnitudesOf(family).map((alike) => {
      const receivers = named.get(family[0]!.ends.to ?? '')?.length;
      return { ...messagesOf(alike, complete), ...(receivers !== undefined && { receivers }) };
    }),
  );
  return messages.sort((a, b) => b.count - a.count);
}

function endsOf(thread: RecordedThread, { site, api, to }: Ends, names: ThreadNames) {
  const from = to === recorded.SELF ? 'window' : names.of(thread);
  return { site: names.site(site), api, from, to: names.receiver(thread, to) };
}

const UNCOUNTED = new Float64Array(THREAD_FIELDS);

function threadParts(thread: RecordedThread, bytesOf: BytesOf) {
  const counters = thread.counters ?? UNCOUNTED;
  const messages = thread.messages.map((one) => ({ ...one, ...(bytesOf(one) ?? { bytes: null }) }));
  const counterOf = (group: number) => Math.min(MAX_GROUPS - 1, thread.groups.get(group)!.counter);
  const byCounter = groupedBy(messages, ({ group }) => counterOf(group));
  return [...byCounter].flatMap(([counter, own]) => {
    const counted = counters[groupStart(counter) + GROUP.count]!;
    // Fewer than were seen: a call was refused, or counters of a killed process are older than its records.
    const { nth } = own.at(-1)!;
    const isOlder = !thread.ended && counted <= nth;
    const count = isOlder ? nth + 1 : counted;
    const extents = sumOf(own, (one) => one.extent);
    const extent = isOlder ? extents : counters[groupStart(counter) + GROUP.extent]!;
    return (count === 0 ? [] : facts.sharesOf(own, count, extent)).map((part) => {
      const seen = own.filter(({ group }) => group === part.group);
      const share = counted === 0 ? 0 : Math.min(1, part.count / counted);
      const alike = counter === MAX_GROUPS - 1 ? seen : own;
      const { sizeClass = 0 } = thread.groups.get(part.group)!;
      return { thread, counters, counter, share, ...part, sizeClass, seen, alike };
    });
  });
}

function messagesOf(parts: readonly PostedPart[], complete: ReadonlySet<RecordedThread>) {
  const seen = parts.flatMap((part) => part.seen);
  const typical = facts.typicalMessage(parts);
  const sample = typical?.tree ?? null;
  const { ends } = parts[0]!;
  return {
    ...ends,
    count: sumOf(parts, ({ count }) => count),
    threads: new Set(parts.map(({ thread }) => thread)).size,
    received: parts.some(({ delivery }) => delivery.received === null)
      ? null
      : sumOf(parts, ({ delivery, count }) => Math.min(count, Math.round(count * delivery.received!))),
    estimated: parts.some((part) => part.estimated || !complete.has(part.thread)),
    bytes: facts.groupBytes(parts),
    send: facts.sendTimes(parts),
    queue: queueOf(parts),
    // An estimate says nothing of a tenth.
    typicalBytes: (typical?.error ?? 0) > MAX_ERROR ? null : (typical?.bytes ?? null),
    looked: seen.length,
    envelope: recognise(sample, ends.site.library, ends.api),
    transfer: facts.transferOf(seen),
    sameObject: facts.sameObjects(parts),
    ...facts.changesIn(seen),
    times: facts.timesOf(parts),
    sample,
  };
}

/** Messages that waited when these were posted: others to the same receiver may have waited longer. */
function queueOf(parts: readonly PostedPart[]): documents.RecordedMessages['queue'] {
  const queue = { max: 0, last: 0 };
  for (const { counters, counter, delivery } of parts) {
    if (delivery.queue === null) return null;
    const max = Math.min(delivery.queue.max, counters[groupStart(counter) + GROUP.queueMax]!);
    queue.max = Math.max(queue.max, max);
    queue.last = Math.max(queue.last, Math.min(max, delivery.queue.last));
  }
  return queue;
}

const MAX_THROWN = 100;

function thrownPosts(threads: Threads, messages: readonly documents.RecordedMessages[], names: ThreadNames) {
  const all = threads.flatMap((thread) =>
    [...thread.thrown.values()].map(({ count, error, refused, stack, ...ends }) => ({
      ...{ ...endsOf(thread, ends, names), count, posts: 0, error, refused },
      stack: stack.map((one) => names.frame(one)),
    })),
  );
  const placeOf = ({ site, api }: Pick<documents.RecordedMessages, 'site' | 'api'>) =>
    JSON.stringify([site, api]);
  const posts = sumsBy([...messages, ...all], placeOf, ({ count }) => count);
  const kinds = groupedBy(all, ({ count: _, stack: __, ...kind }) => JSON.stringify(kind));
  const thrown = [...kinds.values()].map((alike) => {
    const one = alike[0]!;
    const { error, refused } = one;
    return {
      ...{ ...one, count: sumOf(alike, ({ count }) => count), posts: posts.get(placeOf(one))! },
      error: ERROR_NAME.test(error) ? cutName(error) : 'Error',
      refused: refused && { path: cutText(refused.path), what: cutText(refused.what) },
    };
  });
  thrown.sort((a, b) => b.count - a.count);
  const untold = sumOf(thrown.splice(MAX_THROWN), ({ count }) => count);
  return { thrown, untold };
}

function unreadMessages(threads: Threads, names: ThreadNames) {
  const unreadIn = ({ counters }: RecordedThread) => counters?.[HEADER.unread] ?? 0;
  const some = threads.filter((thread) => unreadIn(thread) > 0);
  const counts = sumsBy(some, (thread) => names.of(thread), unreadIn);
  return [...counts].map(([thread, count]) => ({
    thread: cutName(thread),
    count: within(Math.floor(count)),
  }));
}
