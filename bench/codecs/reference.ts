/**
 * The speed to come near to: a codec of straight-line code for one JSON value, as an expert would write it for that payload.
 * It throws where something does not fit, has no versions, no misses and no names: it is no codec to use.
 */

interface Type {
  isMissing: boolean;
  isNull: boolean;
  isBoolean: boolean;
  isInt: boolean;
  isDouble: boolean;
  /** Fewer than a quarter are distinct. */
  text: { repeats: boolean } | null;
  list: Type | null;
  record: ReadonlyMap<string, Type> | null;
  /** Objects of many keys: type of their values. */
  dictionary: Type | null;
}

/** Places of a record and of a list item, with what they hold at least. */
const SPARE = 64;
const MANY_KEYS = 40;
const MANY_KEYS_OF_ONE = 60;

const isInt = (value: unknown): boolean => typeof value === 'number' && Object.is(value, value | 0);

export function infer(values: readonly unknown[]): Type {
  const lists = values.filter((value) => Array.isArray(value)) as unknown[][];
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  const objects = values.filter(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  ) as Record<string, unknown>[];
  const keys = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  const most = objects.reduce((size, one) => Math.max(size, Object.keys(one).length), 0);
  const isDictionary =
    (keys.length > MANY_KEYS && keys.length > 3 * most) ||
    (objects.length === 1 && keys.length > MANY_KEYS_OF_ONE);
  const fieldOf = (key: string): [string, Type] => [
    key,
    infer(objects.map((one) => (Object.hasOwn(one, key) ? one[key] : undefined))),
  ];
  return {
    isMissing: values.includes(undefined),
    isNull: values.includes(null),
    isBoolean: values.some((value) => typeof value === 'boolean'),
    isInt: numbers.length > 0 && numbers.every(isInt),
    isDouble: !numbers.every(isInt),
    text: texts.length === 0 ? null : { repeats: 4 * new Set(texts).size < texts.length },
    list: lists.length === 0 ? null : infer(lists.some((one) => one.length > 0) ? lists.flat(1) : [null]),
    record: objects.length > 0 && !isDictionary ? new Map(keys.map(fieldOf)) : null,
    dictionary: isDictionary ? infer(objects.flatMap((one) => Object.values(one))) : null,
  };
}

/** How a value of one kind is told, written and read. */
interface Kind {
  test: string;
  write: string;
  read: string;
}

const literal = (key: string): string => JSON.stringify(key);

const grow = (length: string, size: number): string =>
  `if (ints.length < i + ${length} * ${size} + ${SPARE}) growInts(${length} * ${size} + ${SPARE});
if (doubles.length < d + ${length} * ${size} + ${SPARE}) growDoubles(${length} * ${size} + ${SPARE});`;

const SCALARS = {
  missing: { test: 'v === undefined', write: '', read: 'r = undefined;' },
  null: { test: 'v === null', write: '', read: 'r = null;' },
  boolean: {
    test: "typeof v === 'boolean'",
    write: "if (typeof v !== 'boolean') miss(); ints[i++] = v ? 1 : 0;",
    read: 'r = intsIn[ip++] === 1;',
  },
  int: {
    test: "typeof v === 'number'",
    write: 'if ((v | 0) !== v || (v === 0 && 1 / v < 0)) miss(); ints[i++] = v;',
    read: 'r = intsIn[ip++];',
  },
  double: {
    test: "typeof v === 'number'",
    write: "if (typeof v !== 'number') miss(); doubles[d++] = v;",
    read: 'r = doublesIn[dp++];',
  },
  text: {
    test: "typeof v === 'string'",
    write: "if (typeof v !== 'string') miss(); ints[i++] = v.length; text += v;",
    read: 'const n = intsIn[ip++]; r = textIn.substring(tp, tp += n);',
  },
  word: {
    test: "typeof v === 'string'",
    write: `if (typeof v !== 'string') miss();
let at = words.get(v);
if (at === undefined) { at = words.size; words.set(v, at); }
ints[i++] = at;`,
    read: 'r = wordsIn[intsIn[ip++]];',
  },
} satisfies Record<string, Kind>;

class Reference {
  readonly functions: string[] = [];
  #count = 0;

  /** Number of the functions that write and read it. */
  add(type: Type): number {
    const own = this.#count++;
    const kinds = this.#kinds(type);
    const [only, ...others] = kinds;
    const write = (kind: Kind, at: number) =>
      `${at === 0 ? '' : 'else '}if (${kind.test}) { ints[i++] = ${at}; ${kind.write} }`;
    const read = (kind: Kind, at: number) => `case ${at}: { ${kind.read} break; }`;
    const isOne = only !== undefined && others.length === 0;
    this.functions.push(
      `function write${own}(v) { ${isOne ? only.write : kinds.map(write).join('\n')} }`,
      `function read${own}() { let r; ${isOne ? only.read : `switch (intsIn[ip++]) { ${kinds.map(read).join('\n')} }`} return r; }`,
    );
    return own;
  }

