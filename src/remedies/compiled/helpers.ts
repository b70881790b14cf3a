/**
 * Functions that compiled codecs share: each codec has those that it calls. Types stand in comments (code/dialect.ts). The
 * sender fills `ints`, `doubles`, `text` and `rest`, up to `i` and `d`; the receiver reads `from`, from `ip`, `dp`, `tp` and
 * `rp` on.
 */

interface Helper {
  code: string;
  needs?: readonly string[];
}

/** Integers below are marks: they say what stands there instead. */
export const FIRST_INT = -2147483640;

const VALUE = 'value/*: unknown */, path/*: string */';

/** Of one value: what does not fit is escaped. */
const writer = (name: string, fits: string, writes: string): string =>
  `function write${name}(${VALUE}, known = '')/*: void */ {
  if (${fits}) ${writes}
  else writeOther(value, path, known);
}`;

const escaping = (name: string, fits: string, writes: string): string =>
  `function write${name}(${VALUE}, known = '')/*: void */ {
  if (${fits}) doubles[d++] = ${writes};
  else {
    doubles[d++] = ESCAPE;
    writeOther(value, path, known);
  }
}`;

/** Of all values in a container, by a function for one. */
const container = (name: string, fits: string, lines: string): string =>
  `function write${name}(${VALUE}, write/*: Write */, known = '')/*: void */ {
  if (!${fits}) return writeOther(value, path, known);
${lines}
}`;

/** Loops of their own: engines compile the function for a number into them. */
const numbersWriter = (name: string, item: string): string =>
  `function write${name}(${VALUE}, known = '')/*: void */ {
  if (!isList(value)) return writeOther(value, path, known);
  ints[i++] = value.length;
  for (let at = 0; at < value.length; at++) write${item}(value[at], path);
}`;

const numbersReader = (name: string, item: string): string =>
  `function read${name}()/*: number[] */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as number[] */;
  const list/*: number[] */ = [];
  for (let left = length; left > 0; left--) list.push(read${item}());
  return list;
}`;

