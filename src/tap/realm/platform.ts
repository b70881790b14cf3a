/** What the recorder asks of the runtime that it runs in. Node, Bun, Deno and pages bring their own. */
import type { Mask } from '../../core/recording/values/sample-options.ts';
import type { Frame } from '../../model/documents/recorded/call-site.ts';
import type { FoundValue, TransferLint } from '../../model/documents/recorded/recording.ts';
import type { ChangesSeen } from '../../model/documents/recorded/thread-file.ts';
import type { ValueTree } from '../../model/documents/recorded/value-tree.ts';
import type { Serialization } from '../../model/names.ts';

/** A frame of the running code's stack, as the engine tells it. */
export interface StackFrame {
  /** Path, address, or what code given as text is called. */
  file: string;
  line: number;
  column: number;
  name: string | null;
}

/** A value of a message, with what was read of it. */
export interface Part {
  hash: number;
  /** About its bytes. */
  weight: number;
  /** Of an object; null of all else. */
  keys: readonly string[] | null;
  inner: Part[];
  /** Each of `inner` stands for so many. */
  each: number;
  /** Of a text that is JSON: of its value. */
  isJson?: boolean;
}

/** What was found out about a message before it was posted. */
export interface Look {
  tree: ValueTree;
  /** Values that were visited. */
  visited: number;
  transfer: TransferLint;
  /** Adds to the tree what reading would change, such as ropes: after the message was posted. @param isPosted false: some of that */
  finish(isPosted: boolean): void;
  /** As the engine writes it, once it is finished; null if that was not asked for. */
  readonly bytes: number | null;
  /** What to compare the next message with, to be read after it was posted; null if it cannot be. */
  parts(): Part | null;
  /** @param before of the message that was posted just before */
  changes(before: Part, parts: Part): ChangesSeen;
}

/** Type tests by internal slots. */
export interface TypeTests {
  isProxy(value: unknown): boolean;
  isMap(value: unknown): boolean;
  isSet(value: unknown): boolean;
  isAnyArrayBuffer(value: unknown): boolean;
}

/** An object that can be read without running code of the program's. */
export const canBeRead = (value: unknown, types: TypeTests): value is object =>
  typeof value === 'object' && value !== null && !types.isProxy(value);

/** How a message is looked at. */
export interface LookRequest {
  /** About how many values may be visited. */
  nodes: number;
  mask: Mask;
  /** Of a message to another process; null if it is not known. */
  serialization?: Serialization | null | undefined;
}

/** How a message that was refused is searched. */
export interface RefusalSearch {
  /** Most values to visit. */
  nodes: number;
  /** How the message is written. */
  as: 'clone' | 'json';
  /** Of the error. */
  message: string;
}

/** Functions that look at messages. Most of the recorder: they are loaded with the first message. */
export interface LookTools {
  look(value: unknown, transfer: unknown, request: LookRequest): Look;
  /** What made a post throw; null if it is not found. */
  refused(value: unknown, transfer: unknown, search: RefusalSearch): FoundValue | null;
}

export interface TapPlatform {
  readonly types: TypeTests;
  /** Nothing tells a Proxy: messages are looked at after they were posted, when they hold none. */
  readonly looksAfter?: boolean;
  /** The end of a thread cannot be waited for: records are written at once. */
  readonly endsUnseen?: boolean;
  /** The stack above `caller`, which is left out; outermost last. */
  frames(caller: unknown): StackFrame[];
  /** In the source of code that was compiled while it was loaded; else the frame itself. */
  originalPlace?(frame: Frame): Frame;
  /** Version of the package whose folder this is. */
  packageVersion?(folder: string): string | null;
  loadLook(): LookTools;
  /** Runs what may make errors without calling formatters of the program's; null where that cannot be done. */
  alone<T>(run: () => T): T | null;
  /** Adds lines to this thread's records. */
  append(lines: string): void;
  /** Overwrites the files of the counters that have changed. */
  writeCounters(): void;
  /** Told of each message that was counted or refused, where that must be written before the thread can be terminated. */
  onCounted?(): void;
}
