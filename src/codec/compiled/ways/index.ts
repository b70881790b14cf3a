/** All ways of writing values, and the choice of ways for a type. */
import type { NumbersFacts, PayloadSchema, ValueType } from '../../../model/documents/payload-schema.ts';
import * as scalars from './scalars.ts';

const dictionary = ofManyKeys('dictionary', {
  fits: ({ dictionary, keysRepeat }) => dictionary !== undefined && !keysRepeat,
  helpers: [
    scalars.container(
      'Dictionary',
      'isPlain(value)',
      `  const inside = path + '.*';
  const start = i++;
  let length = 0;
  for (const key in value) {
    putText(key);
    write(value[key], inside);
    length++;
  }
  ints[start] = length;`,
    ),
    `function readDictionary/*<T> */(read/*: () => T */)/*: Record<string, T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Record<string, T> */;
  if (length > 128) return largeDictionary(length, read);
  const object/*: Record<string, T> */ = {};
  for (let left = length; left > 0; left--) setKey(object, nextText(), read());
  return object;
}`,
    `/** V8 adds keys to an object without a prototype two times as fast: it does not try to give it a hidden class. */
function largeDictionary/*<T> */(length/*: number */, read/*: () => T */)/*: Record<string, T> */ {
  const object/*: Record<string, T> */ = Object.create(null);
  for (let left = length; left > 0; left--) object[nextText()] = read();
  return Object.setPrototypeOf(object, Object.prototype)/*as Record<string, T> */;
}`,
  ],
});

/** Dictionaries whose lists of keys repeat. */
const table = ofManyKeys('table', {
  fits: ({ dictionary, keysRepeat }) => dictionary !== undefined && keysRepeat === true,
  helpers: [
    scalars.container(
      'Table',
      'isPlain(value)',
      `  writeKeys(Object.keys(value));
  const inside = path + '.*';
  for (const one of Object.values(value)) write(one, inside);`,
    ),
    `function readTable/*<T> */(read/*: () => T */)/*: Record<string, T> */ {
  const index = nextInt();
  if (!(index >= 0)) return readOther(index)/*as Record<string, T> */;
  const object/*: Record<string, T> */ = {};
  for (const key of readKeys(index)) setKey(object, key, read());
  return object;
}`,
    `/** Lists of keys that were sent before are an index. */
const keyLists = new Map/*<string, number> */();
function writeKeys(keys/*: string[] */)/*: void */ {
  if (lists.length === 0) keyLists.clear();
  const id = \`\${keys.length} \${keys[0]} \${keys[keys.length - 1]}\`;
  const index = keyLists.get(id) ?? lists.length;
  const known = lists[index] ?? [];
  let same = 0;
  while (same < keys.length && keys[same] === known[same]) same++;
  if (index < lists.length && same === keys.length) return putInt(index);
  putInt(lists.length);
  putInt(keys.length);
  keyLists.set(id, lists.push(keys) - 1);
  for (const key of keys) putText(key);
}`,
    `function readKeys(index/*: number */)/*: string[] */ {
  if (index === listsIn.length) {
    const length = nextInt();
    if (!isLength(length)) damaged();
    const keys/*: string[] */ = [];
    for (let left = length; left > 0; left--) keys.push(nextText());
    listsIn.push(keys);
  }
  const known = listsIn[index];
  return known !== undefined && isLength(known.length) ? known : damaged();
}`,
  ],
});

const map: scalars.Way = {
  name: 'map',
  fits: ({ map }) => map !== undefined,
  inside: ({ map }) => map!,
  tsType: (_, inside) => `Map<${inside.join(', ')}>`,
  test: () => 'value instanceof Map',
  helpers: [
    scalars.container(
      'Map',
      'isA(value, Map)',
      `  const start = i++;
  let size = 0;
  for (const [key, one] of Map.prototype.entries.call(value)) {
    writeKey(key, path + '{key}');
    write(one, path + '{value}');
    size++;
  }
  ints[start] = size;`,
      'writeKey/*: Write */, write/*: Write */',
    ),
    `function readMap/*<K, T> */(readKey/*: () => K */, read/*: () => T */)/*: Map<K, T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Map<K, T> */;
  const map = new Map/*<K, T> */();
  for (let left = length; left > 0; left--) map.set(readKey(), read());
  return map;
}`,
  ],
};

const set: scalars.Way = {
  name: 'set',
  fits: ({ set }) => set !== undefined,
  inside: ({ set }) => [set!],
  tsType: (_, [member]) => `Set<${member}>`,
  test: () => 'value instanceof Set',
  helpers: [
    scalars.container(
      'Set',
      'isA(value, Set)',
      `  const inside = path + '{member}';
  const start = i++;
  let size = 0;
  for (const one of Set.prototype.values.call(value)) {
    write(one, inside);
    size++;
  }
  ints[start] = size;`,
    ),
    `function readSet/*<T> */(read/*: () => T */)/*: Set<T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Set<T> */;
  const set = new Set/*<T> */();
  for (let left = length; left > 0; left--) set.add(read());
  return set;
}`,
  ],
};

