/** Which counters a message has: by its class, and by its order of magnitude. */
import { MAX_GROUPS } from '../../core/recording/threads/counters.ts';
import type { TypeTests } from '../realm/platform.ts';
import { Bucket, OTHERS } from '../records/bucket.ts';
import { amendPlan, Extents, extentPlan, sizeClass } from '../records/extent.ts';
import { Classifier } from '../records/message-class.ts';
import type { CountedChannel } from './channel.ts';

/** Classes of one channel before further ones are counted together. */
const CHANNEL_CLASSES = 28;

const NO_PLAN = { plan: null, sizeClass: 0, isFurther: false };

export class Buckets {
  readonly #types: TypeTests;
  readonly #counters: Float64Array;
  readonly #classifier: Classifier;
  readonly #extents: Extents;
  #count = 0;
  #overflow: Bucket | null = null;
  /** Extent of the message whose bucket was found last. */
  extent = 0;

  constructor(types: TypeTests, counters: Float64Array) {
    this.#types = types;
    this.#counters = counters;
    this.#classifier = new Classifier(types);
    this.#extents = new Extents(types);
  }

  /** Messages that take long to post have time for longer looks. */
  posted(ms: number): void {
    this.#extents.posted(ms);
  }

  of({ buckets }: CountedChannel, value: unknown, transfer: unknown): Bucket {
    const classifier = this.#classifier;
    classifier.of(value, transfer);
    let alike: Bucket | null = null;
    let magnitude = 0;
    for (let i = 0; i < buckets.length; i++) {
      const bucket = buckets[i]!;
      if (!classifier.is(bucket)) continue;
      if (alike === null) {
        // It is looked at.
        if (bucket.untilLook <= 1 && bucket.plan !== null) amendPlan(bucket.plan, value as object);
        this.extent = this.#extents.of(value, bucket.plan, classifier.names);
        magnitude = sizeClass(this.extent);
      }
      alike = bucket;
      if (bucket.sizeClass === magnitude) return bucket;
    }
    return this.#newBucket(buckets, value, alike);
  }

  /** @param alike a bucket of the same class for another order of magnitude */
  #newBucket(buckets: Bucket[], value: unknown, alike: Bucket | null): Bucket {
    const counters = this.#counters;
    const plan = alike === null ? extentPlan(value, this.#types) : alike.plan;
    if (alike === null) this.extent = this.#extents.of(value, plan, this.#classifier.names);
    if (this.#count >= MAX_GROUPS - 1 || buckets.length >= CHANNEL_CLASSES) {
      if (alike !== null) return alike;
      this.#overflow ??= new Bucket(OTHERS, MAX_GROUPS - 1, NO_PLAN, counters);
      return this.#overflow;
    }
    const own = { plan, sizeClass: sizeClass(this.extent), isFurther: alike !== null };
    const fresh = new Bucket(this.#classifier, this.#count++, own, counters);
    buckets[buckets.length] = fresh;
    return fresh;
  }
}
