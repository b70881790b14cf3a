/**
 * What arrives, counted by listeners of ours. None is added where it would change when an object is collected (BroadcastChannel)
 * or when its messages begin to arrive (a port before it is started).
 */
import { HEADER } from '../../core/recording/threads/counters.ts';
import { apply, getOwnPropertyDescriptor, Weak, weakGet, weakSet } from '../realm/intrinsics.ts';
import { listen } from '../realm/listen.ts';
import type { WorkerLink } from './outbox.ts';
import type { PageTap } from './posts.ts';
import { watchCalls } from './replace.ts';

const originOf = getOwnPropertyDescriptor(MessageEvent.prototype, 'origin')?.get;

const FOREIGN = 'Messages from a document of another origin: they are seen when they arrive, not recorded.';

function countAt({ flusher, counters }: PageTap, target: unknown, count: (event: object) => void): void {
  listen(target, 'message', (event) => {
    count(event);
    flusher.due();
  });
  listen(target, 'messageerror', (event) => {
    count(event);
    counters[HEADER.unread]!++;
    flusher.due();
  });
}

export const countFromWorker = (tap: PageTap, worker: object, link: WorkerLink): void =>
  countAt(tap, worker, () => void link.received++);

/** Messages from the thread that started this one. */
export const countFromParent = (tap: PageTap): void =>
  countAt(tap, globalThis, () => void tap.counters[HEADER.downReceived]!++);

/** Messages from documents of the same origin: those of others are posted where the recorder cannot see it. */
export const countFromDocuments = (tap: PageTap, origin: string): void =>
  countAt(tap, globalThis, (event) => {
    if (originOf && apply(originOf, event, []) === origin) tap.counters[HEADER.upReceived]!++;
    else tap.recorder.log.gapOnce(FOREIGN);
  });

export function countAtPorts(tap: PageTap, prototype: object): void {
  const ports = new Weak<object, true>();
  const before = (port: unknown) => {
    try {
      if (weakGet(ports, port as object)) return;
      weakSet(ports, port as object, true);
      countAt(tap, port, () => void tap.counters[HEADER.portsReceived]!++);
    } catch {
      // No port: the call throws.
    }
  };
  watchCalls(prototype, 'onmessage', { before }, 'set');
  watchCalls(prototype, 'start', { before });
}
