/** What a page, or a worker of it, posts. Messages are looked at when they were posted: what was posted holds no Proxy. */
import type { PostingApi } from '../../model/recording/recording.ts';
import type { CountedChannel } from '../messages/channel.ts';
import type { Recorder } from '../messages/recorder.ts';
import { Weak, weakGet, weakSet } from '../realm/intrinsics.ts';
import type { Flusher } from './flusher.ts';
import type { WorkerLink } from './outbox.ts';
import { watchCalls } from './replace.ts';

export interface PageTap {
  recorder: Recorder;
  flusher: Flusher;
  counters: Float64Array;
}

/** A channel, and where its messages are counted beside its groups. */
interface PageChannel extends CountedChannel {
  counted: number | WorkerLink | null;
}

const channel = (api: PostingApi, to: string | null, counted: PageChannel['counted']): PageChannel => ({
  ...{ api, to, counted, queue: null, buckets: [] },
});

export type Posts = ReturnType<typeof postsTo>;

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
