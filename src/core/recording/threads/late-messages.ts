/**
 * Messages of a page's worker that arrived, and that it could not tell before it was terminated: it counts for itself, and its
 * parent for itself.
 */
import { GROUP, groupStart, HEADER, MAX_GROUPS } from './counters.ts';
import type { RecordedThread } from './recorded-thread.ts';

/**
 * Counts them as others of the worker's largest class.
 *
 * @returns whether the counts of what it posted are right: it has one class, or told all
 */
export function countLate(thread: RecordedThread): boolean {
  const { counters, groups, sites } = thread;
  if (counters === null || thread.ended) return false;
  const missing = counters[HEADER.upReceived]! - counters[HEADER.upSent]!;
  const posts = [...groups.values()].filter(({ site }) => sites.get(site)?.api === 'self.postMessage');
  if (posts.length === 0 || missing < 0) return false;
  const classes = [...new Set(posts.map(({ counter }) => Math.min(counter, MAX_GROUPS - 1)))];
  const countOf = (counter: number) => counters[groupStart(counter) + GROUP.count]!;
  const largest = classes.reduce((most, one) => (countOf(one) > countOf(most) ? one : most));
  const at = groupStart(largest);
  counters[at + GROUP.hintSum]! *= 1 + missing / Math.max(1, countOf(largest));
  counters[at + GROUP.count]! += missing;
  counters[HEADER.upSent]! += missing;
  return posts.length === groups.size && (missing === 0 || classes.length === 1);
}
