/** Storage as V8 itself tells it (Node 20 to 26, Deno). */

import { STORED } from '../../core/describe/flags.ts';
import type { Storage } from '../../core/describe/probe.ts';
import type { Natives } from './natives.ts';
import { stringWidth } from './string-width.ts';

/** A rope of fewer units is never made (ConsString::kMinLength). */
const SHORTEST_ROPE = 13;

/** Arrays with the map of one of these have nothing but plain elements: Array.prototype, no names, not locked. */
function exemplars(): { packed: unknown[][]; holey: unknown[][] } {
  const holey = (value: unknown) => {
    const made = new Array<unknown>(2);
    made[0] = value;
    return made;
  };
  return { packed: [[1], [1.5], ['a']], holey: [holey('a'), holey(1), holey(1.5)] };
}

/** The answer for such an array was the answer of the last: arrays of one kind come in rows. */
function arrayAsk(
  natives: Natives,
  { packed }: ReturnType<typeof exemplars>,
): (value: readonly unknown[]) => number {
  const stored = packed.map((exemplar) => arrayStorage(natives, exemplar));
  let last = 0;
  return (value) => {
    if (natives.haveSameMap(value, packed[last])) return stored[last]!;
    for (let i = 0; i < packed.length; i++)
      if (natives.haveSameMap(value, packed[i])) {
        last = i;
        return stored[i]!;
      }
    return arrayStorage(natives, value);
  };
}

function stringAsk({ stringIsFlat }: Natives): Storage['string'] {
  const width = stringWidth();
  if (stringIsFlat === null) return width;
  return (text, depth) =>
    text.length >= SHORTEST_ROPE && !stringIsFlat(text)
      ? STORED.rope | width(text, depth)
      : width(text, depth);
}

export function v8Storage(natives: Natives): Storage {
  const known = exemplars();
  const has = (list: unknown[][], value: readonly unknown[]) =>
    list.some((exemplar) => natives.haveSameMap(value, exemplar));
  return {
    by: 'v8-natives',
    engine: 'v8',
    string: stringAsk(natives),
    object: (value) => (natives.hasFastProperties(value) ? 0 : STORED.dictionary),
    untouchedArray: arrayAsk(natives, known),
    array: (_value, _depth, { untouched: ahead }) => ahead,
    elements: (value) => {
      if (has(known.packed, value)) return 'packed';
      return has(known.holey, value) && !isMostlyHoles(value) ? 'holey' : 'unknown';
    },
    // Objects of WebAssembly GC are no JSObjects, and never extensible: asking about one would end the process.
    sameHiddenClass: (value, other) => Object.isExtensible(value) && natives.haveSameMap(value, other),
  };
}

/** `new Array(3e7)`: its few keys are listed sooner than its holes are counted. */
function isMostlyHoles(value: readonly unknown[]): boolean {
  if (value.length < 1024) return false;
  let present = 0;
  for (let i = 0; i < 64; i++) if (Object.hasOwn(value, Math.floor((i * value.length) / 64))) present++;
  return present < 8;
}

function arrayStorage(natives: Natives, value: readonly unknown[]): number {
  if (natives.hasDictionaryElements(value)) return STORED['dictionary-elements'];
  if (!natives.hasFastElements(value)) return STORED['not-fast-elements'];
  if (natives.hasHoleyElements(value)) return STORED['holey-kind'];
  if (natives.hasSmiElements(value)) return STORED['packed-smi'];
  return natives.hasDoubleElements(value) ? STORED['packed-double'] : STORED['packed-elements'];
}