  #kinds(type: Type): Kind[] {
    const { list, record, dictionary, text } = type;
    return [
      ...(type.isMissing ? [SCALARS.missing] : []),
      ...(type.isNull ? [SCALARS.null] : []),
      ...(type.isBoolean ? [SCALARS.boolean] : []),
      ...(type.isInt ? [SCALARS.int] : []),
      ...(type.isDouble ? [SCALARS.double] : []),
      ...(text ? [text.repeats ? SCALARS.word : SCALARS.text] : []),
      ...(list ? [this.#list(list)] : []),
      ...(record ? [this.#record(record)] : []),
      ...(dictionary ? [this.#dictionary(dictionary)] : []),
    ];
  }

  /** Numbers alone are written and read without a call for each. */
  #list(items: Type): Kind {
    const kinds = this.#kinds({ ...items, list: null, record: null, dictionary: null });
    const isOnly = (kind: Kind) =>
      kinds.length === 1 && kinds[0] === kind && !(items.list ?? items.record ?? items.dictionary);
    const isNumbers = isOnly(SCALARS.int) || isOnly(SCALARS.double);
    const at = isNumbers ? -1 : this.add(items);
    const [write, read] = isNumbers
      ? [`const v = list[k]; ${kinds[0]!.write}`, `let r; ${kinds[0]!.read} list[k] = r;`]
      : [`write${at}(list[k]);`, `list[k] = read${at}();`];
    return {
      test: 'Array.isArray(v)',
      write: `if (!Array.isArray(v)) miss();
const list = v;
ints[i++] = list.length;
${grow('list.length', sizeOf(items))}
for (let k = 0; k < list.length; k++) { ${write} }`,
      read: `const n = intsIn[ip++];
const list = new Array(n);
for (let k = 0; k < n; k++) { ${read} }
r = list;`,
    };
  }

  #record(fields: ReadonlyMap<string, Type>): Kind {
    const all = [...fields].map(([key, type]) => ({ key, at: this.add(type), isOptional: type.isMissing }));
    const required = all.filter(({ isOptional }) => !isOptional).length;
    const writes = all.map(({ key, at, isOptional }) =>
      isOptional
        ? `x = v[${literal(key)}]; if (x === undefined) ints[i++] = 0; else { n--; write${at}(x); }`
        : `write${at}(v[${literal(key)}]);`,
    );
    const reads = all.map(({ key, at, isOptional }) =>
      isOptional
        ? `x = read${at}(); if (x !== undefined) r[${literal(key)}] = x;`
        : `r[${literal(key)}] = read${at}();`,
    );
    const members = all.map(({ key, at }) => `${literal(key)}: read${at}()`);
    return {
      test: 'true',
      write: `if (typeof v !== 'object' || v === null || Object.getPrototypeOf(v) !== Object.prototype) miss();
let n = 0, x;
for (const key in v) n++;
${writes.join('\n')}
if (n !== ${required}) miss();`,
      read: required < all.length ? `let x; r = {}; ${reads.join('\n')}` : `r = { ${members.join(', ')} };`,
    };
  }

  #dictionary(values: Type): Kind {
    const at = this.add(values);
    return {
      test: 'true',
      write: `const keys = Object.keys(v);
ints[i++] = keys.length;
${grow('keys.length', sizeOf(values) + 1)}
for (const key of keys) { ints[i++] = key.length; text += key; write${at}(v[key]); }`,
      read: `const n = intsIn[ip++];
r = {};
for (let k = 0; k < n; k++) { const key = textIn.substring(tp, tp += intsIn[ip++]); r[key] = read${at}(); }`,
    };
  }
}

/** Places that a value takes without what is in its lists. */
const sizeOf = ({ record }: Type): number =>
  3 + [...(record?.values() ?? [])].reduce((sum, field) => sum + sizeOf(field), 0);

/** A module in JavaScript with `toMessage`, `fromMessage`, `transferList`. */
export function referenceCodec(value: unknown): string {
  const type = infer([value]);
  const reference = new Reference();
  const root = reference.add(type);
  const size = sizeOf(type) + 1024;
  return `const miss = () => { throw new Error('miss'); };
let ints = new Int32Array(${size}), doubles = new Float64Array(${size}), text = '', words = new Map();
let i = 0, d = 0, ip = 0, dp = 0, tp = 0;
let intsIn = ints, doublesIn = doubles, textIn = '', wordsIn = [];
function growInts(n) { const more = new Int32Array(ints.length * 2 + n); more.set(ints); ints = more; }
function growDoubles(n) { const more = new Float64Array(doubles.length * 2 + n); more.set(doubles); doubles = more; }
${reference.functions.join('\n')}
export function toMessage(value) {
  i = d = 0;
  text = '';
  words = new Map();
  write${root}(value);
  const known = [...words.keys()];
  const lengths = Int32Array.from(known, (word) => word.length);
  return { ints: ints.slice(0, i), doubles: doubles.slice(0, d), text, words: known.join(''), lengths };
}
export function fromMessage(message) {
  ({ ints: intsIn, doubles: doublesIn, text: textIn } = message);
  ip = dp = tp = 0;
  let end = 0;
  wordsIn = Array.from(message.lengths, (length) => message.words.substring(end, end += length));
  return read${root}();
}
export const transferList = ({ ints, doubles, lengths }) => [ints.buffer, doubles.buffer, lengths.buffer];
`;
}
