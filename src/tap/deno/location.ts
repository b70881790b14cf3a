import { create, defineProperty, getPrototypeOf } from '../realm/intrinsics.ts';

const FIELDS = [
  'href',
  'origin',
  'protocol',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

/** What a worker is told about its own address: that of the program's code, not of the code that starts it. */
export function repairLocation(address: string): void {
  const { location: own } = globalThis as typeof globalThis & { location?: object };
  if (own === undefined || own === null) return;
  const url = new URL(address);
  const repaired = create(getPrototypeOf(own)) as object;
  const define = (key: string, value: unknown, enumerable: boolean) =>
    defineProperty(repaired, key, { value, enumerable, configurable: false, writable: false });
  for (let i = 0; i < FIELDS.length; i++) define(FIELDS[i]!, url[FIELDS[i]!], true);
  define('toString', () => url.href, false);
  defineProperty(globalThis, 'location', { configurable: true, enumerable: true, get: () => repaired });
}
