/**
 * Finds objects that look flat, or are so except for nested values, but do not take the fast path: a property was deleted,
 * or they have #private members. Reflection does not show it; the cost of posting them does.
 */

import { readLength } from '../../core/value/array-reads.ts';
import { map } from '../../core/value/lists.ts';
import { ownData } from '../../core/value/own-data.ts';
import { typeDetection } from '../type-detection/type-detection.ts';
import { type BunJsc, parseObjectText } from './jsc.ts';
import { bytesByContent, fastPathCost, type StringBytes } from './message-cost.ts';
import type { SelfChannel } from './self-channel.ts';

const MAX_FOUND = 64;
const MAX_POSTS = 600;
/** Most elements to examine where nothing suggests that one has hidden state. */
const MAX_UNPROMPTED = 10_000;

/** A property with a value that keeps the object off the fast path. */
interface NestedValue {
  owner: Record<string, unknown>;
  key: string;
  held: unknown;
}

/** null when one of them is read-only, so that nothing can take its place. */
function nestedIn(owner: object): NestedValue[] | null {
  const found: NestedValue[] = [];
  for (const key of Object.keys(owner)) {
    const { value: held, writable } = Reflect.getOwnPropertyDescriptor(owner, key)!;
    if (held === null || (typeof held !== 'object' && typeof held !== 'bigint')) continue;
    if (writable !== true) return null;
    found.push({ owner: owner as Record<string, unknown>, key, held });
  }
  return found;
}

/** Nothing observable keeps it off the fast path, except nested values. */
function looksFast(jsc: BunJsc, value: unknown): value is object {
  if (typeof value !== 'object' || value === null || typeDetection.isProxy(value)) return false;
  if (Array.isArray(value) || typeDetection.of(value).kind !== 'object') return false;
  const keys = Reflect.ownKeys(value);
  const plain = keys.every((key) => {
    const { enumerable, configurable, writable } = Reflect.getOwnPropertyDescriptor(value, key)!;
    return typeof key === 'string' && enumerable === true && configurable === true && writable !== undefined;
  });
  const object = plain ? parseObjectText(jsc.jscDescribe(value)) : null;
  if (object === null) return false;
  // By the standard, an object without properties is frozen as soon as it is not extensible; JSC stores it as before.
  const isVacuous = keys.length === 0 && object.transition === 'PreventExtensions';
  if (Object.isFrozen(value) && !isVacuous) return false;
  return object.mode === 'NonArray' && !object.uncacheable && !object.polyProto;
}

type Suspect = NonNullable<ReturnType<typeof suspectAt>>;

function suspectAt(jsc: BunJsc, value: unknown, index: number) {
  if (!looksFast(jsc, value)) return null;
  const nested = nestedIn(value);
  return nested === null ? null : { index, value, nested };
}

/** Each object once: an array with the same object twice is serialized because of its identity alone. */
function suspectsIn(jsc: BunJsc, elements: readonly unknown[]): Suspect[] {
  const seen = new Set<object>();
  const suspects: Suspect[] = [];
  const length = readLength(elements);
  for (let index = 0; index < length; index++) {
    const suspect = suspectAt(jsc, ownData(elements, index), index);
    if (suspect === null || seen.has(suspect.value)) continue;
    seen.add(suspect.value);
    suspects.push(suspect);
  }
  return suspects;
}

/**
 * Whether the engine takes `value` by its fast path when null is in the place of the nested values. They are back before
 * other code runs: postMessage serializes at once, and plain data runs no code.
 *
 * @param stored bytes of a string as stored; used only when its content does not explain the cost
 */
async function isFast(
  channel: SelfChannel,
  stored: StringBytes,
  value: unknown,
  nested: readonly NestedValue[],
): Promise<boolean> {
  for (const { owner, key } of nested) owner[key] = null;
  let costs: (number | undefined)[];
  let posted: ReturnType<SelfChannel['post']>;
  try {
    costs = map([bytesByContent, stored], (bytes) => fastPathCost(value, bytes)?.costs[0]?.bytes);
    posted = channel.post(value);
  } finally {
    for (const { owner, key, held } of nested) owner[key] = held;
  }
  return costs.includes((await posted).cost);
}

/** Halves a group until each slow object stands alone: log2(n) posts for each. */
async function slowObjects(
  channel: SelfChannel,
  stored: StringBytes,
  suspects: Suspect[],
): Promise<Suspect[]> {
  const found: Suspect[] = [];
  const groups = [suspects];
  for (let posts = 0; groups.length > 0 && posts < MAX_POSTS && found.length < MAX_FOUND; posts++) {
    const group = groups.pop()!;
    const values: object[] = [];
    const nested: NestedValue[] = [];
    for (const suspect of group) {
      values.push(suspect.value);
      nested.push(...suspect.nested);
    }
    if (await isFast(channel, stored, values, nested)) continue;
    if (group.length === 1) found.push(group[0]!);
    else groups.push(group.slice(group.length >> 1), group.slice(0, group.length >> 1));
  }
  return found;
}

/**
 * Concrete paths, at most 64; null where there are too many objects to look for it. To be called only when the message
 * as a whole was serialized.
 *
 * @param flat nothing observable explains why it was
 */
export async function hiddenObjects(
  jsc: BunJsc,
  channel: SelfChannel,
  stored: StringBytes,
  value: unknown,
  flat: boolean,
): Promise<string[] | null> {
  if (!Array.isArray(value)) {
    const suspect = channel.fastObjects ? suspectAt(jsc, value, 0) : null;
    const hidden = suspect !== null && !(await isFast(channel, stored, value, suspect.nested));
    return hidden ? ['$'] : [];
  }
  if (!channel.fastArrays) return [];
  if (!flat && readLength(value) > MAX_UNPROMPTED) return null;
  const suspects = suspectsIn(jsc, value);
  const slow = suspects.length === 0 ? [] : await slowObjects(channel, stored, suspects);
  return map(slow, ({ index }) => `$[${index}]`);
}
