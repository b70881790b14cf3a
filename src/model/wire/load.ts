/** Messages offered to a peer, and what became of them. */

/** A load: a fixed number of messages in flight, or a rate that does not depend on earlier messages. */
export type LoadOffer = { window: number } | { perSecond: number };

/** One run under load. All times in ns. */
export interface LoadResult {
  type: 'load-result';
  /** From when a message was due (not: was posted) to its acknowledgement, in the order they were due. */
  latency: number[];
  /** Acknowledged messages. */
  messages: number;
  /** From the start to the last acknowledgement. */
  elapsed: number;
  /** Messages due but not acknowledged, sampled in even steps of time. */
  waiting: number[];
  /** The run ended early, because `mostWaiting` messages waited. */
  flooded: boolean;
}
