/**
 * A recording: what a program posted, grouped by site and shape. On disk NDJSON: the header, then one line for each group.
 * No value, no text and no map-like key of the program's is in it, unless it was recorded with values.
 */
import type { LibraryName, RuntimeId } from '../names.ts';
import type { Shape } from '../rules/shape.ts';
import type { ValueTree } from './value-tree.ts';

export const RECORDING_SCHEMA = 'clone-prof/recording@1';

/** What a file may hold: more is neither written nor read. */
export const MAX_GROUPS = 10_000;
export const MAX_RECORDING_BYTES = 64 * 2 ** 20;

/** What a message was given to: the function that a program calls, by the name it has in documentation. */
export const POSTING_APIS = [
  'Worker.postMessage',
  'parentPort.postMessage',
  'MessagePort.postMessage',
  'BroadcastChannel.postMessage',
  'self.postMessage',
  'window.postMessage',
  'structuredClone',
  'process.send',
  'ChildProcess.send',
  'workerData',
] as const;
export type PostingApi = (typeof POSTING_APIS)[number];

/** What could not be seen, or is not sure. */
export interface Gap {
  /** One sentence: "a worker with an environment of its own". */
  what: string;
  count: number;
}

export interface RecordingHeader {
  schema: typeof RECORDING_SCHEMA;
  tool: { version: string };
  /** Of the first process; null when nothing of it was reached. */
  runtime: RuntimeId | null;
  /** Program and arguments, or the address of a page. */
  command: string[];
  processes: number;
  /** In all processes, main threads included. */
  threads: number;
  elapsedMs: number;
  /** What recording itself took in all threads, as far as it is known, ms. */
  overheadMs: number;
  /** How the program ended; null where it was not waited for. */
  exit: { code: number | null; signal: string | null } | null;
  /** Whether values were kept, and their texts masked. */
  values: 'none' | 'masked' | 'kept';
  gaps: Gap[];
}

/** A place in a program's source, by its source map where there is one. */
export interface Frame {
  /** Relative to the folder of the command where it is below it. */
  file: string;
  /** From 1. */
  line: number;
  column: number;
  /** Of the function, where it has a name. */
  name: string | null;
}

export interface Site {
  /** First frame of the program's own; null where there is none: a library posts from its queue. */
  user: Frame | null;
  /** The package that posts: first frame below node_modules; null where the program itself posts. */
  library: { name: string; version: string | null; frame: Frame } | null;
}

/** A sum that is known, or an estimate with its 95 % interval. */
export interface Total {
  total: number;
  /** [total, total] where it is known. */
  ci: [number, number];
  /** Of the messages that were looked at. */
  max: number;
}

export interface TransferLint {
  /** Entries of the transfer lists of the messages that were looked at. */
  listed: number;
  /** Buffers that could have been listed and were copied, and their bytes. */
  possible: number;
  possibleBytes: number;
  /** Listed, but nowhere in the message. */
  useless: number;
  /** Copied bytes that no view of the message shows: the rest of the buffers behind its views. */
  hiddenBytes: number;
  /** Views on Node's buffer pool. */
  pooled: number;
}

/** The messages of one site with one shape. */
export interface RecordedMessages {
  site: Site;
  api: PostingApi;
  /** Of the process that posts, where it is not the header's. */
  runtime?: RuntimeId;
  /** "main", "worker src/resize.js", "child build.js": the same for all threads of one file. */
  from: string;
  to: string | null;
  /** Of threads that posted. */
  threads: number;
  count: number;
  /** null where the receiver is not known. */
  received: number | null;
  /** The counts may be too low: a process was killed, or ended between two writes. */
  estimated: boolean;
  /** Serialized size as this runtime's own serializer has it; null where no message could be sized. */
  bytes: Total | null;
  /** How long the call took, ns; null where none was timed. `long`: calls of more than a frame of 60 Hz, of those timed. */
  send: { timed: number; median: number; max: number; total: number; long: number } | null;
  /** Messages sent and not yet received, over time; null where the receiver is not known. */
  queue: { max: number; last: number } | null;
  /** Of a typical message that was looked at; null where none could be. */
  shape: Shape | null;
  /** How many messages were described, sized or timed. */
  looked: number;
  /** The worker library whose envelope the messages are, and the direction. */
  envelope: { library: LibraryName; direction: 'request' | 'reply' } | null;
  transfer: TransferLint;
  /** Messages that are the same object as the one before at this site; of those looked at: with the same content. */
  repeats: { sameObject: number; sameContent: number };
  /** When they were posted: counts for equal steps from the start of the recording on. */
  times: { stepMs: number; counts: number[] };
  /** A message as it was, where values were kept. */
  sample: ValueTree | null;
}

export interface Recording {
  header: RecordingHeader;
  messages: RecordedMessages[];
}

/** Of a recording; of both, the n that cost most of those that contain it. */
export interface SiteChoice {
  /** The n sites that cost most; null: those that make 95 % of the cost. */
  top: number | null;
  /** Only sites whose file and line, or library, contain it. */
  site: string | null;
}
