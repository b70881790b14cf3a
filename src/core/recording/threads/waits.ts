/** How long messages waited for their receiver, and what is known of what its thread did meanwhile. */
import type { Listener } from '../../../model/documents/recorded/call-site.ts';
import type { RecordedMessages } from '../../../model/documents/recorded/recording.ts';
import type { PostingApi } from '../../../model/recording/recording.ts';
import { GROUP, HEADER, WAIT_STEPS, waitStep } from './counters.ts';
import { workersOf } from './deliveries.ts';
import type { RecordedThread } from './recorded-thread.ts';
import { type CounterShare, field, medianOf, summed } from './send-times.ts';
import { type ThreadNames, WORKER } from './thread-names.ts';
import { collect } from './way.ts';

/** Adds the last message that was followed in each direction: its sender posted none after it that would have done so. */
export function collectLast(threads: readonly RecordedThread[]): void {
  for (const { pid, counters } of threads) {
    if (counters === null) continue;
    const parent = threads.find((one) => one.pid === pid && one.thread === counters[HEADER.parentThread]);
    collect(counters, HEADER.upWay, counters);
    if (parent?.counters) collect(counters, HEADER.downWay, parent.counters);
  }
}

/** What receives on this way, in all threads that do: null where it is not known, or where it is not the same in all. */
export function listenerOf(
  threads: readonly RecordedThread[],
  from: RecordedThread,
  api: PostingApi,
  to: string | null,
  names: ThreadNames,
): Listener | null {
  const isUp = api === 'parentPort.postMessage';
  const parent = from.started?.parent?.thread;
  const receivers = isUp
    ? threads.filter(({ pid, thread }) => pid === from.pid && thread === parent)
    : workersOf(threads, from, to);
  const of = isUp ? WORKER + (from.started?.file ?? '') : 'parent';
  const known = receivers.flatMap(({ listeners }) => listeners.filter((one) => one.of === of));
  const told = new Set(known.map(({ name, site }) => JSON.stringify({ name, site: names.site(site) })));
  return told.size === 1 ? (JSON.parse([...told][0]!) as Listener) : null;
}

/** Nothing where none was followed. */
export function waitOf(
  parts: readonly CounterShare[],
  listeners: readonly (Listener | null)[],
): Pick<RecordedMessages, 'wait'> {
  const followed = Math.round(summed(parts, GROUP.followed));
  if (followed === 0) return {};
  const max = parts.reduce((most, part) => Math.max(most, field(part, GROUP.waitMaxNs)), 0);
  const steps = Array.from({ length: WAIT_STEPS }, (_, i) => summed(parts, GROUP.waits + i));
  const whole = (at: number) => Math.round(summed(parts, at));
  const isOne = new Set(listeners.map((one) => JSON.stringify(one))).size === 1;
  return {
    wait: {
      followed,
      median: Math.round(Math.min(max, medianOf(steps, waitStep))),
      max: Math.round(max),
      total: whole(GROUP.waitSumNs),
      unready: whole(GROUP.unreadyNs),
      receiving: whole(GROUP.receivingNs),
      listener: isOne ? listeners[0]! : null,
    },
  };
}
