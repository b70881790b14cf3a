/** Reads of own properties that never run a getter. */
const { getOwnPropertyDescriptor } = Reflect;

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Undefined for a getter and for an absent property. */
export const ownData = (owner: object, key: PropertyKey): unknown =>
  getOwnPropertyDescriptor(owner, key)?.value;

/** 2^32 - 2 is the last array index (ECMA-262, array index); JSC keeps exactly these in indexed storage. */
const LAST_INDEX = 4294967294;
const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** True for a property key that engines treat as an array index: "0", "17", not "01". */
export function isIndexKey(key: string): boolean {
  const first = key.charCodeAt(0);
  if (!(first >= 48 && first <= 57)) return false;
  return INDEX.test(key) && Number(key) <= LAST_INDEX;
}

/**
 * Own properties that engines give to every error; they differ between places in the code, not between payloads. Line and
 * column ones are JavaScriptCore's, the file ones Firefox's.
 */
export const ERROR_ENVIRONMENT: ReadonlySet<PropertyKey> = new Set([
  ...['stack', 'line', 'column', 'sourceURL', 'originalLine', 'originalColumn'],
  ...['fileName', 'lineNumber', 'columnNumber'],
]);

/** V8 has an own accessor there from Node 21 on, the same for every error. */
const native = getOwnPropertyDescriptor(new Error(), 'stack')?.get;

/**
 * The own stack of an error; undefined where it has none, or a getter of the user's. The engine formats it when it is
 * first read, which may run Error.prepareStackTrace.
 */
export function ownStack(error: object): unknown {
  const found = getOwnPropertyDescriptor(error, 'stack');
  if (found === undefined || 'value' in found) return found?.value;
  return native !== undefined && found.get === native ? Reflect.apply(native, error, []) : undefined;
}
