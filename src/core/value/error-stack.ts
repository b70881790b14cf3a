const { getOwnPropertyDescriptor } = Reflect;

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
