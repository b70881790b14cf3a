/** The definition of a way of writing values, and the ways of single values. */
import type { ValueType } from '../../../model/documents/payload-schema.ts';
import { capitalized } from '../../code/javascript.ts';

/** Place of long texts in a message: joined with all others, or in the list of cloned values. */
export type TextForm = 'joined' | 'listed';

export const VALUE = 'value/*: unknown */, path/*: string */';

export interface TypeCall {
  /** Suffix of the `write` and `read` functions: `List`. */
  name: string;
  /** Suffixes of the functions for the inner values: `['Order']`. */
  inside: readonly string[];
  /** True if the value does not contain others, so that one helper writes it. */
  isScalar?: boolean | undefined;
  /** True if all values fit: its helpers do not need a path. */
  bare?: true | undefined;
  /** For a list of scalars: the `known` of its items. */
  items?: string | undefined;
  /** `null|boolean`: constants that the place may hold instead of a value. */
  known: string;
}

/** Space of a value in a message, if it is equal for all values. */
export interface Places {
  ints: number;
  doubles: number;
  /** Integers that are lengths of texts. */
  texts: readonly number[];
  /** Integers that must equal a mark, as a sign that all fields fit. */
  marks: readonly (readonly [at: number, mark: number])[];
}

export const NO_PLACES: Places = { ints: 0, doubles: 0, texts: [], marks: [] };
export const ONE_INT: Places = { ...NO_PLACES, ints: 1 };
export const ONE_DOUBLE: Places = { ...NO_PLACES, doubles: 1 };

/** One way of writing the values of a place. A type can have several. */
export interface Way extends Pick<TypeCall, 'isScalar' | 'bare' | 'items'> {
  /** `word`; it is part of the version of a codec. */
  name: string;
  fits(type: ValueType, form: TextForm): boolean;
  /** Types of the values inside. Items of lists and fields of records have separate functions. */
  inside?(type: ValueType): readonly number[];
  /** @param isRecursive a type inside is an alias, because it contains itself without a record between */
  tsType(type: ValueType, inside: readonly string[], isRecursive: boolean): string;
  /** A condition on `value` that excludes values of other ways. Absent if the place never has other ways. */
  test?(type: ValueType): string;
  /** Suffix of the functions; default: the capitalized name. */
  suffix?(type: ValueType): string;
  /** The functions with this suffix, which each codec with it declares. */
  code?(name: string, type: ValueType): string;
  helpers?: readonly string[];
  /** Space of a value in a message. Absent if it differs between values of one type. */
  places?(type: ValueType): Places;
  array?: 'Int32Array' | 'Float64Array';
}

/** `OrderOrNull` */
export const orKnown = (name: string, known: string): string =>
  [name, ...(known === '' ? [] : known.split('|').map(capitalized))].join('Or');

export const container = (name: string, fits: string, lines: string, writers = 'write/*: Write */'): string =>
  `function write${name}(${VALUE}, ${writers}, known = '')/*: void */ {
  if (!${fits}) return writeOther(value, path, known);
${lines}
}`;

const writer = (name: string, fits: string, writes: string): string =>
  `function write${name}(${VALUE}, known = '')/*: void */ {
  if (${fits}) ${writes}
  else writeOther(value, path, known);
}`;

const escaping = (name: string, fits: string, writes: string, known: string): string =>
  `function write${name}(${VALUE}, known = '')/*: void */ {
  if (${fits}) doubles[d++] = ${writes};
  else {
    doubles[d++] = ESCAPE;
    writeOther(value, path, ${known});
  }
}`;

interface ScalarRow extends Omit<Way, 'tsType' | 'test'> {
  tsType: string;
  /** Condition on `value`; default: a check of `typeof`. */
  test?: string;
  lists?: typeof scalarList;
}

