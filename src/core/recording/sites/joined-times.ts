/** When the messages of several sites were posted, as one. */
import type { RecordedMessages } from '../../../model/documents/recording.ts';

type PostTimes = RecordedMessages['times'];

/** In the longest steps of them: shorter ones are added to the step in which they begin. */
export function joinedTimes(all: readonly PostTimes[]): PostTimes {
  const posted = all.filter(({ stepMs, counts }) => stepMs > 0 && counts.length > 0);
  const stepMs = posted.reduce((longest, one) => Math.max(longest, one.stepMs), 0);
  const counts: number[] = [];
  for (const own of posted) {
    for (const [step, count] of own.counts.entries()) {
      const at = Math.floor(step * (own.stepMs / stepMs));
      while (counts.length <= at) counts.push(0);
      counts[at] = Math.min(Number.MAX_SAFE_INTEGER, counts[at]! + count);
    }
  }
  return { stepMs: stepMs || 1, counts };
}
