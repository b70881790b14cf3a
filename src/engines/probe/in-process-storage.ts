/**
 * Storage of values in the running program, as far as it can be known without natives and within microseconds. Storage
 * in another engine is assumed. An unknown fact has a separate flag or no flag.
 */

import type { EngineName } from '../../model/names.ts';
import { assumedStorage, byContent, v8Array, v8Object } from '../../value/describe/assumed-storage.ts';
import { STORED, STRUCTURE } from '../../value/describe/inspect/flags.ts';
import type { ElementFacts, Storage } from '../../value/describe/inspect/probe.ts';
import { wireTag } from './oracle/serialized.ts';
import { runningRuntime } from './running-runtime.ts';
import { stringWidth } from './v8/string-width.ts';

const HOLEY_TAG = 'a';

/** Observed flags with which `slice` runs no user code and copies the elements kind. */
const SLICED_AS_STORED = STRUCTURE.empty | STRUCTURE.repeated | STRUCTURE.cycle;

/** Most arrays to query: each takes some microseconds. */
const MAX_ARRAYS = 20_000;

const { slice } = Array.prototype;

/** Copies no elements: V8 writes an empty array by its elements kind too. */
const isHoleyByTag = (value: readonly unknown[]) => wireTag(slice.call(value, 0, 0)) === HOLEY_TAG;

/**
 * Elements kind of an array, by observable facts if they suffice.
 * @param isHoley queries V8 in all other cases; null if V8 cannot be queried
 */
function v8ArrayKind(isHoley: ((value: readonly unknown[]) => boolean) | null): Storage['array'] {
  let left = isHoley === null ? 0 : MAX_ARRAYS;
  return (value, _depth, facts: ElementFacts) => {
    const { observed } = facts;
    // An attribute of a named property looks the same here as an attribute of an element.
    if ((observed & NAMED) !== 0 && (observed & SETTLED) === 0) return 0;
    const assumed = v8Array(facts);
    if ((assumed & PACKED) === 0) return assumed;
    if (isHoley === null || left === 0 || (observed & ~SLICED_AS_STORED) !== 0) return 0;
    left--;
    return isHoley(value) ? STORED['holey-kind'] : assumed;
  };
}

const NAMED = STRUCTURE['named-props'] | STRUCTURE['symbol-key'];
const SETTLED = STRUCTURE.holes | STRUCTURE['non-extensible'];
const PACKED = STORED['packed-smi'] | STORED['packed-double'] | STORED['packed-elements'];

/** Storage that values of the running program have in this engine. */
export function inProcessStorage(engine: EngineName): Storage {
  if (engine !== 'v8') return assumedStorage(engine);
  const runsHere = runningRuntime().engine === 'v8';
  // V8 copies the elements kind only while Array's species is unchanged (builtins/array-slice.tq).
  const slicesKeepKind = runsHere && isHoleyByTag(new Array(1)) && !isHoleyByTag([1]);
  return {
    by: runsHere ? 'v8-tags' : 'assumed',
    engine,
    string: runsHere ? stringWidth() : byContent,
    object: (_value, _depth, observed, keys) => {
      const assumed = v8Object(observed, keys);
      const settled = assumed !== 0 || (observed & (STRUCTURE['indexed-key'] | STRUCTURE.empty)) !== 0;
      // Deleted properties and computed keys turn an object into a dictionary, which only natives can see.
      return settled ? assumed : STORED['dictionary-unknown'];
    },
    array: v8ArrayKind(slicesKeepKind ? isHoleyByTag : null),
  };
}
