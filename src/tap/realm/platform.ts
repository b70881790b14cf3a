/** Requirements of the recorder on the runtime that it runs in. Node, Bun, Deno and pages bring their own. */
import type { Frame } from '../../model/documents/recorded/call-site.ts';
import type { FoundValue, TransferLint } from '../../model/documents/recorded/recording.ts';
import type { ChangesSeen } from '../../model/documents/recorded/thread-file.ts';
import type { ValueTree } from '../../model/documents/recorded/value-tree.ts';
import type { Serialization } from '../../model/names.ts';
import type { KeptValues } from '../../model/recording/recording.ts';
import type { TapSettings } from '../../model/recording/settings.ts';
import * as kept from './intrinsics.ts';

/** A frame of the running code's stack, as the engine gives it. */
export interface StackFrame {
  /** Path, address, or what code given as text is called. */
  file: string;
  line: number;
  column: number;
  name: string | null;
}

/** The part of a message's value that was read. */
export interface Part {
  hash: number;
  /** About its bytes. */
  weight: number;
  /** Keys of an object; null for other values. */
  keys: readonly string[] | null;
  inner: Part[];
  /** Number of children that each of `inner` stands for. */
  each: number;
  /** True for a text that is JSON: `inner` are then the parts of its value. */
  isJson?: boolean;
}

/** Result of looking at a message before it was posted. */
export interface Look {
  tree: ValueTree;
  /** Values that were visited. */
  visited: number;
  transfer: TransferLint;
  /** Adds values to the tree that reading would change, such as ropes. @param isPosted false: adds some of them */
  finish(isPosted: boolean): void;
  /** Size as the engine writes it, once it is finished; null if that is not known. */
  readonly bytes: number | null;
  /** Parts to compare the next message with, to be read after it was posted; null if they cannot be read. */
  parts(): Part | null;
  /** @param before parts of the message that was posted just before */
  changes(before: Part, parts: Part): ChangesSeen;
}

/** Options of a look. */
export interface LookRequest {
  /** About how many values may be visited. */
  nodes: number;
  values: KeptValues;
  /** Format of a message to another process; null if it is not known. */
  serialization?: Serialization | null | undefined;
}

/** Options of the search in a message that was refused. */
export interface RefusalSearch {
  /** Most values to visit. */
  nodes: number;
  /** Format in which the message is written. */
  as: 'clone' | 'json';
  /** Message of the error. */
  message: string;
}

/** Functions that look at messages. Most of the recorder: they are loaded with the first message. */
export interface LookTools {
  look(value: unknown, transfer: unknown, request: LookRequest): Look;
  /** Value that made a post throw; null if it is not found. */
  refused(value: unknown, transfer: unknown, search: RefusalSearch): FoundValue | null;
}

export interface TapPlatform {
  /** Nothing tells a Proxy: messages are looked at after they were posted, when they hold none. */
  readonly looksAfter?: boolean;
  /** The end of a thread cannot be waited for: records are written at once. */
  readonly endsUnseen?: boolean;
  /** The stack above `caller`, which is left out; outermost last. */
  frames(caller: unknown): StackFrame[];
  /** Frame in the source of code that was compiled while it was loaded; else the frame itself. */
  originalPlace?(frame: Frame): Frame;
  /** Version of the package whose folder this is. */
  packageVersion?(folder: string): string | null;
  loadLook(): LookTools;
  /** Runs what may make errors without calling formatters of the program's; null if that cannot be done. */
  alone<T>(run: () => T): T | null;
  /** Adds lines to this thread's records. */
  append(lines: string): void;
  /** Overwrites the files of the counters that have changed. */
  writeCounters(): void;
  /** Called for each message that was counted or refused, if the thread can be terminated before the next flush. */
  onCounted?(): void;
}

/** Type tests by internal slots. The entry of each runtime gives its own, before anything is recorded. */
interface TypeTests {
  /** Nothing tells a Proxy in a page: messages are looked at after they were posted, when they hold none. */
  isProxy(value: unknown): boolean;
  isMap(value: unknown): boolean;
  isSet(value: unknown): boolean;
  isAnyArrayBuffer(value: unknown): boolean;
}

export let types: TypeTests;

export function giveTypeTests(given: TypeTests): void {
  types = given;
}

/** An object that can be read without running code of the program's. */
export const canBeRead = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !types.isProxy(value);

/** The list in a transfer list, or in options with a list; null if no list can be read. */
export function transferList(given: unknown): readonly unknown[] | null {
  if (!canBeRead(given)) return null;
  const list = kept.isArray(given) ? given : kept.dataOf(given, 'transfer');
  return kept.isArray(list) && !types.isProxy(list) ? list : null;
}

// The thread that is recorded: its runtime's entry gives it, before anything is recorded.

export let platform: TapPlatform;
export let settings: TapSettings;
/** The layout is described in `counters.ts`. */
export let counters: Float64Array;

export function giveThread(...given: [TapPlatform, TapSettings, Float64Array]): void {
  [platform, settings, counters] = given;
}
