/** Looks at a message before it is posted. */

import { typeDetection } from '../../../engines/probe/type-detection.ts';
import type { TransferLint } from '../../../model/documents/recorded/recording.ts';
import type { Serialization } from '../../../model/names.ts';
import type { KeptValues } from '../../../model/recording/recording.ts';
import { type RefusalOptions, refusedIn } from '../../../value/describe/refused.ts';
import { map } from '../../../value/read/lists.ts';
import { type Chance, chanceFrom } from '../../values/masks.ts';
import { Sample } from '../../values/sampler.ts';
import * as kept from '../realm/intrinsics.ts';
import { isBuffer, type Listed, type LookEngine, platform, settings } from '../realm/platform.ts';

/** Longer texts are not read: it stays unknown how they are stored. */
const MAX_UNITS = 1 << 17;
/** Most bytes that are serialized once more: for each value that was visited, and in any case. */
const NODE_BYTES = 64;
const MIN_SERIALIZED = 1 << 17;
/** Bytes of content of one message that are kept. */
const MAX_KEPT = 1 << 20;

interface RefusalSearch extends Omit<RefusalOptions, 'types' | 'listed'> {
  message: string;
}

/** V8's words for an object that it refuses, which may be a Proxy: `#<Object> could not be cloned.` */
const OBJECT = /(?:#<[^>]*>|\[object [^\]]*\]) could not be cloned/;

// If nothing tells a Proxy, a message that may hold one is not searched: its traps would run.
/** Value that made a post throw; null if it is not found. */
export function refused(value: unknown, entries: readonly Listed[], search: RefusalSearch) {
  const { message } = search;
  const stopsAtGetter = platform.looksAfter === true;
  const isNoProxy = message.includes('could not be cloned') && !OBJECT.test(message);
  if (stopsAtGetter && typeof value !== 'function' && !isNoProxy) return null;
  const listed = map(entries, (one) => one.value);
  return refusedIn(value, { ...search, stopsAtGetter, types: typeDetection(), listed });
}

let engine: LookEngine | null = null;

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

interface LookRequest {
  /** About how many values may be visited. */
  nodes: number;
  values: KeptValues;
  /** Format of a message to another process; null if it is not known. */
  serialization?: Serialization | null | undefined;
}

/** Facts of a message, seen before it was posted. */
export class Look {
  readonly value: unknown;
  readonly #isApart: boolean;
  readonly #mayBeWritten: boolean;
  readonly sample: Sample;
  readonly transfer: TransferLint;
  /** Size as the engine writes it, once it is finished; null if that is not known. */
  bytes: number | null = null;

  constructor(value: unknown, entries: readonly Listed[], { nodes, values, serialization }: LookRequest) {
    chance ??= chanceFrom(settings.salt);
    engine ??= platform.engine();
    const masks = { values, chance };
    const listed = new Map<unknown, number>(map(entries, (one) => [one.value, one.bytes]));
    const isText = serialization === 'json' || serialization === null;
    this.value = value;
    this.sample = engine.withStorage((storage) => {
      const string: typeof storage.string = (text, depth) =>
        text.length > MAX_UNITS ? 0 : storage.string(text, depth);
      // Around a look the formatter of stacks is the recorder's, not the program's.
      const probe = { types: { ...typeDetection(), readsStacks: false }, storage: { ...storage, string } };
      return new Sample(value, { probe, ...masks, nodes, maxBytes: MAX_KEPT, listed, isText });
    });
    this.transfer = lintTransfer(this.sample, entries);
    this.#isApart = serialization !== undefined;
    this.#mayBeWritten = serialization !== 'json' && entries.length === 0 && isSmall(this.sample);
  }

  /** Adds values to the tree that reading would change, such as ropes. @param isPosted false: adds some of them */
  finish(isPosted: boolean): void {
    this.sample.finish(isPosted);
    if (this.#mayBeWritten) this.bytes = engine?.bytes?.(this.value, this.#isApart) ?? null;
  }
}

// Effect of the transfer list of a message, and the effect that it could have. Runs nothing of the program's.

/** Buffers that were in a message: if posted again, they are needed here, or cannot be transferred (WebAssembly). */
const posted = new kept.Weak<object, true>();

function lintTransfer({ buffers, isPart }: Sample, listed: readonly Listed[]): TransferLint {
  const lint: TransferLint = {
    ...{ messages: 1, listed: listed.length, possible: 0, possibleBytes: 0 },
    ...{ useless: 0, hiddenBytes: 0, pooled: 0 },
  };
  // A value that was not visited may hold it.
  for (const { value } of isPart ? [] : listed)
    if (isBuffer(value) && !buffers.has(value as object)) lint.useless++;
  buffers.forEach(({ node, buffer, bytes, shown, stays, pooled }) => {
    lint.pooled += pooled;
    if (node.shared !== true && node.moved !== true) lint.hiddenBytes += Math.max(0, bytes - shown);
    const isAgain = !kept.isNew(posted, buffer);
    if (stays || isAgain || node.moved === true || bytes === 0) return;
    lint.possible++;
    lint.possibleBytes += bytes;
  });
  return lint;
}
