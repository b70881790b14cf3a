/**
 * What a recorded thread writes, into files of its own: `<pid>-<thread>.ndjson`, a record a line, appended as things are first
 * seen, and `<pid>-<thread>.cnt`, counters that are overwritten in place. Both are complete after each write, so that a
 * program that is killed leaves what was written before. The host reads them as data of a stranger's.
 */
import type { ProcessRuntime } from '../names.ts';
import type { Shape } from '../rules/shape.ts';
import type { PostingApi, Site, TransferLint } from './recording.ts';
import type { ValueTree } from './value-tree.ts';

export const PAGE_KINDS = ['page', 'iframe', 'shared worker', 'service worker'] as const;

/** First line of each file. */
export interface ThreadStarted {
  record: 'thread';
  pid: number;
  /** 0 for the main thread. */
  thread: number;
  /** Thread of the same process that started it; for a child the process that did. */
  parent: { pid: number; thread: number } | null;
  /** What it is in a page, where it is no dedicated worker; absent elsewhere. */
  kind?: (typeof PAGE_KINDS)[number];
  runtime: { name: ProcessRuntime | 'chromium'; version: string };
  /** Entry file; null for code given as text. */
  file: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** Where messages are posted, when it is first seen. Ids count from 0 in each file. */
export interface SiteSeen {
  record: 'site';
  id: number;
  api: PostingApi;
  site: Site;
}

/** A site with a cheap class of messages and a receiver: what counters are kept of. */
export interface GroupSeen {
  record: 'group';
  id: number;
  site: number;
  /** Kind, number of keys, first and last key, hashed: equal for messages that are taken to be of one shape. */
  class: string;
  /** Receiver: "worker" and its file (nothing for text), "process 812", "parent"; null where it is not known. */
  to: string | null;
  /**
   * Counters of the thread that count it. Groups of one class and receiver have the same: which site a message came from is
   * known of those that were looked at.
   */
  counter: number;
}

/** A message that was looked at. */
export interface MessageSeen {
  record: 'message';
  group: number;
  /** Which message of its counter, from 0. */
  nth: number;
  /** Cheap size that every message has: what the counters sum. */
  hint: number;
  /** Serialized bytes; null where it was not sized. */
  bytes: number | null;
  /** Half width of a 95 % interval, as a share: the bytes are by the shape, as it was too large to be serialized once more. */
  error?: number;
  /** Missing where it was not described, or is that of the group's message before. */
  shape?: Shape;
  transfer?: TransferLint;
  /** Hash of the serialized bytes, salted for each recording: equal for equal content. */
  content?: string;
  value?: ValueTree;
}

/** A worker or child that this thread has started: where it wrote no file of its own, it was not reached. */
export interface ChildStarted {
  record: 'child';
  pid: number;
  /** 0 for a process. */
  thread: number;
  /** Name of the program, without its folder; "worker". */
  program: string;
}

/** What could not be seen, or a failure of the recorder itself. */
export interface GapSeen {
  record: 'gap';
  what: string;
}

/** The thread ended as it should; missing after a crash. */
export interface ThreadEnded {
  record: 'end';
}

export type ThreadRecord =
  | ThreadStarted
  | SiteSeen
  | GroupSeen
  | MessageSeen
  | ChildStarted
  | GapSeen
  | ThreadEnded;
