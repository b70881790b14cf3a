/** Whether a value arrives through a codec as a plain clone does. */
import { compare } from '../../../src/value/compare/compare.ts';
import type { CompiledCodec } from './codec.ts';

function* partsOf(value: object): Iterable<unknown> {
  if (value instanceof Map) for (const entry of value) yield* entry;
  else if (value instanceof Set) yield* value;
  if (!ArrayBuffer.isView(value)) for (const key of Object.keys(value)) yield Reflect.get(value, key);
}

/** Objects inside a value, each once. */
export function objectsIn(root: unknown): Set<object> {
  const seen = new Set<object>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    try {
      for (const part of partsOf(value)) open.push(part);
    } catch {
      // A getter that throws, or a Map by its prototype alone.
    }
  }
  return seen;
}

/**
 * Codecs leave out what stands beside elements, which JavaScriptCore keeps of Maps and Sets too, and read elements
 * themselves: accessors, hidden and inherited ones.
 */
export function hasOddElements(value: unknown): boolean {
  return [...objectsIn(value)].some((one) =>
    one instanceof Map || one instanceof Set ? Object.keys(one).length > 0 : Array.isArray(one) && isOdd(one),
  );
}

const isElement = (key: string, { length }: readonly unknown[]): boolean =>
  String(Number(key) >>> 0) === key && Number(key) < length;

function isOdd(list: readonly unknown[]): boolean {
  const keys = Object.keys(list);
  const last = keys.at(-1);
  if (last !== undefined && !isElement(last, list)) return true;
  for (const key in list) if (!Object.hasOwn(list, key) && isElement(key, list)) return true;
  if (keys.length + 1 !== Object.getOwnPropertyNames(list).length) return true;
  return keys.some((key) => Object.getOwnPropertyDescriptor(list, key)!.get !== undefined);
}

/** `compare` leaves the order of keys aside. */
function orderOf(value: unknown): string {
  return [...objectsIn(value)].map((one) => (Array.isArray(one) ? '[]' : Object.keys(one).join())).join(';');
}

/** What the codec says of objects at two places: they arrive as two. */
const TOLD = /shared (reference|buffer) became a copy/;

/** @param mayCopy objects that stand at two places may arrive as copies */
export function differencesBetween(plain: unknown, received: unknown, mayCopy: boolean): string[] {
  const losses = compare(plain, received);
  const copies = losses.filter(({ what }) => TOLD.test(what));
  const found = losses
    .filter(({ what }) => !mayCopy || !TOLD.test(what))
    .map(({ path, what }) => `${path} ${what}`);
  if (found.length === 0 && copies.length === 0 && orderOf(plain) !== orderOf(received))
    found.push('$ has its keys in another order');
  return found;
}

/** What the engine makes of it; null where it refuses. */
export function plainCopy(value: unknown): { copy: unknown } | null {
  try {
    return { copy: structuredClone(value) };
  } catch {
    return null;
  }
}

export interface Sent {
  /** '' for a value that arrives as a plain clone does. */
  complaint: string;
  way: 'streams' | 'as it is' | 'refused';
  missed: number;
}

/**
 * @param make two calls give two equal values: getters may count
 * @param mayCopy see differencesBetween
 */
export function sent(codec: CompiledCodec, make: () => unknown, mayCopy: boolean): Sent {
  const plain = plainCopy(make());
  const missed: string[] = [];
  let step = 'toMessage';
  let way: Sent['way'] = 'streams';
  const done = (complaint: string): Sent => {
    const isTold = complaint !== '' && hasOddElements(make());
    return { complaint: isTold ? '' : complaint, way, missed: missed.length };
  };
  try {
    const message = codec.toMessage(make(), (path) => missed.push(path));
    if ('asIs' in message) way = 'as it is';
    step = 'structuredClone';
    const posted = plain === null ? plainCopy(message) : { copy: structuredClone(message) };
    if (posted === null) way = 'refused';
    if (plain === null || posted === null) return done('');
    step = 'fromMessage';
    const received = codec.fromMessage(posted.copy);
    return done(differencesBetween(plain.copy, received, mayCopy).slice(0, 3).join('; '));
  } catch (error) {
    return done(`${step} threw ${String(error).slice(0, 200)}`);
  }
}
