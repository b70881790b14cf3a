import { type Helper, VALUE } from '../way.ts';

/** Integers below are marks: they say what stands there instead. */
const FIRST_INT = -2147483640;

/** What is read next, and what stands for values that do not fit their place. */
export const ESCAPES: Readonly<Record<string, Helper>> = {
  marks: {
    code: `// Integers that say what stands there instead.
const FIRST_INT = ${FIRST_INT};
const NULL = FIRST_INT - 1;
const UNDEFINED = FIRST_INT - 2;
const TRUE = FIRST_INT - 3;
const FALSE = FIRST_INT - 4;
const DOUBLE = FIRST_INT - 5;
const REST = FIRST_INT - 6;`,
  },
  escape: { code: '// Stands for what is no number.\nconst ESCAPE = -Number.MAX_VALUE;' },
  Write: { code: '/*type Write = (value: unknown, path: string) => void; */' },
  damaged: {
    code: `function damaged()/*: never */ {
  throw new TypeError(\`the message of codec \${VERSION} is cut, damaged or too deep\`);
}`,
  },
  nextInt: {
    needs: ['damaged'],
    code: 'const nextInt = ()/*: number */ => from.ints[ip++] ?? damaged();',
  },
  nextDouble: {
    needs: ['damaged'],
    code: 'const nextDouble = ()/*: number */ => from.doubles[dp++] ?? damaged();',
  },
  nextText: {
    needs: ['nextInt', 'damaged'],
    code: `const nextText = (length = nextInt())/*: string */ =>
  length >= 0 ? from.text.slice(tp, (tp += length)) : damaged();`,
  },
  nextRest: {
    needs: ['damaged'],
    code: 'const nextRest = ()/*: unknown */ => (rp in from.rest ? from.rest[rp++] : damaged());',
  },
  writeOther: {
    needs: ['marks'],
    code: `/** What does not fit its place is cloned as it is. \`known\`: what may stand there. */
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
  },
  readOther: {
    needs: ['marks', 'nextInt', 'nextDouble', 'nextRest', 'damaged'],
    code: `function readOther(mark = nextInt())/*: unknown */ {
  if (mark === NULL) return null;
  if (mark === UNDEFINED) return undefined;
  if (mark === TRUE || mark === FALSE) return mark === TRUE;
  if (mark === DOUBLE) return nextDouble();
  return mark === REST ? nextRest() : damaged();
}`,
  },
  isNumber: {
    code: "const isNumber = (value/*: unknown */)/*: value is number */ => typeof value === 'number';",
  },
  isInt: {
    code: `/** Integers of 32 bits, and not -0. */
const isInt = (value/*: unknown */)/*: value is number */ =>
  typeof value === 'number' && Object.is(value, value | 0);`,
  },
  isLength: {
    code: `/** Each item takes at least one place. */
const isLength = (n/*: number */)/*: boolean */ =>
  n >= 0 && n <= from.ints.length - ip + from.doubles.length - dp + from.rest.length - rp;`,
  },
};

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
