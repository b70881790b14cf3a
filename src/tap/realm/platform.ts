/** What the recorder asks of the runtime that it runs in. Node, Bun, Deno and pages bring their own. */
import type { Frame } from '../../model/documents/recorded/call-site.ts';
import type { FoundValue, TransferLint } from '../../model/documents/recorded/recording.ts';
import type { ChangesSeen } from '../../model/documents/recorded/thread-file.ts';
import type { ValueTree } from '../../model/documents/recorded/value-tree.ts';
import type { Shape } from '../../model/documents/shape.ts';
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
}

/** What was found out about a message before it was posted, and how to size it afterwards. */
export interface Look {
  shape: Shape | null;
  /** Values that were visited. */
  visited: number;
  transfer: TransferLint;
  value: ValueTree | null;
  /** What to compare the next message with, to be read after it was posted; null where it cannot be. */
  parts(): Part | null;
  /** @param before of the message that was posted just before */
  changes(before: Part, parts: Part): ChangesSeen;
  /**
   * Counts the bytes, and serializes the value or parts of it again, after it was posted: that would flatten ropes. null for
   * what has no size.
   *
   * @param nodes about how many values may be visited
   */
  sized(nodes: number): SizedLook | null;
}

/** With a hash of the content; or estimated, with the half width of the 95 % interval as a share. */
export type Sized = { bytes: number; content: string } | { bytes: number; error: number };

/**
 * `visited`: how many values. `text`: the same as JSON text, where it is not known how a message to another process is
 * written; `bytes` is null where only that has a size.
 */
export type SizedLook = (Sized | { bytes: null }) & {
  visited: number;
  text?: { bytes: number; error: number };
};

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

/** How a message that was refused is searched. */
export interface RefusalSearch {
  /** Most values to visit. */
  nodes: number;
  /** How the message is written. */
  as: 'clone' | 'json';
  /** Of the error. */
  message: string;
}

export interface TapPlatform {
  readonly types: TypeTests;
  /** The end of a thread cannot be waited for: records are written at once. */
  readonly endsUnseen?: boolean;
  /** How many bytes are copied depends on shapes: they are described at each look. */
  readonly shapesTellBytes?: boolean;
  /** The stack above `caller`, which is left out; outermost last. */
  frames(caller: unknown): StackFrame[];
  /** In the source of code that was compiled while it was loaded; else the frame itself. */
  originalPlace?(frame: Frame): Frame;
  /** Version of the package whose folder this is. */
  packageVersion?(folder: string): string | null;
  /** Loads what looks at messages, when it is first called. */
  loadLook(): void;
  /**
   * null where the value cannot be looked at without running code of the program's.
   *
   * @param nodes most values to visit @param stored its shape is told, and its value where values are kept
   * @param serialization of a message to another process; null where it is not known
   */
  look(
    value: unknown,
    transfer: unknown,
    nodes: number,
    stored: boolean,
    serialization?: Serialization | null,
  ): Look | null;
  /** What made a post throw; null where it is not found, or cannot be looked for without running code of the program's. */
  refused(value: unknown, transfer: unknown, options: RefusalSearch): FoundValue | null;
  /** Adds lines to this thread's records. */
  append(lines: string): void;
  /** Overwrites the files of the counters that have changed. */
  writeCounters(): void;
  /** Told of each message that was counted, where counters must be written before the thread can be terminated. */
  onCounted?(): void;
}
