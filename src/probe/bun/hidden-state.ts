/**
 * Finds objects that look flat but do not take the fast path: a property was deleted, or they have #private members.
 * Reflection does not show it; the cost of posting them does.
 */

import { lengthOf } from '../../core/value/array-reads.ts';
import { map } from '../../core/value/lists.ts';
import { ownData } from '../../core/value/own-data.ts';
import { typeDetection } from '../type-detection/type-detection.ts';
import { type BunJsc, parseObjectText } from './jsc.ts';
import { bytesByContent, fastPathCost, flatBytes, type StringBytes } from './message-cost.ts';
import type { SelfChannel } from './self-channel.ts';

const MOST_FOUND = 64;
const MOST_POSTS = 600;

/** By the standard, an object without properties is frozen as soon as it is not extensible; JSC stores it as before. */
function isFrozen(jsc: BunJsc, value: object): boolean {
  if (!Object.isFrozen(value)) return false;
  return (
    Reflect.ownKeys(value).length > 0 ||
    parseObjectText(jsc.jscDescribe(value))?.transition !== 'PreventExtensions'
  );
}

/** Nothing observable keeps it off the fast path. */
function looksFast(jsc: BunJsc, value: unknown): value is object {
  if (typeof value !== 'object' || value === null || typeDetection.isProxy(value)) return false;
  if (flatBytes(value, bytesByContent) === null || isFrozen(jsc, value)) return false;
  const plain = Reflect.ownKeys(value).every((key) => {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key)!;
    return typeof key === 'string' && descriptor.enumerable === true && descriptor.configurable === true;
  });
  const object = plain ? parseObjectText(jsc.jscDescribe(value)) : null;
  return object !== null && object.mode === 'NonArray' && !object.uncacheable;
}

interface Suspect {
  index: number;
  value: object;
}

/** Each object once: an array with the same object twice is serialized because of its identity alone. */
function suspectsIn(jsc: BunJsc, elements: readonly unknown[]): Suspect[] {
  const seen = new Set<object>();
  const suspects: Suspect[] = [];
  const length = lengthOf(elements);
  for (let index = 0; index < length; index++) {
    const value = ownData(elements, index);
    if (!looksFast(jsc, value) || seen.has(value)) continue;
    seen.add(value);
    suspects.push({ index, value });
  }
  return suspects;
}

/** @param stored bytes of a string as stored; used only when its content does not explain the cost */
async function isFast(channel: SelfChannel, stored: StringBytes, value: unknown): Promise<boolean> {
  const { cost } = await channel.post(value);
  return [bytesByContent, stored].some((bytes) => cost === fastPathCost(value, bytes)?.costs[0]?.bytes);
}

/** Halves a group until each slow object stands alone: log2(n) posts for each. */
async function slowObjects(
  channel: SelfChannel,
  stored: StringBytes,
  suspects: Suspect[],
): Promise<Suspect[]> {
  const found: Suspect[] = [];
  const groups = [suspects];
  for (let posts = 0; groups.length > 0 && posts < MOST_POSTS && found.length < MOST_FOUND; posts++) {
    const group = groups.pop()!;
    const values = map(group, ({ value }) => value);
    if (await isFast(channel, stored, values)) continue;
    if (group.length === 1) found.push(group[0]!);
    else groups.push(group.slice(group.length >> 1), group.slice(0, group.length >> 1));
  }
  return found;
}

/** Concrete paths, at most 64. To be called only when the message as a whole was serialized. */
export async function hiddenObjects(
  jsc: BunJsc,
  channel: SelfChannel,
  stored: StringBytes,
  value: unknown,
): Promise<string[]> {
  if (!Array.isArray(value)) {
    const hidden = channel.fastObjects && looksFast(jsc, value) && !(await isFast(channel, stored, value));
    return hidden ? ['$'] : [];
  }
  if (!channel.fastArrays) return [];
  const suspects = suspectsIn(jsc, value);
  const slow = suspects.length === 0 ? [] : await slowObjects(channel, stored, suspects);
  return map(slow, ({ index }) => `$[${index}]`);
}
