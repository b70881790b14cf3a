import { literal } from '../../code/javascript.ts';
import {
  container,
  type FunctionCode,
  type Functions,
  orKnown,
  type Places,
  VALUE,
  type Way,
  type WayCall,
} from '../way.ts';

type NumbersFits = (numbers: { int32?: true; length?: number }) => boolean;

/** Lists of nothing but numbers. Beside other lists they are told by their first item. */
const numberList = (
  row: Omit<Way, 'fits' | 'tsType' | 'test' | 'call'> & { fits: NumbersFits; call: Way['call'] },
): Way => ({
  ...row,
  fits: ({ numbers }) => numbers !== undefined && row.fits(numbers),
  tsType: () => 'number[]',
  test: ({ list }) => `Array.isArray(value)${list === undefined ? '' : " && typeof value[0] === 'number'"}`,
});

/** All of one length. */
export const tuple = numberList({
  name: 'tuple',
  fits: ({ length }) => length !== undefined,
  call: ({ numbers: { length = 0, int32 = false } = {} }, functions) => {
    const name = `${int32 ? 'Ints' : 'Doubles'}${length}`;
    return { name: functions.later(name, () => tupleCode(name, length, int32)), inside: [] };
  },
  places({ numbers: { length = 0, int32 = false } = {} }): Places {
    const own = int32 ? { ints: 1 + length, doubles: 0 } : { ints: 1, doubles: length };
    return { ...own, texts: [], marks: [[0, length]] };
  },
});

export const ints = numberList({
  name: 'ints',
  fits: ({ length, int32 }) => length === undefined && int32 === true,
  call: (_, functions) => scalarList(functions, { item: 'Int', known: '', itemType: 'number' }),
});

export const numbers = numberList({
  name: 'numbers',
  fits: ({ length, int32 }) => length === undefined && int32 !== true,
  call: (_, functions) => scalarList(functions, { item: 'Double', known: '', itemType: 'number' }),
});

export const list: Way = {
  name: 'list',
  fits: ({ list }) => list !== undefined,
  tsType: ({ list }, types) => listType(types.text(list!)),
  test: () => 'Array.isArray(value)',
  call({ list = 0 }, functions) {
    if (!functions.types.isRecursive(list)) {
      const { isScalar, name, known } = functions.call(list);
      if (isScalar) return scalarList(functions, { item: name, known, itemType: functions.types.text(list) });
    }
    return { name: functions.shared('List'), inside: [functions.functionFor(list)] };
  },
  helpers: {
    writeList: {
      needs: ['Write', 'isList', 'writeOther'],
      code: container(
        'List',
        'isList(value)',
        `  const { length } = value;
  const inside = path + '[*]';
  ints[i++] = length;
  for (let at = 0; at < length; at++) write(value[at], inside);`,
      ),
    },
    readList: {
      needs: ['isLength', 'nextInt', 'readOther', 'emptyList'],
      code: `function readList/*<T> */(read/*: () => T */)/*: T[] */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as T[] */;
  const list = emptyList/*<T> */(length);
  for (let at = 0; at < length; at++) list[at] = read();
  return list;
}`,
    },
    emptyList: {
      code: `/** An array that grows takes five times as long. JavaScriptCore makes a sparse one of more than 100,000 places. */
const emptyList = /*<T> */(length/*: number */)/*: T[] */ => (length < 100000 ? new Array/*<T> */(length) : []);`,
    },
  },
};

const listType = (item: string): string => (item.includes(' | ') ? `(${item})[]` : `${item}[]`);

/** So many numbers, of which none is a mark. */
function tupleCode(name: string, length: number, int32: boolean): FunctionCode {
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
    text: `function write${name}(${VALUE}, known = '')/*: void */ {
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

interface ScalarItem {
  /** Helper for an item: `Word`. */
  item: string;
  /** What may stand instead of one. */
  known: string;
  /** TypeScript of an item. */
  itemType: string;
}

/** Lists of texts or numbers: loops of their own, into which engines compile the function for an item. */
function scalarList(functions: Functions, { item, known, itemType }: ScalarItem): WayCall {
  const type = listType(itemType);
  const told = known === '' ? '' : `, ${literal(known)}`;
  functions.shared(item);
  const name = functions.later(`${orKnown(item, known)}List`, (own) => ({
    text: `function write${own}(${VALUE}, known = '')/*: void */ {
  if (!isList(value)) return writeOther(value, path, known);
  const inside = path + '[*]';
  ints[i++] = value.length;
  for (let at = 0; at < value.length; at++) write${item}(value[at], inside${told});
}

function read${own}()/*: ${type} */ {
  const length = nextInt();
  if (!isLength(length)) return readOther(length)/*as ${type} */;
  const list/*: ${type} */ = emptyList(length);
  for (let at = 0; at < length; at++) list[at] = read${item}();
  return list;
}`,
    helpers: ['isList', 'isLength', 'nextInt', 'writeOther', 'readOther', 'emptyList'],
  }));
  return { name, inside: [] };
}
