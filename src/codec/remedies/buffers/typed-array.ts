import type { Facts, Shape } from '../../../model/documents/shape.ts';
import type { Plan } from '../../../model/documents/trial.ts';
import type { ProposalFacts, Remedy } from '../../../model/rules/remedy.ts';
import { has } from '../../../value/shape/shape-facts.ts';
import { ASSUMED_NUMBER, remedyFromCode } from '../../code/remedy-from-code.ts';
import { callTargets, fromMessageCode, toMessageCode } from '../../code/rewrite.ts';
import { commonPath, isPlainArray, type PatternRows, ShapeIndex, totalSize } from '../facts/shape-index.ts';

type NumberType = 'Int32Array' | 'Float64Array';

interface TypedArrayPlan extends Plan {
  lists: { path: string; type: NumberType }[];
}

/** Minimum length: for shorter arrays, a buffer and a view cost more than the elements. */
const MIN_LENGTH = 64;

/** Float64Array holds every number. Int32Array holds every int32 except -0, and needs the assumption of integers. */
function numberType(list: PatternRows, areIntegers: boolean): NumberType | null {
  const [items, ...others] = list.children;
  if (items === undefined || others.length > 0 || !list.rows.every(isPlainArray)) return null;
  if (items.count !== totalSize(list) || items.count < MIN_LENGTH) return null;
  if (!items.rows.every((row) => row.kind === 'number')) return null;
  const isInt32 = (row: Facts) => has(row, 'int32') && !has(row, 'negative-zero');
  return areIntegers && items.rows.every(isInt32) ? 'Int32Array' : 'Float64Array';
}

/** Plans for the payload, its keys, or one list below. More lists, such as a list in each row, are for `compiled`. */
function plans(shape: Shape, { assumeIntegers = false }: ProposalFacts): TypedArrayPlan[] {
  const index = ShapeIndex.of(shape);
  const lists = index.all().flatMap((at) => {
    const isOne = at.count === 1 && at.steps.every(({ type }) => type === 'key');
    const type = isOne && index.isRewritable(at.pattern) ? numberType(at, assumeIntegers) : null;
    return type === null ? [] : [{ path: at.pattern, depth: at.depth, type }];
  });
  const isPlain = lists.length === 1 || (lists.length > 0 && lists.every(({ depth }) => depth === 1));
  if (!isPlain) return [];
  const own = lists.map(({ path, type }) => ({ path, type }));
  return [{ path: commonPath(own.map(({ path }) => path)), lists: own }];
}

const NUMBERS: Readonly<Record<NumberType, string>> = {
  Float64Array: ASSUMED_NUMBER,
  Int32Array: 'integer of 32 bits',
};

/** Object.is detects -0, which an Int32Array cannot hold. */
const FITS: Readonly<Record<NumberType, string>> = {
  Int32Array: 'Object.is(number | 0, number)',
  Float64Array: "typeof number === 'number'",
};

const toTyped = (type: NumberType) => `function to${type}(list) {
  if (ArrayBuffer.isView(list)) throw new TypeError('already a typed array');
  if (!Array.isArray(list)) return list;
  const copy = new ${type}(list.length);
  for (let i = 0; i < list.length; i++) {
    const number = list[i];
    if (!(${FITS[type]})) throw new TypeError('${type} cannot hold all elements');
    copy[i] = number;
  }
  return copy;
}`;

/** A loop is used because Array.from takes twice the time in V8 and JSC. */
const TO_LIST = [
  `const isTyped = (value/*: unknown */)/*: value is Float64Array */ => ArrayBuffer.isView(value);`,
  `function toList(numbers) {
  if (!isTyped(numbers)) return numbers;
  const list = [];
  for (let i = 0; i < numbers.length; i++) list.push(numbers[i]);
  return list;
}`,
];

export const typedArray: Remedy = remedyFromCode<TypedArrayPlan>({
  name: 'typed-array',
  title: 'send numbers as a typed array',
  ofMemory: true,
  plans,
  assumes: ({ lists }) => lists.map(({ path, type }) => ({ path: `${path}[*]`, what: NUMBERS[type] })),
  source({ lists }) {
    const types = [...new Set(lists.map(({ type }) => type))];
    const targets = lists.flatMap(({ path, type }) => callTargets(`to${type}`, [path]));
    const paths = lists.map(({ path }) => path);
    return {
      sender: toMessageCode(targets, types.map(toTyped)),
      receiver: fromMessageCode(callTargets('toList', paths), TO_LIST),
    };
  },
});