export const HELPERS: Readonly<Record<string, Helper>> = {
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
  throw new TypeError(\`the message of codec \${VERSION} is cut or damaged\`);
}`,
  },
  nextInt: { code: 'const nextInt = ()/*: number */ => from.ints[ip++]/*as number */;' },
  nextDouble: { code: 'const nextDouble = ()/*: number */ => from.doubles[dp++]/*as number */;' },
  nextText: {
    needs: ['nextInt'],
    code: 'const nextText = (length = nextInt())/*: string */ => from.text.slice(tp, (tp += length));',
  },
  isLength: {
    code: `/** Each item takes at least one place. */
const isLength = (n/*: number */)/*: boolean */ =>
  n >= 0 && n <= from.ints.length - ip + from.doubles.length - dp + from.rest.length - rp;`,
  },
  isList: {
    code: `/** Without holes, which read as undefined. */
const isList = (value/*: unknown */)/*: value is unknown[] */ =>
  Array.isArray(value) && !value.includes(undefined);`,
  },
  isPlain: {
    code: `const isPlain = (value/*: unknown */)/*: value is Record<string, unknown> */ =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;`,
  },
  fits: {
    needs: ['isPlain'],
    code: `/** An object with these keys, in this order. */
function fits/*<T> */(value/*: unknown */, keys/*: readonly string[] */)/*: value is T */ {
  if (!isPlain(value)) return false;
  const own = Object.keys(value);
  if (own.length !== keys.length) return false;
  for (let at = 0; at < own.length; at++) if (own[at] !== keys[at]) return false;
  return true;
}`,
  },
  layoutOf: {
    needs: ['isPlain'],
    code: `/** Which of the lists of keys the object has; -1 for none of them. */
function layoutOf(value/*: unknown */, layouts/*: readonly (readonly string[])[] */)/*: number */ {
  if (!isPlain(value)) return -1;
  const own = Object.keys(value);
  const isOwn = (keys/*: readonly string[] */) =>
    keys.length === own.length && keys.every((key, at) => key === own[at]);
  return layouts.findIndex(isOwn);
}`,
  },
  presence: {
    needs: ['isPlain'],
    code: `/** Bits of the optional keys that the object has; -1 where its keys are others, or in another order. */
function presence(value/*: unknown */, keys/*: readonly string[] */, bits/*: readonly number[] */)/*: number */ {
  if (!isPlain(value)) return -1;
  const own = Object.keys(value);
  let [found, next] = [0, 0];
  for (let at = 0; at < keys.length; at++) {
    const bit = bits[at]/*as number */;
    if (own[next] === keys[at]) {
      found |= bit;
      next++;
    } else if (bit === 0) return -1;
  }
  return next === own.length ? found : -1;
}`,
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
  if (!known.includes(value === null ? 'null' : typeof value)) missed.add(path);
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
  nextRest: {
    needs: ['damaged'],
    code: 'const nextRest = ()/*: unknown */ => (rp < from.rest.length ? from.rest[rp++] : damaged());',
  },
  readRest: { needs: ['nextRest'], code: 'const readRest = nextRest;' },
  writeRest: { code: 'const writeRest = (value/*: unknown */)/*: void */ => void rest.push(value);' },
  isNumber: {
    code: "const isNumber = (value/*: unknown */)/*: value is number */ => typeof value === 'number';",
  },
  isInt: {
    code: `/** Of 32 bits, and not -0. */
const isInt = (value/*: unknown */)/*: value is number */ =>
  typeof value === 'number' && Object.is(value, value | 0);`,
  },
  writeInt: {
    needs: ['writeOther', 'isInt'],
    code: writer('Int', 'isInt(value) && value >= FIRST_INT', 'ints[i++] = value;'),
  },
  readInt: {
    needs: ['nextInt', 'readOther'],
    code: `const readInt = (n = nextInt())/*: number */ => (n >= FIRST_INT ? n : readOther(n)/*as number */);`,
  },
  writeDouble: {
    needs: ['writeOther', 'escape'],
    code: escaping('Double', "typeof value === 'number' && value !== ESCAPE", 'value'),
  },
  readDouble: {
    needs: ['nextDouble', 'readOther', 'escape'],
    code: `const readDouble = (n = nextDouble())/*: number */ => (n !== ESCAPE ? n : readOther()/*as number */);`,
  },
  writeBoolean: {
    needs: ['writeOther'],
    code: writer('Boolean', "typeof value === 'boolean'", 'ints[i++] = value ? 1 : 0;'),
  },
  readBoolean: {
    needs: ['nextInt', 'readOther'],
    code: `const readBoolean = (n = nextInt())/*: boolean */ =>
  n === 1 || (n === 0 ? false : readOther(n)/*as boolean */);`,
  },
  writeText: {
    needs: ['writeOther'],
    code: `function writeText(${VALUE}, known = '')/*: void */ {
  if (typeof value !== 'string') return writeOther(value, path, known);
  ints[i++] = value.length;
  text += value;
}`,
  },
  readText: {
    needs: ['nextInt', 'nextText', 'readOther'],
    code: `const readText = (n = nextInt())/*: string */ => (n >= 0 ? nextText(n) : readOther(n)/*as string */);`,
  },
  writeWord: {
    needs: ['writeOther'],
    code: `/** Texts that repeat are sent once. */
function writeWord(${VALUE}, known = '')/*: void */ {
  if (typeof value !== 'string') return writeOther(value, path, known);
  const index = words.get(value);
  ints[i++] = index ?? words.size;
  if (index !== undefined) return;
  words.set(value, words.size);
  ints[i++] = value.length;
  text += value;
}`,
  },
  readWord: {
    needs: ['nextInt', 'nextText', 'readOther', 'damaged'],
    code: `function readWord()/*: string */ {
  const index = nextInt();
  if (index === wordsIn.length) wordsIn.push(nextText());
  return index >= 0 ? (wordsIn[index] ?? damaged()) : (readOther(index)/*as string */);
}`,
  },
  writeDate: {
    needs: ['writeOther', 'escape'],
    code: escaping('Date', 'value instanceof Date', 'value.getTime()'),
  },
  readDate: {
    needs: ['nextDouble', 'readOther', 'escape'],
    code: `const readDate = (n = nextDouble())/*: Date */ => (n !== ESCAPE ? new Date(n) : readOther()/*as Date */);`,
  },
  writeBigint: {
    needs: ['writeOther'],
    code: `/** As two halves. */
function writeBigint(${VALUE}, known = '')/*: void */ {
  if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) return writeOther(value, path, known);
  ints[i++] = 0;
  ints[i++] = Number(BigInt.asIntN(32, value));
  ints[i++] = Number(value >> BigInt(32));
}`,
  },
  readBigint: {
    needs: ['nextInt', 'readOther'],
    code: `function readBigint()/*: bigint */ {
  const mark = nextInt();
  if (mark !== 0) return readOther(mark)/*as bigint */;
  const low = BigInt.asUintN(32, BigInt(nextInt()));
  return (BigInt(nextInt()) << BigInt(32)) | low;
}`,
  },
  writeList: {
    needs: ['Write', 'isList', 'writeOther'],
    code: container(
      'List',
      'isList(value)',
      `  const { length } = value;
  ints[i++] = length;
  for (let at = 0; at < length; at++) write(value[at], path);`,
    ),
  },
  readList: {
    needs: ['isLength', 'nextInt', 'readOther'],
    code: `function readList/*<T> */(read/*: () => T */)/*: T[] */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as T[] */;
  const list/*: T[] */ = [];
  for (let left = length; left > 0; left--) list.push(read());
  return list;
}`,
  },
  writeInts: { needs: ['isList', 'writeOther', 'writeInt'], code: numbersWriter('Ints', 'Int') },
  readInts: { needs: ['isLength', 'nextInt', 'readOther', 'readInt'], code: numbersReader('Ints', 'Int') },
  writeNumbers: { needs: ['isList', 'writeOther', 'writeDouble'], code: numbersWriter('Numbers', 'Double') },
  readNumbers: {
    needs: ['isLength', 'nextInt', 'readOther', 'readDouble'],
    code: numbersReader('Numbers', 'Double'),
  },
  writeDictionary: {
    needs: ['Write', 'isPlain', 'writeOther'],
    code: container(
      'Dictionary',
      'isPlain(value)',
      `  const keys = Object.keys(value);
  ints[i++] = keys.length;
  for (const key of keys) {
    ints[i++] = key.length;
    text += key;
    write(value[key], path);
  }`,
    ),
  },
  readDictionary: {
    needs: ['isLength', 'nextInt', 'nextText', 'setKey', 'readOther'],
    code: `function readDictionary/*<T> */(read/*: () => T */)/*: Record<string, T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Record<string, T> */;
  const object/*: Record<string, T> */ = {};
  for (let left = length; left > 0; left--) setKey(object, nextText(), read());
  return object;
}`,
  },
  writeTable: {
    needs: ['Write', 'isPlain', 'writeOther', 'writeKeys'],
    code: container(
      'Table',
      'isPlain(value)',
      `  writeKeys(Object.keys(value));
  for (const one of Object.values(value)) write(one, path);`,
    ),
  },
  readTable: {
    needs: ['nextInt', 'readKeys', 'setKey', 'readOther'],
    code: `function readTable/*<T> */(read/*: () => T */)/*: Record<string, T> */ {
  const index = nextInt();
  if (!(index >= 0)) return readOther(index)/*as Record<string, T> */;
  const object/*: Record<string, T> */ = {};
  for (const key of readKeys(index)) setKey(object, key, read());
  return object;
}`,
  },
  writeKeys: {
    code: `/** Lists of keys that were sent before are an index. */
function writeKeys(keys/*: string[] */)/*: void */ {
  const id = \`\${keys.length} \${keys[0]} \${keys[keys.length - 1]}\`;
  const known = keyLists.get(id);
  const isKnown = known !== undefined && keys.every((key, at) => key === known.keys[at]);
  ints[i++] = isKnown ? known.index : lists;
  if (isKnown) return;
  keyLists.set(id, { keys, index: lists++ });
  ints[i++] = keys.length;
  for (const key of keys) {
    ints[i++] = key.length;
    text += key;
  }
}`,
  },
  readKeys: {
    needs: ['nextInt', 'nextText', 'isLength', 'damaged'],
    code: `function readKeys(index/*: number */)/*: string[] */ {
  if (index === keyListsIn.length) {
    const length = nextInt();
    if (!isLength(length)) damaged();
    const keys/*: string[] */ = [];
    for (let left = length; left > 0; left--) keys.push(nextText());
    keyListsIn.push(keys);
  }
  return keyListsIn[index] ?? damaged();
}`,
  },
  setKey: {
    code: `function setKey(object/*: object */, key/*: string */, value/*: unknown */)/*: void */ {
  if (key !== '__proto__') (object/*as Record<string, unknown> */)[key] = value;
  else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}`,
  },
  writeMap: {
    needs: ['Write', 'writeOther'],
    code: `function writeMap(${VALUE}, writeKey/*: Write */, write/*: Write */, known = '')/*: void */ {
  if (!(value instanceof Map)) return writeOther(value, path, known);
  ints[i++] = value.size;
  for (const [key, one] of value) {
    writeKey(key, path);
    write(one, path);
  }
}`,
  },
  readMap: {
    needs: ['isLength', 'nextInt', 'readOther'],
    code: `function readMap/*<K, T> */(readKey/*: () => K */, read/*: () => T */)/*: Map<K, T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Map<K, T> */;
  const map = new Map/*<K, T> */();
  for (let left = length; left > 0; left--) map.set(readKey(), read());
  return map;
}`,
  },
  writeSet: {
    needs: ['Write', 'writeOther'],
    code: container(
      'Set',
      '(value instanceof Set)',
      `  ints[i++] = value.size;
  for (const one of value) write(one, path);`,
    ),
  },
  readSet: {
    needs: ['isLength', 'nextInt', 'readOther'],
    code: `function readSet/*<T> */(read/*: () => T */)/*: Set<T> */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as Set<T> */;
  const set = new Set/*<T> */();
  for (let left = length; left > 0; left--) set.add(read());
  return set;
}`,
  },
};

/** Code of the named helpers and of all that they need, each once, in the order of the table. */
export function helperCode(names: Iterable<string>): string {
  const wanted = withNeeds(names);
  return Object.entries(HELPERS)
    .filter(([name]) => wanted.has(name))
    .map(([, { code }]) => code)
    .join('\n\n');
}

export function withNeeds(names: Iterable<string>): Set<string> {
  const wanted = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (wanted.has(name)) continue;
    wanted.add(name);
    open.push(...(HELPERS[name]?.needs ?? []));
  }
  return wanted;
}
