/** Looks at a message: loaded when the first is looked at, because it is most of the tap. */
import type { Storage } from '../../core/describe/inspect/probe.ts';
import { refusedIn } from '../../core/describe/refused.ts';
import { NO_TRANSFER } from '../../core/recording/threads/looked-messages.ts';
import { type Chance, chanceFrom } from '../../core/recording/values/masks.ts';
import { Sample } from '../../core/recording/values/sampler.ts';
import type { FoundValue, TransferLint } from '../../model/documents/recorded/recording.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import * as kept from '../realm/intrinsics.ts';
import { type Look, type LookRequest, type RefusalSearch, transferList, types } from '../realm/platform.ts';
import { changesOf, partsOf } from './parts.ts';

/** Longer texts are not read: it stays unknown how they are stored. */
const MAX_UNITS = 1 << 17;
/** Most bytes that are serialized once more: for each value that was visited, and in any case. */
const NODE_BYTES = 64;
const MIN_SERIALIZED = 1 << 17;
/** Bytes of content of one message that are kept. */
const MAX_KEPT = 1 << 20;

/** Facts about values that only the engine knows. */
export interface LookEngine {
  /** Storage is read only while `run` runs. */
  withStorage<T>(run: (storage: Storage) => T): T;
  /**
   * Bytes that the engine writes for a message whose serialization runs no code: numbers may be stored in ways that
   * cannot be seen. null for a message that is refused.
   *
   * @param isApart true: posted to another process
   */
  bytes?(value: unknown, isApart: boolean): number | null;
}

interface LookOptions extends LookRequest {
  salt: string;
  engine: LookEngine;
}

/** Value that made a post throw. */
export const refusedOf = (
  value: unknown,
  transfer: unknown,
  { nodes, as }: RefusalSearch,
  stopsAtGetter = false,
): FoundValue | null => {
  const listed = entriesOf(transfer);
  return refusedIn(value, { types: typeDetection(), listed, nodes, as, stopsAtGetter });
};

/** Shared by all messages of the thread, so that they are masked by different numbers. */
let chance: Chance | null = null;

/** True if all of it is known, and serializing it once more takes no longer than looking at it did. */
function isSmall({ isPart, isSafe, buffers, visited }: Sample): boolean {
  let bytes = 0;
  buffers.forEach((one) => {
    bytes += one.bytes;
  });
  return !isPart && isSafe && bytes <= Math.max(MIN_SERIALIZED, NODE_BYTES * visited);
}

export function lookAt(value: unknown, transfer: unknown, options: LookOptions): Look {
  const { engine, salt, nodes, values, serialization } = options;
  chance ??= chanceFrom(salt);
  const masks = { values, chance };
  const listed = entriesOf(transfer);
  const isText = serialization === 'json' || serialization === null;
  const sample = engine.withStorage((storage) => {
    const string: Storage['string'] = (text, depth) =>
      text.length > MAX_UNITS ? 0 : storage.string(text, depth);
    // Around a look the formatter of stacks is the recorder's, not the program's.
    const probe = { types: { ...typeDetection(), readsStacks: false }, storage: { ...storage, string } };
    return new Sample(value, { probe, ...masks, nodes, maxBytes: MAX_KEPT, listed, isText });
  });
  const mayBeWritten = serialization !== 'json' && listed.length === 0 && isSmall(sample);
  let bytes: number | null = null;
  return {
    tree: sample.tree,
    visited: sample.visited,
    transfer: lintTransfer(sample, listed),
    finish(isPosted) {
      sample.finish(isPosted);
      if (mayBeWritten) bytes = engine.bytes?.(value, serialization !== undefined) ?? null;
    },
    get bytes() {
      return bytes;
    },
    parts: () => partsOf(value),
    changes: changesOf,
  };
}

// Effect of the transfer list of a message, and the effect that it could have. Runs nothing of the program's.

/** Entries of a transfer list: its methods may be the program's. */
function entriesOf(given: unknown): readonly unknown[] {
  const list = transferList(given) ?? [];
  const entries: unknown[] = [];
  for (let i = 0; i < list.length; i++) entries[i] = kept.dataOf(list, i);
  return entries;
}

/** Buffers that were in a message: if posted again, they are needed here, or cannot be transferred (WebAssembly). */
const posted = new kept.Weak<object, true>();

function lintTransfer(
  { buffers, isPart }: Pick<Sample, 'buffers' | 'isPart'>,
  listed: readonly unknown[],
): TransferLint {
  const lint: TransferLint = { ...NO_TRANSFER, messages: 1, listed: listed.length };
  // A value that was not visited may hold it.
  for (const entry of isPart ? [] : listed)
    if (types.isAnyArrayBuffer(entry) && !buffers.has(entry as object)) lint.useless++;
  buffers.forEach(({ node, buffer, bytes, shown, stays, pooled }) => {
    lint.pooled += pooled;
    if (node.shared !== true) lint.hiddenBytes += Math.max(0, bytes - shown);
    const isAgain = !kept.isNew(posted, buffer);
    if (stays || isAgain || node.moved === true || bytes === 0) return;
    lint.possible++;
    lint.possibleBytes += bytes;
  });
  return lint;
}
