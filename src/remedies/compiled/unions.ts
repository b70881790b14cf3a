import { indent, literal } from '../code/javascript.ts';
import type { FunctionCode, Way } from './ways.ts';

/** Where values of several kinds stand, these conditions on `value` tell them apart. */
const TEST_OF: Partial<Record<Way, string>> = {
  record: 'isPlain(value)',
  text: "typeof value === 'string'",
  word: "typeof value === 'string'",
  int: "typeof value === 'number'",
  double: "typeof value === 'number'",
  ints: 'Array.isArray(value)',
  numbers: 'Array.isArray(value)',
  tuple: 'Array.isArray(value)',
  list: 'Array.isArray(value)',
  dictionary: 'isPlain(value)',
  table: 'isPlain(value)',
  bigint: "typeof value === 'bigint'",
  date: 'value instanceof Date',
  map: 'value instanceof Map',
  set: 'value instanceof Set',
};

/** Beside other lists, those of numbers are told by their first item. */
const wayTest = (way: Way, ways: readonly Way[]): string => {
  const isNumbers = way === 'ints' || way === 'numbers' || way === 'tuple';
  const first = isNumbers && ways.includes('list') ? " && typeof value[0] === 'number'" : '';
  return `${TEST_OF[way]}${first}`;
};

export interface Union {
  /** `OrderValue` */
  name: string;
  /** Statements that write a value of each kind, and expressions that read one. */
  kinds: readonly { way: Way; write: string; read: string }[];
  /** See `knownConstants`. */
  known: string;
  /** TypeScript of all kinds. */
  type: string;
}

/** Which of the kinds it is, then the value. */
export function unionCode({ name, kinds, known, type }: Union): FunctionCode {
  const ways = kinds.map(({ way }) => way);
  const tests = kinds.flatMap(({ way, write }, kind) => [
    `${kind === 0 ? '' : '} else '}if (${wayTest(way, ways)}) {`,
    `  ints[i++] = ${kind};`,
    `  ${write}`,
  ]);
  const reads = kinds.map(({ read }, kind) => `if (kind === ${kind}) return ${read};`);
  const other = `} else writeOther(value, path${known === '' ? '' : `, ${literal(known)}`});`;
  const isPlain = tests.some((line) => line.includes('isPlain(')) ? ['isPlain'] : [];
  return {
    text: `function write${name}(value/*: unknown */, path/*: string */)/*: void */ {
${indent([...tests, other].join('\n'))}
}

function read${name}()/*: ${type} */ {
${indent(['const kind = nextInt();', ...reads, `return readOther(kind)/*as ${type} */;`].join('\n'))}
}`,
    helpers: ['writeOther', 'readOther', 'nextInt', ...isPlain],
  };
}
