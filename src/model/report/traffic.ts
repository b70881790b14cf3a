/** What a recording adds to a report: the program that was recorded, and how the messages of each site were posted. */
import type { RecordedMessages, RecordingHeader, Total } from '../recording/recording.ts';

/** What is looked for in the traffic of a site; the words are in the table of the rule book. */
export const TRAFFIC_RULES = [
  'transfer-missing',
  'transfer-useless',
  'view-of-larger',
  'pooled-buffer',
  'queue-grows',
  'queue-long',
  'same-content',
  'same-object',
  'chatty',
  'long-call',
  'not-received',
] as const;
export type TrafficRule = (typeof TRAFFIC_RULES)[number];

export interface TrafficFinding {
  rule: TrafficRule;
  /** Messages, buffers or calls: the title of the rule says which. */
  count: number;
  /** Of how many; null where it is of no known number. */
  of: number | null;
  /** Of all messages of the site, scaled from those that were looked at. */
  bytes: number | null;
  /** The longest call. */
  ns: number | null;
  /** What following the advice would save of the cost of the site; null where it is not known. */
  savesMs: number | null;
}

export interface TrafficCost {
  /** What one message costs both threads. */
  perMessageNs: number;
  totalMs: number;
  /** Of the whole recording. */
  share: number;
  /** Measured here, or how long the recorded calls took, which leaves the receiver out. */
  of: 'measured' | 'send';
}

/** Where the payload comes from that stands for the messages. */
export interface TrafficValues {
  from: 'shape' | 'sample' | 'masked-sample';
  /** Of the synthesised values. */
  seed: number;
  /** What the payload has other than the messages had, a sentence each. */
  differences: string[];
}

/** How the messages of a site were posted. */
export interface Traffic extends Omit<RecordedMessages, 'shape' | 'sample'> {
  /** Null where nothing was timed. */
  cost: TrafficCost | null;
  lint: TrafficFinding[];
  /** Null where no message could be looked at. */
  values: TrafficValues | null;
}

/** A recording that was analyzed. */
export interface AnalyzedRecording extends RecordingHeader {
  /** As the user named it; payloads have it as `source.file`. */
  file: string;
  messages: number;
  /** Of the sites with a known size. */
  bytes: Total | null;
  /** Messages of those sites. */
  sized: number;
  /** When they were posted: counts for equal steps from the start of the recording on, all sites together. */
  times?: RecordedMessages['times'];
  /** Groups that are not among the payloads: too cheap, or not asked for. */
  left: { groups: number; messages: number; share: number };
}
