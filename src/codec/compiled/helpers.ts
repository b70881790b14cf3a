/**
 * Functions that compiled codecs share. Each codec contains the functions that it calls. The sender fills `ints`,
 * `doubles`, `text` and `rest`, up to `i` and `d`; the receiver reads them by `ip`, `dp`, `tp` and `rp`. Code that is
 * made for a schema never assigns these variables, only calls these functions, so that they can be a separate module.
 */

import { flatMap } from '../../value/read/lists.ts';
import { blocksOf, calledBy } from '../code/javascript.ts';
import { IS_OBJECT } from '../code/shared-declarations.ts';
import { MIN_INT } from '../schema/payload-schema.ts';
import { COLUMN_HELPERS } from './views.ts';
import { WAYS } from './ways/index.ts';
import { VALUE } from './ways/scalars.ts';

/** The type of a message, in TypeScript. */
export const STREAMS =
  '{ version: string; ints: Int32Array; doubles: Float64Array; text: string; words: string; rest: unknown[] }';

/** Both ends of a message: the code that all codecs run before and after their specific functions. */
const MESSAGE: readonly string[] = [
  `/*type Streams = ${STREAMS}; */
/*type Write = (value: unknown, path: string) => void; */`,
  `// The message that is written, up to the positions i and d.
let ints = new Int32Array(256);
let doubles = new Float64Array(256);
let text = '';
let rest/*: unknown[] */ = [];
let [i, d] = [0, 0];
let isWriting = false;
/** Texts that repeat, and their numbers. */
const words = new Map/*<string, number> */();
/** Lists of keys that repeat. */
const lists/*: string[][] */ = [];
/** Where something did not fit. */
const missed = new Set/*<string> */();

function begin()/*: void */ {
  [i, d, text, rest] = [0, 0, '', []];
  words.clear();
  lists.length = 0;
  missed.clear();
}

function writeMessage(payload/*: unknown */, write/*: Write */)/*: string */ {
  // For what reads keys by \`for in\`.
  for (const key in Object.prototype) throw new TypeError(\`all objects have a key \${key}\`);
  write(payload, '$');
  for (const word of words.keys()) ints[i++] = word.length;
  ints[i++] = words.size;
  return words.size === 0 ? '' : [...words.keys()].join('');
}

function send/*<P> */(version/*: string */, payload/*: P */, write/*: Write */, onMiss/*?: (path: string) => void */)/*: Streams | { asIs: P } */ {
  if (isWriting) return { asIs: payload };
  isWriting = true;
  try {
    let known = writeMessage(payload, write);
    if (i > ints.length || d > doubles.length) {
      ints = new Int32Array(2 * i);
      doubles = new Float64Array(2 * d);
      begin();
      known = writeMessage(payload, write);
    }
    return { version, ints: ints.slice(0, i), doubles: doubles.slice(0, d), text, words: known, rest };
  } catch {
    missed.add('$'); // too deep, or a getter that throws: postMessage tells
    return { asIs: payload };
  } finally {
    const paths = [...missed];
    begin();
    isWriting = false;
    for (const path of paths) onMiss?.(path);
  }
}

const putInt = (int/*: number */)/*: void */ => void (ints[i++] = int);

const putDouble = (double/*: number */)/*: void */ => void (doubles[d++] = double);

function putText(part/*: string */)/*: void */ {
  ints[i++] = part.length;
  text += part;
}`,
  `// The message that is read, from these positions on.
const NOTHING/*: Streams */ = { version: '', ints: new Int32Array(0), doubles: new Float64Array(0), text: '', words: '', rest: [] };
let { version: versionIn, ints: intsIn, doubles: doublesIn, text: textIn, rest: restIn } = NOTHING;
let wordsIn/*: string[] */ = [];
const listsIn/*: string[][] */ = [];
let [ip, dp, tp, rp, intsEnd] = [0, 0, 0, 0, 0];

function take({ version, ints, doubles, text, rest }/*: Streams */)/*: void */ {
  [versionIn, intsIn, doublesIn, textIn, restIn] = [version, ints, doubles, text, rest];
}

/** Of memory that the message has, so that lengths in it can ask for no more. */
function isWhole({ ints, doubles, text, words, rest }/*: Streams */)/*: boolean */ {
  let items = 0;
  while (items in rest) items++;
  return (
    ArrayBuffer.isView(ints) && ArrayBuffer.isView(doubles) && items === rest.length &&
    typeof text === 'string' && typeof words === 'string'
  );
}

/** Their lengths stand at the end. Gives the place of the first. */
function takeWords(words/*: string */)/*: number */ {
  const last = intsIn.length - 1;
  const first = last - (intsIn[last] ?? damaged());
  if (!(first >= 0 && first <= last)) return damaged();
  let end = 0;
  wordsIn = Array.from(intsIn.subarray(first, last), (length) =>
    length >= 0 ? words.slice(end, (end += length)) : damaged(),
  );
  return end === words.length ? first : damaged();
}

function receive(version/*: string */, message/*: unknown */, read/*: () => unknown */, open = (one/*: unknown */) => one/*as Streams */)/*: unknown */ {
  const { version: other }/*: { version?: string } */ = Object(message);
  if (other !== version)
    throw new TypeError(\`codec \${version} cannot read a message of codec \${other}\`);
  versionIn = version;
  try {
    const opened = open(message);
    if (!isWhole(opened)) return damaged();
    take(opened);
    [ip, dp, tp, rp] = [0, 0, 0, 0];
    listsIn.length = 0;
    intsEnd = takeWords(opened.words);
    const payload = read();
    return ip === intsEnd && dp === doublesIn.length && tp === textIn.length && rp === restIn.length
      ? payload
      : damaged();
  } catch {
    return damaged();
  } finally {
    take(NOTHING);
    if (wordsIn.length > 0) wordsIn = [];
  }
}

const nextInt = ()/*: number */ => intsIn[ip++]/*as number */;

const nextDouble = ()/*: number */ => doublesIn[dp++]/*as number */;

const nextText = (length = nextInt())/*: string */ =>
  length >= 0 ? textIn.slice(tp, (tp += length)) : damaged();

const nextRest = ()/*: unknown */ => restIn[rp++];

/** Each item takes at least one place. */
const isLength = (n/*: number */)/*: boolean */ =>
  n >= 0 && n <= intsEnd - ip + doublesIn.length - dp + restIn.length - rp;`,
  `function damaged()/*: never */ {
  throw new TypeError(\`the message of codec \${versionIn} is cut, damaged or too deep\`);
}`,
];