/** Single values, and lists of them: `writeInt`, `readInt`, `writeIntList`, `readIntList`. */
function scalar({ tsType, test, lists = scalarList, helpers = [], ...row }: ScalarRow): Way {
  const name = capitalized(row.name);
  return {
    ...row,
    tsType: () => tsType,
    test: () => test ?? `typeof value === '${tsType}'`,
    helpers: [...helpers, ...lists(name, tsType)],
    isScalar: true,
  };
}

/** Each type has a separate loop, so that engines inline the function for an item. */
const scalarList = (name: string, type: string): string[] => [
  `function write${name}List(${VALUE}, items = '', known = '')/*: void */ {
  if (!startList(value, path, known)) return;
  const inside = path + '[*]';
  for (let at = 0; at < value.length; at++) write${name}(value[at], inside, items);
}`,
  `function read${name}List(length = nextInt())/*: ${type}[] */ {
  if (!isLength(length)) return readOther(length)/*as ${type}[] */;
  const list/*: ${type}[] */ = emptyList(length);
  for (let at = 0; at < length; at++) list[at] = read${name}();
  return list;
}`,
];

/**
 * The loop copies numbers until a number does not fit. Each function makes its own arrays, so that engines can
 * specialize on their element type.
 */
const numberLists =
  ({ all, at: place, isMisfit, isMark, value: other }: NumberStream) =>
  (name: string): string[] => [
    `function write${name}List(${VALUE}, items = '', known = '')/*: void */ {
  if (!Array.isArray(value)) return writeOther(value, path, known);
  const start = i;
  const first = d;
  ints[i++] = value.length;
  const to = ${all};
  let at = 0;
  let end = ${place};
  for (; at < value.length; at++) {
    const one/*: unknown */ = value[at];
    if (${isMisfit}) break;
    to[end++] = one;
  }
  ${place} = end;
  if (at === value.length) return;
  if (value.includes(undefined, at)) {
    i = start;
    d = first;
    return writeOther(value, path, known);
  }
  for (; at < value.length; at++) write${name}(value[at], path + '[*]', items);
}`,
    `function read${name}List(length = nextInt())/*: number[] */ {
  if (!isLength(length)) return readOther(length)/*as number[] */;
  const list/*: number[] */ = length < 100000 ? new Array(length) : [];
  const from = ${all}In;
  let end = ${place}p;
  for (let at = 0; at < length; at++) {
    let one = from[end++]/*as number */;
    if (${isMark}) {
      ${place}p = end;
      one = readOther(${other})/*as number */;
      end = ${place}p;
    }
    list[at] = one;
  }
  ${place}p = end;
  return list;
}`,
  ];

/** Position of numbers in a message, and conditions on `one`. */
interface NumberStream {
  all: 'ints' | 'doubles';
  at: 'i' | 'd';
  isMisfit: string;
  isMark: string;
  /** Expression of the mark; '' if the mark is the next integer. */
  value: string;
}

/** Minimum mean length of listed texts, in UTF-16 units: shorter texts are cheaper to join. */
const LONG_TEXT = 40;

export const isListed = ({ count, units }: { count: number; units: number }, form: TextForm): boolean =>
  form === 'listed' && units >= LONG_TEXT * count;

export const word: Way = scalar({
  name: 'word',
  fits: ({ text }) => text?.repeats === true,
  tsType: 'string',
  places: () => ONE_INT,
  helpers: [
    `/** Texts that repeat are sent once. */
function writeWord(${VALUE}, known = '')/*: void */ {
  if (typeof value !== 'string') return writeOther(value, path, known);
  let index = words.get(value);
  if (index === undefined) words.set(value, (index = words.size));
  ints[i++] = index;
}`,
    `const readWord = (n = nextInt())/*: string */ =>
  n >= 0 ? (wordsIn[n] ?? damaged()) : (readOther(n)/*as string */);`,
  ],
});