function ofManyKeys(
  name: string,
  { fits, helpers }: Required<Pick<scalars.Way, 'fits' | 'helpers'>>,
): scalars.Way {
  return {
    name,
    fits,
    inside: ({ dictionary }) => [dictionary!],
    // A TypeScript alias may contain itself in braces, but not in `Record`.
    tsType: (_, [value], isRecursive) =>
      isRecursive ? `{ [key: string]: ${value} }` : `Record<string, ${value}>`,
    test: () => 'isPlain(value)',
    helpers,
  };
}

/** Lists that contain numbers alone. Their first item distinguishes them from other lists. */
const numberList = (
  row: Pick<scalars.Way, 'name' | 'suffix' | 'code' | 'items' | 'places'>,
  fits: (all: NumbersFacts) => boolean,
): scalars.Way => ({
  ...row,
  fits: ({ numbers }) => numbers !== undefined && fits(numbers),
  tsType: () => 'number[]',
  test: ({ list }) => `Array.isArray(value)${list === undefined ? '' : " && typeof value[0] === 'number'"}`,
});

const tuple = numberList(
  {
    name: 'tuple',
    suffix: ({ numbers: { length, int32 = false } = {} }) => `${int32 ? 'Ints' : 'Doubles'}${length}`,
    code: (name, { numbers: { length = 0, int32 = false } = {} }) => tupleCode(name, length, int32),
    places({ numbers: { length = 0, int32 = false } = {} }): scalars.Places {
      const own = int32 ? { ints: 1 + length, doubles: 0 } : { ints: 1, doubles: length };
      return { ...own, texts: [], marks: [[0, length]] };
    },
  },
  ({ length }) => length !== undefined,
);

const numbersBy = (name: string, list: string, isInt32: boolean): scalars.Way =>
  numberList(
    { name, suffix: () => list, items: '' },
    ({ length, int32 = false }) => length === undefined && int32 === isInt32,
  );

const list: scalars.Way = {
  name: 'list',
  fits: ({ list }) => list !== undefined,
  inside: ({ list }) => [list!],
  tsType: (_, [item = '']) => listType(item),
  test: () => 'Array.isArray(value)',
  helpers: [
    `/** An array that grows takes five times as long. JavaScriptCore makes a sparse one of more than 100,000 places. */
const emptyList = /*<T> */(length/*: number */)/*: T[] */ => (length < 100000 ? new Array/*<T> */(length) : []);`,
  ],
};

export const listType = (item: string): string => (item.includes(' | ') ? `(${item})[]` : `${item}[]`);

function tupleCode(name: string, length: number, int32: boolean): string {
  const each = (code: (at: number) => string) => Array.from({ length }, (_, at) => code(at));
  const [isOne, target, next] = int32
    ? ['isInt', 'putInt', 'nextInt()']
    : ['isNumber', 'putDouble', 'nextDouble()'];
  const tests = [
    'Array.isArray(value)',
    `value.length === ${length}`,
    ...each((at) => `${isOne}(value[${at}])`),
  ];
  return `function write${name}(${scalars.VALUE}, known = '')/*: void */ {
  const fits = ${tests.join(' && ')};
  if (!fits) return writeOther(value, path, known);
  putInt(${length});
${each((at) => `  ${target}(value[${at}]/*as number */);`).join('\n')}
}
const read${name} = (length = nextInt())/*: number[] */ =>
  length === ${length} ? [${each(() => next).join(', ')}] : readOther(length)/*as number[] */;`;
}

/** Objects with fixed keys: each record has separate functions (schema-code.ts). */
const record: scalars.Way = {
  name: 'record',
  fits: ({ record }) => record !== undefined,
  tsType: (_, [name = '']) => name,
  test: () => 'isPlain(value)',
};

/** The order of the tests: lists of numbers come before other lists. */
export const WAYS: readonly scalars.Way[] = [
  ...[scalars.word, scalars.text, scalars.int, scalars.double, scalars.boolean, tuple],
  ...[numbersBy('ints', 'IntList', true), numbersBy('numbers', 'DoubleList', false), list, record],
  ...[dictionary, table, scalars.bigint, scalars.date, map, set, scalars.rest],
];

/** Ways of writing this type. Booleans are constants if the type has other ways. If one kind is cloned, all are. */
export function waysOf(type: ValueType, form: scalars.TextForm): scalars.Way[] {
  const all = WAYS.filter((way) => way.fits(type, form));
  if (all.includes(scalars.rest)) return [scalars.rest];
  return all.length > 1 ? all.filter((way) => way !== scalars.boolean) : all;
}

export function knownConstants(
  { null: hasNull, undefined: hasUndefined, boolean: hasBoolean }: ValueType,
  ways: readonly scalars.Way[],
): string {
  const isApart = hasBoolean && !ways.includes(scalars.boolean);
  const all = [hasNull && 'null', hasUndefined && 'undefined', isApart && 'boolean'];
  return all.filter((one) => typeof one === 'string').join('|');
}

/** True if some texts are long enough that the form of sending them matters. */
export const hasLongTexts = ({ types }: PayloadSchema): boolean =>
  types.some(({ text: facts }) => facts !== undefined && !facts.repeats && scalars.isListed(facts, 'listed'));

export function isAllRest({ types }: PayloadSchema, form: scalars.TextForm): boolean {
  const [way, ...others] = waysOf(types[0]!, form);
  if (others.length > 0) return false;
  return way === undefined || way === scalars.rest || (way === scalars.text && types.length === 1);
}
