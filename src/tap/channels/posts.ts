/** The functions that post, in a table for each runtime. */
import { type CountedChannel, channelTo } from '../messages/channel.ts';
import { type Posted, recorder } from '../messages/recorder.ts';
import * as kept from '../realm/intrinsics.ts';
import { log } from '../records/thread-log.ts';
import { ports } from './ports.ts';
import { type Call, likeOriginal, replace } from './watch.ts';

/** null for messages of the runtime's own. @param patch frames above it are the program's */
type ChannelOf = (receiver: object, patch: unknown, message: unknown) => CountedChannel | null;

/** A function that posts its first argument. */
export interface Post {
  /** Nothing is watched if it is not there. */
  owner: object | undefined;
  /** `postMessage` if it is not given. */
  key?: 'send' | 'structuredClone';
  to: CountedChannel | ChannelOf;
  /** List, or options with one, in the arguments; the second of them if this is not given. */
  transferOf?(args: readonly unknown[]): unknown;
}

/**
 * Returns a function that records the posts. It is separate from the function for watching: keeping the differences
 * between posts apart would not make the engines' code faster.
 */
export function posting(original: Call, { to, transferOf }: Pick<Post, 'to' | 'transferOf'>): Call {
  const { patch } = {
    patch(this: unknown, ...args: unknown[]): unknown {
      let posted: Posted | null = null;
      try {
        if (!recorder.isWithin(args[0])) {
          const channel = typeof to === 'function' ? to(this as object, patch, args[0]) : to;
          const transfer = transferOf === undefined ? args[1] : transferOf(args);
          if (channel !== null) posted = recorder.begin(channel, args[0], transfer, patch);
        }
      } catch {
        log.failed();
      }
      let result: unknown;
      try {
        result = kept.apply(original, this, args);
      } catch (error) {
        if (posted !== null) recorder.threw(posted, error);
        throw error;
      }
      if (posted !== null) recorder.end(posted);
      return result;
    },
  };
  return likeOriginal(patch, original);
}

/** Watches the functions of a table. */
export function watchPosts(posts: readonly Post[]): void {
  for (const post of posts)
    replace(post.owner, post.key ?? 'postMessage', (original) => posting(original, post));
}

/** Posting functions that all runtimes have. */
export const usualPosts = (messagePort: object | undefined): Post[] => [
  { owner: globalThis, key: 'structuredClone', to: channelTo(null, 'structuredClone') },
  { owner: messagePort, to: (port, patch) => ports.channelOf(port, patch) },
];
