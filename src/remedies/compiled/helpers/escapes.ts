import { VALUE } from '../way.ts';

/** Smaller integers are marks, which stand for a value that does not fit. */
const FIRST_INT = -2147483640;

/** Reading the next value, and marks for values that do not fit their place. */
export const ESCAPES: readonly string[] = [
  `// Integers that say what stands there instead.
const FIRST_INT = ${FIRST_INT};
const NULL = FIRST_INT - 1;
const UNDEFINED = FIRST_INT - 2;
const TRUE = FIRST_INT - 3;
const FALSE = FIRST_INT - 4;
const DOUBLE = FIRST_INT - 5;
const REST = FIRST_INT - 6;`,
  '// Stands for what is no number.\nconst ESCAPE = -Number.MAX_VALUE;',
  `/** What does not fit its place is cloned as it is. \`known\`: what may stand there. */
function writeOther(${VALUE}, known = '')/*: void */ {
  if (value === null) ints[i++] = NULL;
  else if (value === undefined) ints[i++] = UNDEFINED;
  else if (typeof value === 'boolean') ints[i++] = value ? TRUE : FALSE;
  else if (typeof value === 'number') {
    ints[i++] = DOUBLE;
    doubles[d++] = value;
  } else {
    ints[i++] = REST;
    rest.push(value);
  }
  const kind = value === null ? 'null' : typeof value;
  if (known !== kind && !known.includes(kind)) missed.add(path);
}`,
  `function readOther(mark = nextInt())/*: unknown */ {
  if (mark === NULL) return null;
  if (mark === UNDEFINED) return undefined;
  if (mark === TRUE || mark === FALSE) return mark === TRUE;
  if (mark === DOUBLE) return nextDouble();
  return mark === REST ? nextRest() : damaged();
}`,
  "const isNumber = (value/*: unknown */)/*: value is number */ => typeof value === 'number';",
  `/** Integers of 32 bits, and not -0. */
const isInt = (value/*: unknown */)/*: value is number */ =>
  typeof value === 'number' && Object.is(value, value | 0);`,
];

/** Checks of a value's kind and keys. */
export const OBJECTS: readonly string[] = [
  `/** A list without holes, which read as undefined. */
function startList(value/*: unknown */, path/*: string */, known/*: string */)/*: value is unknown[] */ {
  const fits = Array.isArray(value) && !value.includes(undefined);
  if (fits) ints[i++] = value.length;
  else writeOther(value, path, known);
  return fits;
}`,
  `const isPlain = (value/*: unknown */)/*: value is Record<string, unknown> */ =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;`,
  `/** Of this class itself: what a subclass has instead of its methods is not called. */
const isA = /*<T> */(value/*: unknown */, { prototype }/*: { prototype: T } */)/*: value is T */ =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === prototype;`,
  `/** An object with these keys, in this order. */
function startRecord/*<T> */(value/*: unknown */, keys/*: readonly string[] */, path/*: string */, known/*: string */)/*: value is T */ {
  let at = isPlain(value) ? 0 : -1;
  if (at === 0) for (const key in value/*as object */) if (key !== keys[at++]) at = -1;
  if (at === keys.length) ints[i++] = 0;
  else writeOther(value, path, known);
  return at === keys.length;
}`,
  `/** Which of the lists of keys the object has; -1 for none of them. */
function layoutOf(value/*: unknown */, layouts/*: readonly (readonly string[])[] */)/*: number */ {
  if (!isPlain(value)) return -1;
  for (let layout = 0; layout < layouts.length; layout++) {
    const keys = layouts[layout]/*as readonly string[] */;
    let at = 0;
    for (const key in value) {
      if (key === keys[at]) at++;
      else {
        at = -1;
        break;
      }
    }
    if (at === keys.length) return layout;
  }
  return -1;
}`,
  `/** Bits of the optional keys that the object has; -1 where its keys are others, or in another order. */
function presence(value/*: unknown */, keys/*: readonly string[] */, bits/*: readonly number[] */)/*: number */ {
  if (!isPlain(value)) return -1;
  let found = 0;
  let at = 0;
  for (const key in value) {
    while (at < keys.length && key !== keys[at]) if (bits[at++] === 0) return -1;
    if (at === keys.length) return -1;
    found |= bits[at++]/*as number */;
  }
  while (at < keys.length) if (bits[at++] === 0) return -1;
  return found;
}`,
  `function setKey(object/*: object */, key/*: string */, value/*: unknown */)/*: void */ {
  if (key !== '__proto__') (object/*as Record<string, unknown> */)[key] = value;
  else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}`,
];
