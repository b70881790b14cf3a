import { orElse } from '../../model/or-else.ts';

const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const ownData = (owner: object, key: PropertyKey): unknown =>
  getOwnPropertyDescriptor(owner, key)?.value;

export type ProxyTest = (value: object) => boolean;

/** For chains of values that were cloned, or of which a Proxy was excluded before. */
export const isNoProxy: ProxyTest = () => false;

const MAX_CHAIN = 1000;

/** Returns the first answer that is not undefined, from `start` up its prototypes, to the end of the chain or a Proxy. */
export function onChain<T>(
  start: object | null,
  isProxy: ProxyTest,
  ask: (at: object) => T | undefined,
): T | undefined {
  let at = start;
  for (let i = 0; at !== null && i < MAX_CHAIN && !isProxy(at); i++) {
    const answer = ask(at);
    if (answer !== undefined) return answer;
    at = getPrototypeOf(at);
  }
  return undefined;
}

export function hasToJson(value: object, isProxy: ProxyTest): boolean {
  const called = onChain(value, isProxy, (at) => {
    const found = getOwnPropertyDescriptor(at, 'toJSON');
    return found && (found.get !== undefined || typeof found.value === 'function');
  });
  return called ?? false;
}

/** The last array index is 2^32 - 2 (ECMA-262, array index); JSC keeps exactly the array indices in indexed storage. */
const LAST_INDEX = 4294967294;
const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** True for a property key that engines treat as an array index: "0", "17", not "01". */
export function isIndexKey(key: string): boolean {
  const first = key.charCodeAt(0);
  if (!(first >= 48 && first <= 57)) return false;
  return INDEX.test(key) && Number(key) <= LAST_INDEX;
}

/** True if an element of an array may come from this object on its chain. */
export const hasIndices = (prototype: object): boolean =>
  Reflect.ownKeys(prototype).some((key) => typeof key === 'string' && isIndexKey(key));

/** Own properties of every error, which depend on the place in the code. Lines are of JSC, file names of Firefox. */
export const ERROR_ENVIRONMENT: ReadonlySet<PropertyKey> = new Set([
  ...['stack', 'line', 'column', 'sourceURL', 'originalLine', 'originalColumn'],
  ...['fileName', 'lineNumber', 'columnNumber'],
]);

/** V8 has an own accessor here from Node 21 on, the same for every error. */
const native = getOwnPropertyDescriptor(new Error(), 'stack')?.get;

/** undefined for a user's getter. The first read formats the stack: Error.prepareStackTrace and getters may run. */
export const ownStack = (error: object): unknown =>
  orElse(() => {
    const found = getOwnPropertyDescriptor(error, 'stack');
    if (found === undefined || 'value' in found) return found?.value;
    return native !== undefined && found.get === native ? Reflect.apply(native, error, []) : undefined;
  }, undefined);
