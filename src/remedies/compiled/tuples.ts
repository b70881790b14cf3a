import type { FunctionCode } from './record-parts.ts';

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
