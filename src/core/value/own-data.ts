/** Reads of own properties that never run a getter. */

const { getOwnPropertyDescriptor } = Reflect;

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Undefined for a getter and for an absent property. */
export function ownData(owner: object, key: PropertyKey): unknown {
  return getOwnPropertyDescriptor(owner, key)?.value;
}