export const text: Way = scalar({
  name: 'text',
  fits: ({ text }, form) => text !== undefined && !text.repeats && !isListed(text, form),
  tsType: 'string',
  places: () => ({ ...NO_PLACES, ints: 1, texts: [0] }),
  helpers: [
    `function writeText(${VALUE}, known = '')/*: void */ {
  if (typeof value !== 'string') return writeOther(value, path, known);
  ints[i++] = value.length;
  text += value;
}`,
    `const readText = (n = nextInt())/*: string */ => (n >= 0 ? nextText(n) : readOther(n)/*as string */);`,
  ],
});

export const int: Way = scalar({
  name: 'int',
  fits: ({ number }) => number === 'int32',
  tsType: 'number',
  places: () => ONE_INT,
  array: 'Int32Array',
  helpers: [
    writer('Int', 'isInt(value) && value >= FIRST_INT', 'ints[i++] = value;'),
    `const readInt = (n = nextInt())/*: number */ => (n >= FIRST_INT ? n : readOther(n)/*as number */);`,
  ],
  lists: numberLists({
    all: 'ints',
    at: 'i',
    isMisfit: "typeof one !== 'number' || (one | 0) !== one || one < FIRST_INT || Object.is(one, -0)",
    isMark: '!(one >= FIRST_INT)',
    value: 'one',
  }),
});

export const double: Way = scalar({
  name: 'double',
  fits: ({ number }) => number === 'double',
  tsType: 'number',
  places: () => ONE_DOUBLE,
  array: 'Float64Array',
  helpers: [
    escaping('Double', "typeof value === 'number' && value !== ESCAPE", 'value', "known + 'number'"),
    `const readDouble = (n = nextDouble())/*: number */ => (n !== ESCAPE ? n : readOther()/*as number */);`,
  ],
  lists: numberLists({
    all: 'doubles',
    at: 'd',
    isMisfit: "typeof one !== 'number' || one === ESCAPE",
    isMark: 'one === ESCAPE',
    value: '',
  }),
});

export const bigint: Way = scalar({
  name: 'bigint',
  fits: (type) => type.bigint === true,
  tsType: 'bigint',
  helpers: [
    `/** As two halves. */
function writeBigint(${VALUE}, known = '')/*: void */ {
  if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) return writeOther(value, path, known);
  ints[i++] = 0;
  ints[i++] = Number(BigInt.asIntN(32, value));
  ints[i++] = Number(value >> BigInt(32));
}`,
    `function readBigint()/*: bigint */ {
  const mark = nextInt();
  if (mark !== 0) return readOther(mark)/*as bigint */;
  const low = BigInt.asUintN(32, BigInt(nextInt() | 0));
  return (BigInt(nextInt() | 0) << BigInt(32)) | low;
}`,
  ],
});

export const date: Way = scalar({
  name: 'date',
  fits: (type) => type.date === true,
  tsType: 'Date',
  test: 'value instanceof Date',
  places: () => ONE_DOUBLE,
  helpers: [
    escaping('Date', 'isA(value, Date)', 'Date.prototype.getTime.call(value)', 'known'),
    `const readDate = (n = nextDouble())/*: Date */ => (n !== ESCAPE ? new Date(n) : readOther()/*as Date */);`,
  ],
});

export const boolean: Way = scalar({
  name: 'boolean',
  fits: (type) => type.boolean === true,
  tsType: 'boolean',
  places: () => ONE_INT,
  helpers: [
    writer('Boolean', "typeof value === 'boolean'", 'ints[i++] = value ? 1 : 0;'),
    `const readBoolean = (n = nextInt())/*: boolean */ =>
  n === 1 || (n === 0 ? false : readOther(n)/*as boolean */);`,
  ],
});

export const rest: Way = {
  name: 'rest',
  fits: (type, form) =>
    type.rest === true ||
    type.bytes !== undefined ||
    (type.text !== undefined && !type.text.repeats && isListed(type.text, form)),
  tsType: ({ rest, bytes = [] }) => (rest ? 'unknown' : bytes.join(' | ')),
  bare: true,
  helpers: [
    'const readRest = nextRest;',
    'const writeRest = (value/*: unknown */)/*: void */ => void rest.push(value);',
  ],
};
