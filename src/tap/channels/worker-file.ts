/** What a worker is started from. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import {
  dataOf,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  startsWith,
  unbound,
} from '../realm/intrinsics.ts';

const urlPrototype = URL.prototype;
const hrefOf = unbound(getOwnPropertyDescriptor(urlPrototype, 'href')!.get as () => string) as (
  url: unknown,
) => string;

/** An object that can be read without running code of the program's. */
export const isReadable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !types.isProxy(value);

/** Address or path that a worker is started from; null where it cannot be read. */
export function addressOf(given: unknown): string | null {
  if (typeof given === 'string') return given;
  return isReadable(given) && getPrototypeOf(given) === urlPrototype ? hrefOf(given) : null;
}

/** null for code given as text. */
export function fileOf(given: unknown, options: unknown): string | null {
  const address = addressOf(given);
  if (address === null || (isReadable(options) && dataOf(options, 'eval') === true)) return null;
  if (startsWith(address, 'data:') || startsWith(address, 'blob:')) return null;
  try {
    return startsWith(address, 'file:') ? fileURLToPath(address) : resolve(address);
  } catch {
    return null;
  }
}
