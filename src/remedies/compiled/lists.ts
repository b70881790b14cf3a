import { literal } from '../code/javascript.ts';
import type { FunctionCode } from './ways.ts';

/** `Ints3` */
export const tupleName = (length: number, int32: boolean): string => `${int32 ? 'Ints' : 'Doubles'}${length}`;

/** Lists of so many numbers, of which none is a mark. */
export function tupleCode(length: number, int32: boolean): FunctionCode {
  const name = tupleName(length, int32);
  const each = (code: (at: number) => string) => Array.from({ length }, (_, at) => code(at));
  const [isOne, target, next] = int32
    ? ['isInt', 'ints[i++]', 'nextInt()']
    : ['isNumber', 'doubles[d++]', 'nextDouble()'];
  const tests = [
    'Array.isArray(value)',
    `value.length === ${length}`,
    ...each((at) => `${isOne}(value[${at}])`),
  ];
  return {
    text: `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {
  const fits = ${tests.join(' && ')};
  if (!fits) return writeOther(value, path, known);
  ints[i++] = ${length};
${each((at) => `  ${target} = value[${at}]/*as number */;`).join('\n')}
}
const read${name} = (length = nextInt())/*: number[] */ =>
  length === ${length} ? [${each(() => next).join(', ')}] : readOther(length)/*as number[] */;`,
    helpers: ['writeOther', 'readOther', 'nextInt', isOne, ...(int32 ? [] : ['nextDouble'])],
  };
}

interface ScalarList {
  /** `WordOrNullList` */
  name: string;
  /** Helper for an item: `Word`. */
  item: string;
  /** See `knownConstants`. */
  known: string;
  /** TypeScript of the list. */
  type: string;
}

/** Lists of texts or numbers: loops of their own, into which engines compile the function for an item. */
export const scalarListCode = ({ name, item, known, type }: ScalarList): FunctionCode => ({
  text: `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {
  if (!isList(value)) return writeOther(value, path, known);
  const inside = path + '[*]';
  ints[i++] = value.length;
  for (let at = 0; at < value.length; at++) write${item}(value[at], inside${known === '' ? '' : `, ${literal(known)}`});
}

function read${name}()/*: ${type} */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as ${type} */;
  const list/*: ${type} */ = emptyList(length);
  for (let at = 0; at < length; at++) list[at] = read${item}();
  return list;
}`,
  helpers: ['isList', 'isLength', 'nextInt', 'writeOther', 'readOther', 'emptyList'],
});
