/** Whether a value arrives through a codec as a plain clone does. */
import { compare } from '../../../src/core/compare/compare.ts';
import type { CompiledCodec } from './codec.ts';

/** Objects inside a value, each once. */
export function objectsIn(root: unknown): Set<object> {
  const seen = new Set<object>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (value instanceof Map) for (const [key, member] of value) open.push(key, member);
    else if (value instanceof Set) for (const member of value) open.push(member);
    if (!ArrayBuffer.isView(value)) for (const key of Object.keys(value)) open.push(Reflect.get(value, key));
  }
  return seen;
}

/** A codec leaves them out, as it says. */
export function hasNamedElements(value: unknown): boolean {
  for (const one of objectsIn(value)) {
    if (!Array.isArray(one)) continue;
    const last = Object.keys(one).at(-1);
    if (last !== undefined && !(Number(last) < one.length && String(Number(last)) === last)) return true;
  }
  return false;
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
  const failed = (complaint: string): Sent => ({ complaint, way, missed: missed.length });
  try {
    const message = codec.toMessage(make(), (path) => missed.push(path));
    if ('asIs' in message) way = 'as it is';
    step = 'structuredClone';
    const posted = plain === null ? plainCopy(message) : { copy: structuredClone(message) };
    if (posted === null) way = 'refused';
    if (plain === null || posted === null || hasNamedElements(plain.copy)) return failed('');
    step = 'fromMessage';
    const received = codec.fromMessage(posted.copy);
    return failed(differencesBetween(plain.copy, received, mayCopy).slice(0, 3).join('; '));
  } catch (error) {
    return failed(`${step} threw ${String(error).slice(0, 200)}`);
  }
}
