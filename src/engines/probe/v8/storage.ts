/** Storage that V8's natives report (Node 20 to 26, Deno). */

import { STORED } from '../../../value/describe/inspect/flags.ts';
import type { Storage } from '../../../value/describe/inspect/probe.ts';
import { readLength } from '../../../value/read/array-reads.ts';
import { map } from '../../../value/read/lists.ts';
import type { Natives } from '../natives/natives.ts';

/** V8 makes no shorter ropes (ConsString::kMinLength). */
const MIN_ROPE_LENGTH = 13;

/** Arrays with the hidden class of `like` are ordinary: Array.prototype, no named properties, extensible. */
interface OrdinaryArray {
  like: readonly unknown[];
  elements: 'packed' | 'holey';
  stored: number;
}

function ordinaryArrays(natives: Natives): OrdinaryArray[] {
  const holey = (value: unknown) => {
    const array = new Array<unknown>(2);
    array[0] = value;
    return array;
  };
  const kinds: [unknown[], OrdinaryArray['elements']][] = [
    [[1], 'packed'],
    [[1.5], 'packed'],
    [['a'], 'packed'],
    [holey('a'), 'holey'],
    [holey(1), 'holey'],
    [holey(1.5), 'holey'],
  ];
  return map(kinds, ([like, elements]) => ({ like, elements, stored: arrayStorage(natives, like) }));
}

/** undefined for an array of none of these kinds. */
function ordinaryKind(natives: Natives): (value: readonly unknown[]) => OrdinaryArray | undefined {
  const kinds = ordinaryArrays(natives);
  return (value) => kinds.find(({ like }) => natives.haveSameMap(value, like));
}

function stringStorage({ stringIsFlat }: Natives, width: Storage['string']): Storage['string'] {
  if (stringIsFlat === null) return width;
  return (text, depth) =>
    text.length >= MIN_ROPE_LENGTH && !stringIsFlat(text)
      ? STORED.rope | width(text, depth)
      : width(text, depth);
}

/** @param width width of strings, which only processes can query */
export function v8Storage(natives: Natives, width: Storage['string']): Storage {
  const kindOf = ordinaryKind(natives);
  return {
    by: 'v8-natives',
    engine: 'v8',
    string: stringStorage(natives, width),
    object: (value) => (natives.hasFastProperties(value) ? 0 : STORED.dictionary),
    array: (value) => kindOf(value)?.stored ?? arrayStorage(natives, value),
    elements: (value) => {
      const elements = kindOf(value)?.elements;
      return elements === 'holey' && isMostlyHoles(value) ? undefined : elements;
    },
    // Objects of WebAssembly GC are not JSObjects and never extensible: the native would end the process for one.
    sameHiddenClass: (value, other) => Object.isExtensible(value) && natives.haveSameMap(value, other),
  };
}

/** True for an array such as `new Array(3e7)`: listing its few keys is faster than counting its holes. */
function isMostlyHoles(value: readonly unknown[]): boolean {
  const length = readLength(value);
  if (length < 1024) return false;
  let present = 0;
  for (let i = 0; i < 64; i++) if (Object.hasOwn(value, Math.floor((i * length) / 64))) present++;
  return present < 8;
}

function arrayStorage(natives: Natives, value: readonly unknown[]): number {
  if (natives.hasDictionaryElements(value)) return STORED['dictionary-elements'];
  if (!natives.hasFastElements(value)) return STORED['not-fast-elements'];
  if (natives.hasHoleyElements(value)) return STORED['holey-kind'];
  if (natives.hasSmiElements(value)) return STORED['packed-smi'];
  return natives.hasDoubleElements(value) ? STORED['packed-double'] : STORED['packed-elements'];
}
