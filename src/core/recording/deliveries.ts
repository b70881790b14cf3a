/** What became of the messages of a thread: how many arrived, and how long the queue was. */
import { HEADER } from './counters.ts';
import type { ThreadNames } from './thread-names.ts';
import type { RecordedThread } from './thread-records.ts';

export interface Delivery {
  /** Share of the messages that was received; null where it is not known. */
  received: number | null;
  queue: { max: number; last: number } | null;
}

const UNKNOWN: Delivery = { received: null, queue: null };

type Fields = Record<'sent' | 'received' | 'max', number>;
const DOWN: Fields = { sent: HEADER.downSent, received: HEADER.downReceived, max: HEADER.downQueueMax };
const UP: Fields = { sent: HEADER.upSent, received: HEADER.upReceived, max: HEADER.upQueueMax };

function ofThread(thread: RecordedThread | undefined, fields: Fields): Delivery {
  const counters = thread?.counters;
  const sent = counters?.[fields.sent] ?? 0;
  if (!counters || sent === 0) return UNKNOWN;
  const received = Math.min(sent, counters[fields.received]!);
  return { received: received / sent, queue: { max: counters[fields.max]!, last: sent - received } };
}

/** Which end of a port is whose is not known; that all messages arrived is. */
function portsOf(threads: readonly RecordedThread[]): Map<number, Delivery> {
  const sums = new Map<number, { sent: number; received: number }>();
  for (const { pid, counters } of threads) {
    const { sent, received } = sums.get(pid) ?? { sent: 0, received: 0 };
    sums.set(pid, {
      sent: sent + (counters?.[HEADER.portsSent] ?? 0),
      received: received + (counters?.[HEADER.portsReceived] ?? 0),
    });
  }
  return new Map(
    [...sums].map(([pid, { sent, received }]) => [
      pid,
      sent > 0 && sent === received ? { received: 1, queue: null } : UNKNOWN,
    ]),
  );
}

/** @returns what is known of messages by api and receiver, as the thread's records name them */
export function deliveries(
  threads: readonly RecordedThread[],
  names: ThreadNames,
): (from: RecordedThread, api: string, to: string | null) => Delivery {
  const ports = portsOf(threads);
  const target = (from: RecordedThread, to: string | null) => {
    const [, number] = /^thread (\d+)$/.exec(to ?? '') ?? [];
    return number === undefined ? undefined : names.find(from.pid, Number(number));
  };
  return (from, api, to) => {
    if (api === 'parentPort.postMessage') return ofThread(from, UP);
    if (api === 'Worker.postMessage') return ofThread(target(from, to), DOWN);
    if (api === 'MessagePort.postMessage') return ports.get(from.pid) ?? UNKNOWN;
    if (api === 'workerData' && target(from, to)?.started) return { received: 1, queue: null };
    return UNKNOWN;
  };
}
