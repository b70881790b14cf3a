/**
 * How values are stored, as far as a program can ask about its own values without natives and within microseconds.
 * What another engine would make of them is assumed, and what is not known has a flag or no flag, never a guess.
 */

import { assumedStorage, byContent, v8Array, v8Object } from '../../core/describe/assumed-storage.ts';
import { STORED, STRUCTURE } from '../../core/describe/flags.ts';
import type { ElementFacts, Storage } from '../../core/describe/probe.ts';
import type { EngineName } from '../../model/names.ts';
import { runningRuntime } from '../running-runtime.ts';
import { stringWidth } from './string-width.ts';
import { wireTag } from './wire-tag.ts';

const HOLEY_TAG = 'a';

/** An array with nothing that could lead `slice` to foreign code or away from the copy that keeps the elements kind. */
const SLICED_AS_STORED = STRUCTURE.empty | STRUCTURE.repeated | STRUCTURE.cycle | STRUCTURE['too-many-items'];

/** Some microseconds each. */
const MOST_ASKED = 20_000;

const { slice } = Array.prototype;

/** Storage of its elements shows without them: V8 writes an array of no elements by the kind it has for elements. */
const isHoleyByTag = (value: readonly unknown[]) => wireTag(slice.call(value, 0, 0)) === HOLEY_TAG;

/** V8 copies the elements kind only while nobody has touched Array's species (builtins/array-slice.tq). */
function tellsHoley(): boolean {
  return isHoleyByTag(new Array(1)) && !isHoleyByTag([1]);
}

/** What an array shows to everyone decides; else V8 is asked, or nobody. */
function v8ArrayKind(ask: ((value: readonly unknown[]) => boolean) | null): Storage['array'] {
  let left = ask === null ? 0 : MOST_ASKED;
  return (value, _depth, facts: ElementFacts) => {
    const { observed } = facts;
    // Attributes of a named property look like attributes of an element.
    if ((observed & NAMED) !== 0 && (observed & SETTLED) === 0) return 0;
    const assumed = v8Array(facts);
    if ((assumed & PACKED) === 0) return assumed;
    if (ask === null || left === 0 || (observed & ~SLICED_AS_STORED) !== 0) return 0;
    left--;
    return ask(value) ? STORED['holey-kind'] : assumed;
  };
}

const NAMED = STRUCTURE['named-props'] | STRUCTURE['symbol-key'];
const SETTLED = STRUCTURE.holes | STRUCTURE['non-extensible'];
const PACKED = STORED['packed-smi'] | STORED['packed-double'] | STORED['packed-elements'];

/** Deleted properties and computed keys turn an object into a dictionary, and only natives can see it. */
function v8ObjectKind(observed: number, keys: number): number {
  const seen = v8Object(observed, keys);
  const settled = seen !== 0 || (observed & (STRUCTURE['indexed-key'] | STRUCTURE.empty)) !== 0;
  return settled ? seen : STORED['dictionary-unknown'];
}

/** Storage of the running program's values in an engine of this name. */
export function inProcessStorage(engine: EngineName): Storage {
  if (engine !== 'v8') return assumedStorage(engine);
  const here = runningRuntime().name !== 'bun';
  return {
    by: here ? 'v8-tags' : 'assumed',
    engine,
    string: here ? stringWidth() : byContent,
    object: (_value, _depth, observed, keys) => v8ObjectKind(observed, keys),
    array: v8ArrayKind(here && tellsHoley() ? isHoleyByTag : null),
    elements: () => 'unknown',
    sameHiddenClass: null,
  };
}
