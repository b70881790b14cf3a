/** Messages that a page, or a worker of it, posts and receives. */
import { HEADER } from '../../core/recording/threads/counters.ts';
import type { PostingApi } from '../../model/recording/recording.ts';
import type { CountedChannel } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { apply, getOwnPropertyDescriptor, Weak, weakGet, weakSet } from '../realm/intrinsics.ts';
import { listen } from '../realm/listen.ts';
import type { Flusher, WorkerLink } from './outbox.ts';
import { watchCalls } from './replace.ts';

export interface PageTap {
  recorder: Recorder;
  flusher: Flusher;
  counters: Float64Array;
}

/** A channel, and the counter of its messages in addition to its groups. */
interface PageChannel extends CountedChannel {
  counted: number | WorkerLink | null;
}

const channel = (api: PostingApi, to: string | null, counted: PageChannel['counted']): PageChannel => ({
  ...{ api, to, counted, queue: null, buckets: [] },
});

export type Posts = ReturnType<typeof postsTo>;

/** Messages are looked at after they were posted: a message that was posted does not contain a Proxy. */
export function postsTo({ recorder, flusher, counters }: PageTap) {
  const channels = new Weak<object, PageChannel>();
  const watch = (owner: object, name: string, of: (receiver: unknown) => PageChannel): void =>
    watchCalls(owner, name, {
      called(receiver, args, patch, from, to) {
        if (recorder.isLooking) return;
        try {
          const target = of(receiver);
          recorder.tell(target, args[0], args[1], patch, { from, to });
          const { counted } = target;
          if (typeof counted === 'number') counters[counted]!++;
          else if (counted !== null) counted.sent++;
          flusher.due();
        } catch {
          recorder.log.failed();
        }
      },
      threw(receiver, [value, transfer], patch, error) {
        if (recorder.isLooking) return;
        try {
          const channel = of(receiver);
          recorder.threw({ channel, alike: channel, value, transfer, error, patch });
          flusher.due();
        } catch {
          recorder.log.failed();
        }
      },
    });
  return {
    know(target: object, api: PostingApi, to: string | null, counted: PageChannel['counted']): void {
      weakSet(channels, target, channel(api, to, counted));
    },
    /** A method whose objects lead to different receivers. */
    ofObjects(prototype: object | undefined, api: PostingApi, counted: number | null): void {
      if (prototype === undefined) return;
      watch(prototype, 'postMessage', (target) => {
        const known = weakGet(channels, target as object);
        if (known !== undefined) return known;
        const fresh = channel(api, null, counted);
        weakSet(channels, target as object, fresh);
        return fresh;
      });
    },
    /** A function of the global object. */
    ofGlobal(name: string, api: PostingApi, to: string | null, counted: number | null): void {
      const one = channel(api, to, counted);
      watch(globalThis, name, () => one);
    },
  };
}

const originOf = getOwnPropertyDescriptor(MessageEvent.prototype, 'origin')?.get;

const FOREIGN = 'Messages from a document of another origin: they are seen when they arrive, not recorded.';

/**
 * Arrivals are counted by listeners of the recorder. None is added if it would change when an object is collected
 * (BroadcastChannel), or when its messages begin to arrive (a port before it is started).
 */
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
