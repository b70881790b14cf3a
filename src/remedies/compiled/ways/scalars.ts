import { capitalized, NO_PLACES, ONE_DOUBLE, ONE_INT, type TextForm, VALUE, type Way } from '../way.ts';

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

/** One value each: `writeInt`, `readInt`. */
const scalar = (row: Omit<Way, 'call'>): Way => ({
  ...row,
  call: (_, functions) => ({ name: functions.shared(capitalized(row.name)), inside: [], isScalar: true }),
});

/** Mean length from which on texts are listed: shorter ones are cheaper to join. */
const LONG_TEXT = 40;

export const isListed = ({ count, units }: { count: number; units: number }, form: TextForm): boolean =>
  form === 'listed' && units >= LONG_TEXT * count;

export const word: Way = scalar({
  name: 'word',
  fits: ({ text }) => text?.repeats === true,
  tsType: () => 'string',
  test: () => "typeof value === 'string'",
  places: () => ONE_INT,
  helpers: {
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
  },
});

export const text: Way = scalar({
  name: 'text',
  fits: ({ text }, form) => text !== undefined && !text.repeats && !isListed(text, form),
  tsType: () => 'string',
  test: () => "typeof value === 'string'",
  places: () => ({ ...NO_PLACES, ints: 1, texts: [0] }),
  helpers: {
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
  },
});

export const int: Way = scalar({
  name: 'int',
  fits: ({ number }) => number === 'int32',
  tsType: () => 'number',
  test: () => "typeof value === 'number'",
  places: () => ONE_INT,
  array: 'Int32Array',
  helpers: {
    writeInt: {
      needs: ['writeOther', 'isInt'],
      code: writer('Int', 'isInt(value) && value >= FIRST_INT', 'ints[i++] = value;'),
    },
    readInt: {
      needs: ['nextInt', 'readOther'],
      code: `const readInt = (n = nextInt())/*: number */ => (n >= FIRST_INT ? n : readOther(n)/*as number */);`,
    },
  },
});

export const double: Way = scalar({
  name: 'double',
  fits: ({ number }) => number === 'double',
  tsType: () => 'number',
  test: () => "typeof value === 'number'",
  places: () => ONE_DOUBLE,
  array: 'Float64Array',
  helpers: {
    writeDouble: {
      needs: ['writeOther', 'escape'],
      code: escaping('Double', "typeof value === 'number' && value !== ESCAPE", 'value', "known + 'number'"),
    },
    readDouble: {
      needs: ['nextDouble', 'readOther', 'escape'],
      code: `const readDouble = (n = nextDouble())/*: number */ => (n !== ESCAPE ? n : readOther()/*as number */);`,
    },
  },
});

export const bigint: Way = scalar({
  name: 'bigint',
  fits: (type) => type.bigint === true,
  tsType: () => 'bigint',
  test: () => "typeof value === 'bigint'",
  helpers: {
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
  },
});

export const date: Way = scalar({
  name: 'date',
  fits: (type) => type.date === true,
  tsType: () => 'Date',
  test: () => 'value instanceof Date',
  places: () => ONE_DOUBLE,
  helpers: {
    writeDate: {
      needs: ['writeOther', 'escape', 'isA'],
      code: escaping('Date', 'isA(value, Date)', 'Date.prototype.getTime.call(value)', 'known'),
    },
    readDate: {
      needs: ['nextDouble', 'readOther', 'escape'],
      code: `const readDate = (n = nextDouble())/*: Date */ => (n !== ESCAPE ? new Date(n) : readOther()/*as Date */);`,
    },
  },
});

export const boolean: Way = scalar({
  name: 'boolean',
  fits: (type) => type.boolean === true,
  tsType: () => 'boolean',
  places: () => ONE_INT,
  helpers: {
    writeBoolean: {
      needs: ['writeOther'],
      code: writer('Boolean', "typeof value === 'boolean'", 'ints[i++] = value ? 1 : 0;'),
    },
    readBoolean: {
      needs: ['nextInt', 'readOther'],
      code: `const readBoolean = (n = nextInt())/*: boolean */ =>
  n === 1 || (n === 0 ? false : readOther(n)/*as boolean */);`,
    },
  },
});

/** Cloned as it is. */
export const rest: Way = {
  name: 'rest',
  fits: (type, form) =>
    type.rest === true ||
    type.bytes !== undefined ||
    (type.text !== undefined && !type.text.repeats && isListed(type.text, form)),
  tsType: ({ rest, bytes = [] }) => (rest ? 'unknown' : bytes.join(' | ')),
  call: () => ({ name: 'Rest', inside: [] }),
  helpers: {
    readRest: { needs: ['nextRest'], code: 'const readRest = nextRest;' },
    writeRest: { code: 'const writeRest = (value/*: unknown */)/*: void */ => void rest.push(value);' },
  },
};
