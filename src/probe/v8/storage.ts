/** Storage as V8's natives tell it (Node 20 to 26, Deno). */

import { STORED } from '../../core/describe/flags.ts';
import type { Storage } from '../../core/describe/probe.ts';
import type { Natives } from './natives.ts';
import { stringWidth } from './string-width.ts';

/** V8 makes no shorter ropes (ConsString::kMinLength). */
const SHORTEST_ROPE = 13;

/** Arrays with the same hidden class as one of these are ordinary: Array.prototype, no named properties, extensible. */
function plainArrays(): { packed: unknown[][]; holey: unknown[][] } {
  const holey = (value: unknown) => {
    const array = new Array<unknown>(2);
    array[0] = value;
    return array;
  };
  return { packed: [[1], [1.5], ['a']], holey: [holey('a'), holey(1), holey(1.5)] };
}

/** Compares with the last matching class first: arrays of one kind follow each other. */
function arrayStorageOf(
  natives: Natives,
  { packed }: ReturnType<typeof plainArrays>,
): (value: readonly unknown[]) => number {
  const stored = packed.map((one) => arrayStorage(natives, one));
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

function stringStorageOf({ stringIsFlat }: Natives, fromJson: boolean): Storage['string'] {
  const width = stringWidth(fromJson);
  if (stringIsFlat === null) return width;
  return (text, depth) =>
    text.length >= SHORTEST_ROPE && !stringIsFlat(text)
      ? STORED.rope | width(text, depth)
      : width(text, depth);
}

export function v8Storage(natives: Natives, fromJson: boolean): Storage {
  const plain = plainArrays();
  const has = (list: unknown[][], value: readonly unknown[]) =>
    list.some((one) => natives.haveSameMap(value, one));
  return {
    by: 'v8-natives',
    engine: 'v8',
    string: stringStorageOf(natives, fromJson),
    object: (value) => (natives.hasFastProperties(value) ? 0 : STORED.dictionary),
    untouchedArray: arrayStorageOf(natives, plain),
    array: (_value, _depth, { untouched }) => untouched,
    elements: (value) => {
      if (has(plain.packed, value)) return 'packed';
      return has(plain.holey, value) && !isMostlyHoles(value) ? 'holey' : 'unknown';
    },
    // Objects of WebAssembly GC are not JSObjects and never extensible: the native would end the process for one.
    sameHiddenClass: (value, other) => Object.isExtensible(value) && natives.haveSameMap(value, other),
  };
}

/** As `new Array(3e7)`, whose few keys are listed faster than its holes are counted. */
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
