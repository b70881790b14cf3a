/** Where the time of a message goes, and what the payload does under load. */

/** One way of the trip, ns: medians. `oneWay` = send + transit + receive + unaccounted. */
export interface Phases {
  oneWay: number;
  send: number;
  receive: number;
  /** Time of an empty message without its own send and receive. */
  transit: number;
  /** Negative where both threads worked at the same time. */
  unaccounted: number;
}

/** How long one message blocks a thread, ns. */
export interface Blocked {
  /** 99 % quantile. */
  senderNs: number;
  receiverNs: number | null;
  /** The longest of all, on either side. */
  longestNs: number;
  /** Longer than a frame at 60 Hz (16 ms), longer than a long task (50 ms), by the 99 % quantile. */
  exceeds: 'frame' | 'long-task' | null;
}

/** The payload under load. Latency from when a message was due to its acknowledgement, ns. */
export interface LoadPoint {
  /** Messages always in flight. */
  window: number | null;
  /** Messages due a second. */
  offered: number | null;
  /** Acknowledged messages a second. */
  throughput: number;
  latency: { median: number; p95: number; p99: number };
  /** Messages due and not acknowledged. */
  waiting: { median: number; most: number };
  /** The queue grows: memory and latency rise as long as the load lasts. */
  growing: boolean;
  messages: number;
}
