/** Requirements of the recorder on the runtime that it runs in. Node, Bun, Deno and pages bring their own. */

import { type EngineTypes, giveTypes } from '../../../engines/probe/type-detection.ts';
import type { Frame } from '../../../model/documents/recorded/recording.ts';
import type { TapSettings } from '../../../model/recording/settings.ts';
import type { Storage } from '../../../value/describe/inspect/storage.ts';
import * as kept from './intrinsics.ts';

export interface LookEngine {
  /** Storage is read only while `run` runs. */
  withStorage<T>(run: (storage: Storage) => T): T;
  /**
   * Bytes that the engine writes for a message whose serialization runs no code, to another process (`isApart`) or in
   * this one: numbers may be stored in ways that cannot be seen. null for a message that is refused.
   */
  bytes?(value: unknown, isApart: boolean): number | null;
}

export interface TapPlatform {
  /** Nothing tells a Proxy: messages are looked at after they were posted, when they hold none. */
  readonly looksAfter?: boolean;
  /** The end of a thread cannot be waited for: records are written at once. */
  readonly endsUnseen?: boolean;
  /** The stack above `caller`, outermost last. Files are paths, addresses, or what code given as text is called. */
  frames(caller: unknown): Frame[];
  /** Frame in the source of code that was compiled while it was loaded; else the frame itself. */
  originalPlace?(frame: Frame): Frame;
  packageVersion?(folder: string): string | null;
  /** Loads the engine's part of looks, which takes milliseconds. */
  engine(): LookEngine;
  /** Runs what may make errors without calling formatters of the program's; null if that cannot be done. */
  alone<T>(run: () => T): T | null;
  append(lines: string): void;
  /** Overwrites the files of the counters that have changed. */
  writeCounters(): void;
  /** Called for each message that was counted or refused, if the thread can be terminated before the next flush. */
  onCounted?(): void;
}

export let types: EngineTypes['types'];

/** The entry of each runtime gives its own, before anything is recorded. */
export function giveEngineTypes(given: EngineTypes): void {
  giveTypes(given);
  types = given.types;
}

export const isBuffer = (value: unknown): boolean =>
  types.isArrayBuffer(value) || types.isSharedArrayBuffer(value);

/** An object that can be read without running code of the program's. */
export const canBeRead = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !types.isProxy(value);

/** An entry of a transfer list, with its bytes before the post, which takes them: 0 for what is no buffer. */
export interface Listed {
  value: unknown;
  bytes: number;
}

const NOTHING_LISTED: readonly Listed[] = [];

/** Entries of a transfer list, or of options with one; none if no list can be read. Its methods may be the program's. */
export function listedIn(given: unknown): readonly Listed[] {
  if (!canBeRead(given)) return NOTHING_LISTED;
  const list = kept.isArray(given) ? given : kept.dataOf(given, 'transfer');
  if (!kept.isArray(list) || types.isProxy(list)) return NOTHING_LISTED;
  const entries: Listed[] = [];
  for (let i = 0; i < list.length; i++) {
    const value = kept.dataOf(list, i);
    entries[i] = { value, bytes: types.isArrayBuffer(value) ? kept.memoryBehind(value as object) : 0 };
  }
  return entries;
}

// The thread that is recorded: its runtime's entry gives it, before anything is recorded.

export let platform: TapPlatform;
export let settings: TapSettings;
export let counters: Float64Array;

export function giveThread(...given: [TapPlatform, TapSettings, Float64Array]): void {
  [platform, settings, counters] = given;
}
