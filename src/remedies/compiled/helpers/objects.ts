import type { Helper } from './helper.ts';

/** What a value is, and which keys it has. */
export const OBJECTS: Readonly<Record<string, Helper>> = {
  isList: {
    code: `/** Without holes, which read as undefined. */
const isList = (value/*: unknown */)/*: value is unknown[] */ =>
  Array.isArray(value) && !value.includes(undefined);`,
  },
  isPlain: {
    code: `const isPlain = (value/*: unknown */)/*: value is Record<string, unknown> */ =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;`,
  },
  isA: {
    code: `/** Of this class itself: what a subclass has instead of its methods is not called. */
const isA = /*<T> */(value/*: unknown */, { prototype }/*: { prototype: T } */)/*: value is T */ =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === prototype;`,
  },
  inheritsNone: {
    needs: ['isPlain'],
    code: `/** For \`for in\`, which is faster than keys in all engines. */
const inheritsNone = (value/*: unknown */)/*: value is Record<string, unknown> */ =>
  isPlain(value) && Object.keys(Object.prototype).length === 0;`,
  },
  fits: {
    needs: ['isPlain'],
    code: `/** An object with these keys, in this order. */
function fits/*<T> */(value/*: unknown */, keys/*: readonly string[] */)/*: value is T */ {
  if (!isPlain(value)) return false;
  let at = 0;
  for (const key in value) if (key !== keys[at++]) return false;
  return at === keys.length;
}`,
  },
  layoutOf: {
    needs: ['isPlain'],
    code: `/** Which of the lists of keys the object has; -1 for none of them. */
function layoutOf(value/*: unknown */, layouts/*: readonly (readonly string[])[] */)/*: number */ {
  if (!isPlain(value)) return -1;
  const own = Object.keys(value);
  const last = own.length - 1;
  for (let layout = 0; layout < layouts.length; layout++) {
    const keys = layouts[layout]/*as readonly string[] */;
    if (keys.length !== own.length || keys[last] !== own[last]) continue;
    let at = 0;
    while (at < last && keys[at] === own[at]) at++;
    if (at >= last) return layout;
  }
  return -1;
}`,
  },
  presence: {
    needs: ['isPlain'],
    code: `/** Bits of the optional keys that the object has; -1 where its keys are others, or in another order. */
function presence(value/*: unknown */, keys/*: readonly string[] */, bits/*: readonly number[] */)/*: number */ {
  if (!isPlain(value)) return -1;
  let [found, at] = [0, 0];
  for (const key in value) {
    while (at < keys.length && key !== keys[at]) if (bits[at++] === 0) return -1;
    if (at === keys.length) return -1;
    found |= bits[at++]/*as number */;
  }
  while (at < keys.length) if (bits[at++] === 0) return -1;
  return found;
}`,
  },
  setKey: {
    code: `function setKey(object/*: object */, key/*: string */, value/*: unknown */)/*: void */ {
  if (key !== '__proto__') (object/*as Record<string, unknown> */)[key] = value;
  else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}`,
  },
};
