import { isIndexKey } from '../../core/value/own-data.ts';
import type { Natives } from '../natives/native-functions.ts';

/** WriteJSObject takes the fast path for fast properties and no elements, up to the first getter. Never a Proxy. */
export function objectPath(value: object, natives: Natives): 'fast-object' | 'dictionary-object' {
  // Integer keys come first (OrdinaryOwnPropertyKeys).
  const first = Reflect.ownKeys(value)[0];
  const indexed = typeof first === 'string' && isIndexKey(first);
  const hasGetter = Object.keys(value).some((key) => 'get' in Reflect.getOwnPropertyDescriptor(value, key)!);
  return natives.hasFastProperties(value) && !indexed && !hasGetter ? 'fast-object' : 'dictionary-object';
}
