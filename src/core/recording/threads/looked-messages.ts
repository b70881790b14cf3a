/** What the messages of a group that were looked at say of all of them. */
import type { TransferLint } from '../../../model/documents/recording.ts';
import type { MessageSeen } from '../../../model/documents/thread-file.ts';
import type { SizedMessage } from './bytes-regression.ts';

/** Messages that are hardly larger have the size of those that were serialized better than an estimate by shape. */
const HARDLY_LARGER = 1.1;

/** What was serialized tells the size of messages up to its own; estimates by shape are for larger ones. */
export function sizesOf(seen: readonly MessageSeen[]): SizedMessage[] {
  const known = seen.filter(({ bytes, error }) => bytes !== null && error === undefined);
  const largest = known.reduce((most, { hint }) => Math.max(most, hint), Number.NEGATIVE_INFINITY);
  return seen.flatMap(({ hint, bytes, error }) => {
    if (bytes === null || (error !== undefined && hint <= HARDLY_LARGER * largest)) return [];
    return [{ hint, bytes, ...(error !== undefined && { error }) }];
  });
}

/** The described message whose hint is nearest to the mean. */
export function typicalOf(seen: readonly MessageSeen[], mean: number): MessageSeen | null {
  const distance = ({ hint }: MessageSeen) => Math.abs(hint - mean);
  return seen
    .filter(({ shape }) => shape !== undefined)
    .reduce<MessageSeen | null>(
      (best, one) => (best === null || distance(one) < distance(best) ? one : best),
      null,
    );
}

const NO_TRANSFER: TransferLint = {
  ...{ listed: 0, possible: 0, possibleBytes: 0, useless: 0, hiddenBytes: 0, pooled: 0 },
};

export function transferOf(seen: readonly MessageSeen[]): TransferLint {
  const sum = { ...NO_TRANSFER };
  for (const { transfer } of seen)
    for (const key of Object.keys(sum) as (keyof TransferLint)[]) sum[key] += transfer?.[key] ?? 0;
  return sum;
}

/** Messages with the content of the one before, of those that were sized. */
export function sameContents(seen: readonly MessageSeen[]): number {
  const contents = seen.flatMap(({ content }) => (content === undefined ? [] : [content]));
  return contents.filter((content, i) => i > 0 && content === contents[i - 1]).length;
}
