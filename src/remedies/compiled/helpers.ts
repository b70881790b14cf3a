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

const writer = (name: string, fits: string, writes: string): string =>
  `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {
  if (${fits}) ${writes}
  else writeOther(value, path, known);
}`;

const listWriter = (name: string, item: string): string =>
  `function write${name}(list/*: unknown */, path/*: string */, known = '')/*: void */ {
  if (!isList(list)) return writeOther(list, path, known);
  ints[i++] = list.length;
  for (let at = 0; at < list.length; at++) write${item}(list[at], path);
}`;

const listReader = (name: string, item: string, type: string): string =>
  `function read${name}()/*: ${type}[] */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as ${type}[] */;
  const list/*: ${type}[] */ = [];
  for (let left = length; left > 0; left--) list.push(read${item}());
  return list;
}`;

export const HELPERS: Readonly<Record<string, Helper>> = {
  marks: {
    code: `// Integers that say what stands there instead.
const FIRST_INT = ${FIRST_INT};
const [NULL, UNDEFINED, TRUE, FALSE, DOUBLE, REST] = [1, 2, 3, 4, 5, 6].map((below) => FIRST_INT - below);`,
  },
  damaged: {
    code: `function damaged()/*: never */ {
  throw new TypeError(\`the message of codec \${VERSION} is cut or damaged\`);
}`,
  },
  nextInt: { code: 'const nextInt = ()/*: number */ => from.ints[ip++]/*as number */;' },
  nextRest: {
    needs: ['damaged'],
    code: 'const nextRest = ()/*: unknown */ => (rp < from.rest.length ? from.rest[rp++] : damaged());',
  },
  nextDouble: { code: 'const nextDouble = ()/*: number */ => from.doubles[dp++]/*as number */;' },
  isLength: {
    code: `/** Each item takes at least one place. */
const isLength = (n/*: number */)/*: boolean */ =>
  n >= 0 && n <= from.ints.length - ip + from.doubles.length - dp + from.rest.length - rp;`,
  },
  isList: {
    code: `/** Without holes, which read as undefined. */
const isList = (value/*: unknown */)/*: value is unknown[] */ => Array.isArray(value) && !value.includes(undefined);`,
  },
  isPlain: {
    code: `const isPlain = (value/*: unknown */)/*: boolean */ =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;`,
  },
  fits: {
    needs: ['isPlain'],
    code: `/** An object with these keys, in this order. */
function fits(value/*: unknown */, keys/*: readonly string[] */)/*: boolean */ {
  if (!isPlain(value)) return false;
  const own = Object.keys(value/*as object */);
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
  const own = Object.keys(value/*as object */);
  return layouts.findIndex((keys) => keys.length === own.length && keys.every((key, at) => own[at] === key));
}`,
  },
  presence: {
    needs: ['isPlain'],
    code: `/** Bits of the optional keys that the object has; -1 where its keys are others, or in another order. */
function presence(value/*: unknown */, keys/*: readonly string[] */, bits/*: readonly number[] */)/*: number */ {
  if (!isPlain(value)) return -1;
  const own = Object.keys(value/*as object */);
  let [found, at] = [0, 0];
  for (let next = 0; next < own.length || at < keys.length; at++) {
    const bit = bits[at] ?? 0;
    if (at < keys.length && own[next] === keys[at]) {
      found |= bit;
      next++;
    } else if (bit === 0) return -1;
  }
  return found;
}`,
  },
  writeOther: {
    needs: ['marks'],
    code: `/** What does not fit its place is cloned as it is. \`known\`: what may stand there. */
function writeOther(value/*: unknown */, path/*: string */, known/*: string */)/*: void */ {
  if (value === null) ints[i++] = NULL/*as number */;
  else if (value === undefined) ints[i++] = UNDEFINED/*as number */;
  else if (typeof value === 'boolean') ints[i++] = (value ? TRUE : FALSE)/*as number */;
  else if (typeof value === 'number') {
    ints[i++] = DOUBLE/*as number */;
    doubles[d++] = value;
  } else {
    ints[i++] = REST/*as number */;
    rest.push(value);
  }
  if (!known.includes(value === null ? 'null' : typeof value)) missed.add(path);
}`,
  },
  readOther: {
    needs: ['marks', 'damaged', 'nextDouble'],
    code: `function readOther(mark/*: number */)/*: unknown */ {
  if (mark === NULL) return null;
  if (mark === UNDEFINED) return undefined;
  if (mark === TRUE || mark === FALSE) return mark === TRUE;
  if (mark === DOUBLE) return nextDouble();
  return mark === REST && rp < from.rest.length ? from.rest[rp++] : damaged();
}`,
  },
  writeInt: {
    needs: ['writeOther'],
    code: writer(
      'Int',
      "typeof value === 'number' && value >= FIRST_INT && Object.is(value, value | 0)",
      'ints[i++] = value;',
    ),
  },
  readInt: {
    needs: ['nextInt', 'readOther'],
    code: `function readInt()/*: number */ {
  const value = nextInt();
  return value >= FIRST_INT ? value : readOther(value)/*as number */;
}`,
  },
  escape: { code: '// Stands for what is no number.\nconst ESCAPE = -Number.MAX_VALUE;' },
  writeDouble: {
    needs: ['writeOther', 'escape'],
    code: `function writeDouble(value/*: unknown */, path/*: string */, known = '')/*: void */ {
  if (typeof value === 'number' && value !== ESCAPE) doubles[d++] = value;
  else {
    doubles[d++] = ESCAPE;
    writeOther(value, path, known);
  }
}`,
  },
  readDouble: {
    needs: ['nextInt', 'nextDouble', 'readOther', 'escape'],
    code: `function readDouble()/*: number */ {
  const value = nextDouble();
  return value !== ESCAPE ? value : readOther(nextInt())/*as number */;
}`,
  },
  writeBoolean: {
    needs: ['writeOther'],
    code: writer('Boolean', "typeof value === 'boolean'", 'ints[i++] = value ? 1 : 0;'),
  },
  readBoolean: {
    needs: ['nextInt', 'readOther'],
    code: `function readBoolean()/*: boolean */ {
  const value = nextInt();
  return value === 1 || (value === 0 ? false : readOther(value)/*as boolean */);
}`,
  },
  writeText: {
    needs: ['writeOther'],
    code: `function writeText(value/*: unknown */, path/*: string */, known = '')/*: void */ {
  if (typeof value !== 'string') return writeOther(value, path, known);
  ints[i++] = value.length;
  text += value;
}`,
  },
  readText: {
    needs: ['nextInt', 'readOther'],
    code: `function readText()/*: string */ {
  const length = nextInt();
  if (!(length >= 0)) return readOther(length)/*as string */;
  return from.text.slice(tp, (tp += length));
}`,
  },
  writeWord: {
    needs: ['writeOther'],
    code: `/** Texts that repeat are sent once. */
function writeWord(value/*: unknown */, path/*: string */, known = '')/*: void */ {
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
    needs: ['nextInt', 'readOther'],
    code: `function readWord()/*: string */ {
  const index = nextInt();
  if (!(index >= 0)) return readOther(index)/*as string */;
  if (index === wordsIn.length) wordsIn.push(from.text.slice(tp, (tp += nextInt())));
  return wordsIn[index] ?? damaged();
}`,
  },
  writeDate: {
    needs: ['writeOther', 'escape'],
    code: `function writeDate(value/*: unknown */, path/*: string */, known = '')/*: void */ {
  if (value instanceof Date) doubles[d++] = value.getTime();
  else {
    doubles[d++] = ESCAPE;
    writeOther(value, path, known);
  }
}`,
  },
  readDate: {
    needs: ['nextInt', 'nextDouble', 'readOther', 'escape'],
    code: `function readDate()/*: Date */ {
  const value = nextDouble();
  return value !== ESCAPE ? new Date(value) : readOther(nextInt())/*as Date */;
}`,
  },
  writeBigint: {
    needs: ['writeOther'],
    code: `/** As two halves. */
function writeBigint(value/*: unknown */, path/*: string */, known = '')/*: void */ {
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
  writeInts: { needs: ['isList', 'writeInt'], code: listWriter('Ints', 'Int') },
  readInts: { needs: ['isLength', 'readInt'], code: listReader('Ints', 'Int', 'number') },
  writeNumbers: { needs: ['isList', 'writeDouble'], code: listWriter('Numbers', 'Double') },
  readNumbers: { needs: ['isLength', 'readDouble'], code: listReader('Numbers', 'Double', 'number') },
  nextKey: {
    needs: ['nextInt'],
    code: 'const nextKey = ()/*: string */ => from.text.slice(tp, (tp += nextInt()));',
  },
  writeKeys: {
    code: `/** Lists of keys that were sent before are an index. */
function writeKeys(object/*: object */)/*: void */ {
  const keys = Object.keys(object);
  const id = \`\${keys.length} \${keys[0]} \${keys[keys.length - 1]}\`;
  const known = keyLists.get(id);
  if (known !== undefined && keys.every((key, at) => key === known.keys[at])) {
    ints[i++] = known.index;
    return;
  }
  keyLists.set(id, { keys, index: lists });
  ints[i++] = lists++;
  ints[i++] = keys.length;
  for (const key of keys) {
    ints[i++] = key.length;
    text += key;
  }
}`,
  },
  readKeys: {
    needs: ['nextInt', 'nextKey', 'isLength', 'damaged'],
    code: `function readKeys(index/*: number */)/*: string[] */ {
  if (index === keyListsIn.length) {
    const length = nextInt();
    if (!isLength(length)) damaged();
    const keys/*: string[] */ = [];
    for (let left = length; left > 0; left--) keys.push(nextKey());
    keyListsIn.push(keys);
  }
  return keyListsIn[index] ?? damaged();
}`,
  },
  setKey: {
    code: `function setKey(object/*: object */, key/*: string */, value/*: unknown */)/*: void */ {
  if (key === '__proto__') Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
  else (object/*as Record<string, unknown> */)[key] = value;
}`,
  },
};

/** Code of the named helpers and of all that they need, each once, in the order of the table. */
export function helperCode(names: Iterable<string>): string {
  const wanted = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (wanted.has(name)) continue;
    wanted.add(name);
    open.push(...(HELPERS[name]?.needs ?? []));
  }
  return Object.entries(HELPERS)
    .filter(([name]) => wanted.has(name))
    .map(([, { code }]) => code)
    .join('\n\n');
}
