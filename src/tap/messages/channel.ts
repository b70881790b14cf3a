import type { PostingApi } from '../../model/recording/recording.ts';
import type { Bucket } from '../records/bucket.ts';

/** What messages are posted to. */
export interface CountedChannel {
  api: PostingApi;
  to: string | null;
  /** Counters of what is sent and received, and the longest queue, where both ends are known. */
  queue: { fields: Float64Array; sent: number; received: number; max: number } | null;
  buckets: Bucket[];
}
