/**
 * Functions that compiled codecs share: each codec has those that it calls. The sender fills `ints`, `doubles`, `text` and
 * `rest`, up to `i` and `d`; the receiver reads `from`, from `ip`, `dp`, `tp` and `rp` on.
 */

import { CONTAINERS } from './containers.ts';
import { ESCAPES, type Helper, OBJECTS, VALUE } from './escapes.ts';

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

/** One value each. */
const SCALARS: Readonly<Record<string, Helper>> = {
  readRest: { needs: ['nextRest'], code: 'const readRest = nextRest;' },
  writeRest: { code: 'const writeRest = (value/*: unknown */)/*: void */ => void rest.push(value);' },
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
    code: escaping('Double', "typeof value === 'number' && value !== ESCAPE", 'value', "known + 'number'"),
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
    code: `/** Texts that repeat are sent once, after all else. */
function writeWord(${VALUE}, known = '')/*: void */ {
  if (typeof value !== 'string') return writeOther(value, path, known);
  const index = words.get(value) ?? words.size;
  if (index === words.size) words.set(value, index);
  ints[i++] = index;
}

function writeWords()/*: void */ {
  for (const word of words.keys()) {
    ints[i++] = word.length;
    text += word;
  }
  ints[i++] = words.size;
}`,
  },
  readWord: {
    needs: ['nextInt', 'readOther', 'damaged'],
    code: `function readWord()/*: string */ {
  const index = nextInt();
  return index >= 0 ? (from.words?.[index] ?? damaged()) : (readOther(index)/*as string */);
}

/** They stand at the end of the message. */
function readWords()/*: void */ {
  const { ints, text } = from;
  const count = ints[ints.length - 1] ?? -1;
  if (!(count >= 0 && count < ints.length)) return damaged();
  const lengths = ints.subarray(ints.length - 1 - count, -1);
  let end = text.length - lengths.reduce((sum, length) => sum + length, 0);
  if (!(end >= 0) || lengths.some((length) => length < 0)) return damaged();
  const own = { ints: ints.subarray(0, -1 - count), text: text.slice(0, end) };
  const words = Array.from(lengths, (length) => text.slice(end, (end += length)));
  from = { ...from, ...own, words };
}`,
  },
  writeDate: {
    needs: ['writeOther', 'escape', 'isA'],
    code: escaping('Date', 'isA(value, Date)', 'Date.prototype.getTime.call(value)', 'known'),
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
  const low = BigInt.asUintN(32, BigInt(nextInt() | 0));
  return (BigInt(nextInt() | 0) << BigInt(32)) | low;
}`,
  },
};

/** Lists of records by column, for `viewMessage`. */
const COLUMNS: Readonly<Record<string, Helper>> = {
  textStarts: {
    needs: ['marks'],
    code: `/** Where the texts of each record start; null where not each value has its place. */
function textStarts(width/*: number */, texts/*: number[] */, marks/*: number[] */, length/*: number */)/*: Int32Array | null */ {
  const all = from.ints.subarray(ip, ip + width * length);
  if (all.length < width * length) return null;
  for (let at = 0; at < all.length; at++) if (all[at]/*as number */ < FALSE) return null;
  const starts = new Int32Array(length + 1);
  let end = tp;
  for (let row = 0, at = 0; row < length; row++, at += width) {
    starts[row] = end;
    for (let n = 0; n < marks.length; n += 2) {
      if (all[at + (marks[n]/*as number */)] !== marks[n + 1]) return null;
    }
    for (let n = 0; n < texts.length; n++) {
      const units = all[at + (texts[n]/*as number */)]/*as number */;
      if (units > 0) end += units;
    }
  }
  starts[length] = end;
  return starts;
}`,
  },
  fixedRows: {
    needs: ['textStarts', 'escape', 'columnsOf', 'records', 'isLength', 'nextInt', 'readOther'],
    code: `/** Records that take as many places each: they are read where they stand. */
function fixedRows/*<T> */(read/*: () => T */, readAll/*: () => T[] */, fixed/*: Fixed<T> */)/*: Columns<T> */ {
  const length = nextInt();
  if (!isLength(length)) return columnsOf(readOther(length)/*as T[] */);
  const starts = textStarts(fixed.ints, fixed.texts, fixed.marks, length);
  if (starts === null || from.doubles.subarray(dp, dp + fixed.doubles * length).includes(ESCAPE)) {
    ip--;
    return columnsOf(readAll());
  }
  const [message, firstInt, firstDouble] = [from, ip, dp];
  [ip, dp, tp] = [ip + fixed.ints * length, dp + fixed.doubles * length, starts[length]/*as number */];
  const readAt = /*<V> */(row/*: number */, skipped/*: number */, doubles/*: number */, one/*: () => V */)/*: V */ => {
    from = message;
    ip = firstInt + row * fixed.ints;
    tp = starts[row]/*as number */;
    for (const place of fixed.texts) if (place < skipped) tp += Math.max(0, from.ints[ip + place]/*as number */);
    ip += skipped;
    dp = firstDouble + row * fixed.doubles + doubles;
    const value = one();
    from = NOTHING;
    return value;
  };
  const column = (key/*: keyof T */) => {
    const [ints, doubles, one, array] = fixed.columns[key];
    const values = Array.from({ length }, (_, row) => readAt(row, ints, doubles, one));
    return array !== undefined && values.every(isNumber) ? array.from(values/*as number[] */) : values;
  };
  return records(length, (row) => readAt(row, 0, 0, read), column);
}`,
  },
  records: {
    code: `function records/*<T> */(length/*: number */, read/*: (row: number) => T */, column/*: (key: keyof T) => unknown */)/*: Columns<T> */ {
  return {
    length,
    at(place) {
      const row = place < 0 ? place + length : place;
      if (!(row >= 0 && row < length)) throw new RangeError(\`no record \${place} of \${length}\`);
      return read(row);
    },
    column: (key) => column(key)/*as never */,
    *[Symbol.iterator]() {
      for (let row = 0; row < length; row++) yield read(row);
    },
  };
}`,
  },
  columnsOf: {
    needs: ['records', 'isNumber'],
    code: `/** Columns of records that were built. */
function columnsOf/*<T> */(list/*: T[] */)/*: Columns<T> */ {
  if (!Array.isArray(list)) return list;
  const column = (key/*: keyof T */) => {
    const all = list.map((one/*: T | null */) => one?.[key]);
    return all.every(isNumber) ? Float64Array.from(all) : all;
  };
  return records(list.length, (row) => list[row]/*as T */, column);
}`,
  },
};

const HELPERS: Readonly<Record<string, Helper>> = {
  ...ESCAPES,
  ...OBJECTS,
  ...SCALARS,
  ...CONTAINERS,
  ...COLUMNS,
};

/** Code of the named helpers and of all that they need, each once, in the order of the table. */
export function helperCode(names: Iterable<string>): string {
  const wanted = withNeeds(names);
  return Object.entries(HELPERS)
    .filter(([name]) => wanted.has(name))
    .map(([, { code }]) => code)
    .join('\n\n');
}

function withNeeds(names: Iterable<string>): Set<string> {
  const wanted = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (wanted.has(name)) continue;
    wanted.add(name);
    open.push(...(HELPERS[name]?.needs ?? []));
  }
  return wanted;
}