/** Reading the next value, and marks for values that do not fit their place. */
const ESCAPES: readonly string[] = [
  `// Integers that say what stands there instead.
const FIRST_INT = ${MIN_INT};
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

const OBJECTS: readonly string[] = [
  `/** A list without holes, which read as undefined. */
function startList(value/*: unknown */, path/*: string */, known/*: string */)/*: value is unknown[] */ {
  const fits = Array.isArray(value) && !value.includes(undefined);
  if (fits) ints[i++] = value.length;
  else writeOther(value, path, known);
  return fits;
}`,
  IS_OBJECT,
  `const isPlain = (value/*: unknown */)/*: value is Record<string, unknown> */ =>
  isObject(value) && Object.getPrototypeOf(value) === Object.prototype;`,
  `/** Of this class itself: what a subclass has instead of its methods is not called. */
const isA = /*<T> */(value/*: unknown */, { prototype }/*: { prototype: T } */)/*: value is T */ =>
  isObject(value) && Object.getPrototypeOf(value) === prototype;`,
  `/** An object with these keys, in this order. */
function startRecord/*<T> */(value/*: unknown */, keys/*: readonly string[] */)/*: value is T */ {
  let at = isPlain(value) ? 0 : -1;
  if (at === 0) for (const key in value/*as object */) if (key !== keys[at++]) at = -1;
  if (at === keys.length) ints[i++] = 0;
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

/** All helpers except for views, whose helpers have types of their payload. */
export const ALL_HELPERS = [
  ...MESSAGE,
  ...ESCAPES,
  ...OBJECTS,
  ...flatMap(WAYS, ({ helpers = [] }) => helpers),
].join('\n\n');

const BLOCKS = blocksOf([ALL_HELPERS, ...COLUMN_HELPERS].join('\n\n'));

export const helpersOf = (code: string): string => calledBy(code, BLOCKS);
