import type { Serialization } from '../../../model/names.ts';
import type { PostingApi } from '../../../model/recording/recording.ts';
import { WAYS, type Way } from '../../threads/counters.ts';
import * as kept from '../realm/intrinsics.ts';
import type { Listed } from '../realm/platform.ts';
import type { Bucket } from '../records/bucket.ts';

/** Counters of what is sent and received, and of the longest queue: null if what is received is counted elsewhere. */
export interface Queue {
  fields: Float64Array;
  sent: number;
  received: number;
  max: number | null;
}

/** Receiver of messages, and the function that posts them. */
export interface CountedChannel {
  api: PostingApi;
  to: string | null;
  /** null if no end is known. */
  queue: Queue | null;
  buckets: Bucket[];
  /** Format of messages between processes; null if this end does not know it. */
  serialization?: Serialization | null;
}

const shared = kept.create(null) as Record<string, Bucket[]>;

/** Classes of messages that several channels share. @param of name that the channels have in common */
export function bucketsOf(of: string): Bucket[] {
  shared[of] ??= [];
  return shared[of];
}

export interface Message {
  channel: CountedChannel;
  value: unknown;
  listed: readonly Listed[];
  /** Frames above this function are the program's. */
  patch: unknown;
}

export const channelTo = (
  to: string | null,
  api: PostingApi,
  queue: Queue | null = null,
  buckets: Bucket[] = [],
): CountedChannel => ({ api, to, queue, buckets });

/** Queue from a thread to its worker, of the way back, or of ports whose other end is not known. */
export const queueIn = (fields: Float64Array, way: Way): Queue => ({ fields, ...WAYS[way] });

/** A queue that counts sent messages only. */
export const sentIn = (fields: Float64Array, sent: number): Queue => ({
  fields,
  sent,
  received: sent,
  max: null,
});
