import { type Helper, VALUE } from './helper.ts';

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
