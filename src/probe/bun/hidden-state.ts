/**
 * Finds objects that look flat and are not taken by the fast path: one of whose properties was deleted, or that carry
 * a #private brand. Reflection cannot see it; posting them can.
 */

import { typeDetection } from '../type-detection/type-detection.ts';
import { type BunJsc, parseObjectText } from './jsc.ts';
import { fastForm, flatBytes, type Width, widthByContent } from './message-cost.ts';
import type { BunWire } from './self-channel.ts';

const MOST_FOUND = 64;
const MOST_POSTS = 600;

/** An object without properties is frozen by the standard as soon as it is not extensible; not to JSC. */
function isFrozen(jsc: BunJsc, value: object): boolean {
  if (!Object.isFrozen(value)) return false;
  return (
    Reflect.ownKeys(value).length > 0 ||
    parseObjectText(jsc.jscDescribe(value))?.transition !== 'PreventExtensions'
  );
}

/** Nothing that anyone can see keeps it off the fast path. */
function looksFast(jsc: BunJsc, value: unknown): value is object {
  if (typeof value !== 'object' || value === null || typeDetection.isProxy(value)) return false;
  if (flatBytes(value, widthByContent) === null || isFrozen(jsc, value)) return false;
  const plain = Reflect.ownKeys(value).every((key) => {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key)!;
    return typeof key === 'string' && descriptor.enumerable === true && descriptor.configurable === true;
  });
  const said = plain ? parseObjectText(jsc.jscDescribe(value)) : null;
  return said !== null && said.mode === 'NonArray' && !said.uncacheable;
}

interface Suspect {
  index: number;
  value: object;
}

/** Once each: the same object twice in one array is serialized for its identity alone. */
function suspectsIn(jsc: BunJsc, elements: readonly unknown[]): Suspect[] {
  const seen = new Set<object>();
  const suspects: Suspect[] = [];
  for (let index = 0; index < elements.length; index++) {
    const value = Reflect.getOwnPropertyDescriptor(elements, index)?.value as unknown;
    if (!looksFast(jsc, value) || seen.has(value)) continue;
    seen.add(value);
    suspects.push({ index, value });
  }
  return suspects;
}

interface Asking {
  wire: BunWire;
  /** Of a string as stored; asked only when its content does not explain the cost. */
  exact: Width;
}

async function isFast({ wire, exact }: Asking, value: unknown): Promise<boolean> {
  const { cost } = await wire.post(value);
  return [widthByContent, exact].some((width) => cost === fastForm(value, width)?.costs[0]?.bytes);
}

/** Halves a group until each slow object stands alone: log2(n) posts for each. */
async function slowOnes(asking: Asking, suspects: Suspect[]): Promise<Suspect[]> {
  const found: Suspect[] = [];
  const groups = [suspects];
  for (let posts = 0; groups.length > 0 && posts < MOST_POSTS && found.length < MOST_FOUND; posts++) {
    const group = groups.pop()!;
    const fast = await isFast(
      asking,
      group.map(({ value }) => value),
    );
    if (fast) continue;
    if (group.length === 1) found.push(group[0]!);
    else groups.push(group.slice(group.length >> 1), group.slice(0, group.length >> 1));
  }
  return found;
}

/** Concrete paths. Only asked when the message as a whole was serialized. At most 64 are named. */
export async function hiddenIn(jsc: BunJsc, wire: BunWire, exact: Width, value: unknown): Promise<string[]> {
  const asking = { wire, exact };
  if (!Array.isArray(value)) {
    const hidden = wire.fastObjects && looksFast(jsc, value) && !(await isFast(asking, value));
    return hidden ? ['$'] : [];
  }
  if (!wire.fastArrays) return [];
  const suspects = suspectsIn(jsc, value);
  const slow = suspects.length === 0 ? [] : await slowOnes(asking, suspects);
  return slow.map(({ index }) => `$[${index}]`);
}
