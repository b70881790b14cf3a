/** The functions that post, in a table for each runtime. */
import { type CountedChannel, channelTo } from '../messages/channel.ts';
import { type Posted, recorder } from '../messages/recorder.ts';
import { ports } from './ports.ts';
import { type Around, watch } from './watch.ts';

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

/** Records what a function posts. */
const posting = ({ to, transferOf }: Pick<Post, 'to' | 'transferOf'>): Around<Posted> => ({
  before(receiver, args, patch) {
    if (recorder.isWithin(args[0])) return undefined;
    const channel = typeof to === 'function' ? to(receiver as object, patch, args[0]) : to;
    const transfer = transferOf === undefined ? args[1] : transferOf(args);
    return channel === null ? undefined : recorder.begin(channel, args[0], transfer, patch);
  },
  after: (posted) => recorder.end(posted),
  threw: (posted, error) => recorder.threw(posted, error),
});

/** Watches the functions of a table. */
export function watchPosts(posts: readonly Post[]): void {
  for (const post of posts) watch(post.owner, post.key ?? 'postMessage', posting(post));
}

/** Posting functions that all runtimes have. */
export const usualPosts = (messagePort: object | undefined): Post[] => [
  { owner: globalThis, key: 'structuredClone', to: channelTo(null, 'structuredClone') },
  { owner: messagePort, to: (port, patch) => ports.channelOf(port, patch) },
];
