import { type Helper, VALUE } from './escapes.ts';

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
export const SCALARS: Readonly<Record<string, Helper>> = {
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
