/** The tables of what posts. */
import type { CountedChannel } from '../messages/channel.ts';
import type { Posted, Recorder } from '../messages/recorder.ts';
import type { Around, Watch } from './watch.ts';

/** null for messages of the runtime's own. @param patch frames above it are the program's */
export type ChannelOf = (receiver: object, patch: unknown, message: unknown) => CountedChannel | null;

/** A function that posts its first argument. */
export interface Post {
  /** Nothing is watched if it is not there. */
  owner: object | undefined;
  key: 'postMessage' | 'send' | 'structuredClone';
  to: CountedChannel | ChannelOf;
  /** List, or options with one, in the arguments; the second of them if this is not given. */
  transferOf?(args: readonly unknown[]): unknown;
}

export const posting = (
  recorder: Recorder,
  { to, transferOf }: Pick<Post, 'to' | 'transferOf'>,
): Around<Posted> => ({
  before(receiver, args, patch) {
    if (recorder.isWithin(args[0])) return undefined;

    const channel = typeof to === 'function' ? to(receiver as object, patch, args[0]) : to;
    return channel === null
      ? undefined
      : recorder.begin(channel, args[0], transferOf === undefined ? args[1] : transferOf(args), patch);
  },
  after: (posted) => recorder.end(posted),
  threw: (posted, error) => recorder.threw(posted, error),
});

/** Those of the tables. */
export function watchPosts(
  { watch, recorder }: { watch: Watch; recorder: Recorder },
  posts: readonly Post[],
): void {
  for (const post of posts) watch(post.owner, post.key, posting(recorder, post));
}
