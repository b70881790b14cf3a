/** Pieces of JavaScript text. Keys come from payloads: every one of them goes through here. */

/** ASCII only, so that no key can smuggle control or bidirectional characters into what a user pastes. */
export function literal(value: string | number | boolean): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const NAME = /^[A-Za-z_$][\w$]*$/;

/** `.name` or `["odd key"]`. */
export function member(key: string): string {
  return NAME.test(key) ? `.${key}` : `[${literal(key)}]`;
}

/** Left side of a colon in an object literal; `__proto__` there would set the prototype unless computed. */
export function propertyName(key: string): string {
  if (key === '__proto__') return '["__proto__"]';
  return NAME.test(key) ? key : literal(key);
}

/** Declares the slot getter that tells what type of view something is, `undefined` for a DataView. */
export const TYPE_NAME =
  'const typeName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;';
