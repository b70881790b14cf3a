/** Posts that threw, and messages that could not be read, of all threads. */
import type {
  RecordedMessages,
  ThrownPosts,
  UnreadMessages,
} from '../../../model/documents/recorded/recording.ts';
import { HEADER } from './counters.ts';
import type { RecordedThread } from './recorded-thread.ts';
import { SELF, type ThreadNames } from './thread-names.ts';

/** Kinds that are reported. */
const MAX_THROWN = 100;

/** The most frequent first; `untold`: number of posts of further kinds. */
export function thrownPosts(
  threads: readonly RecordedThread[],
  messages: readonly RecordedMessages[],
  names: ThreadNames,
): { thrown: ThrownPosts[]; untold: number } {
  const all = new Map<string, ThrownPosts>();
  for (const thread of threads)
    for (const { site: id, to, error, refused, stack, count } of thread.thrown.values()) {
      const { api, site } = thread.sites.get(id)!;
      const from = to === SELF ? 'window' : names.of(thread);
      const ends = { site: names.site(site), api, from, to: names.receiver(thread, to) };
      const key = JSON.stringify([ends, error, refused]);
      const known = all.get(key);
      if (known !== undefined) known.count += count;
      else
        all.set(key, {
          ...ends,
          count,
          posts: 0,
          error,
          refused,
          stack: stack.map((one) => names.frame(one)),
        });
    }
  const placeOf = (one: Pick<ThrownPosts, 'site' | 'api'>) => JSON.stringify([one.site, one.api]);
  const posts = new Map<string, number>();
  for (const one of [...messages, ...all.values()])
    posts.set(placeOf(one), (posts.get(placeOf(one)) ?? 0) + one.count);
  const thrown = [...all.values()].map((one) => ({ ...one, posts: posts.get(placeOf(one))! }));
  thrown.sort((a, b) => b.count - a.count);
  const untold = thrown.splice(MAX_THROWN).reduce((sum, one) => sum + one.count, 0);
  return { thrown, untold };
}

export function unreadMessages(threads: readonly RecordedThread[], names: ThreadNames): UnreadMessages[] {
  const counts = new Map<string, number>();
  for (const thread of threads) {
    const count = thread.counters?.[HEADER.unread] ?? 0;
    const name = names.of(thread);
    if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].map(([thread, count]) => ({ thread, count }));
}
