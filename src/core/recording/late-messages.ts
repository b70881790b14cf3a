/**
 * Messages of a page's worker that arrived, and that it could not tell before it was terminated: it counts for itself, and its
 * parent for itself.
 */
import { GROUP, groupStart, HEADER, MOST_GROUPS } from './counters.ts';
import type { RecordedThread } from './thread-records.ts';

/** They are counted as the others of the worker's largest class. Where it has one class, all is known. */
export function countLate(thread: RecordedThread): void {
  const { counters, groups, sites } = thread;
  if (counters === null || thread.ended) return;
  const missing = counters[HEADER.upReceived]! - counters[HEADER.upSent]!;
  const posts = [...groups.values()].filter(({ site }) => sites.get(site)?.api === 'self.postMessage');
  if (posts.length === 0 || missing < 0) return;
  const classes = [...new Set(posts.map(({ counter }) => Math.min(counter, MOST_GROUPS - 1)))];
  const countOf = (counter: number) => counters[groupStart(counter) + GROUP.count]!;
  const largest = classes.reduce((most, one) => (countOf(one) > countOf(most) ? one : most));
  const at = groupStart(largest);
  counters[at + GROUP.hintSum]! *= 1 + missing / Math.max(1, countOf(largest));
  counters[at + GROUP.count]! += missing;
  counters[HEADER.upSent]! += missing;
  thread.ended = posts.length === groups.size && (missing === 0 || classes.length === 1);
}
