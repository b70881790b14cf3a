import type { Plan, ProposalFacts, Remedy } from '../model/rules/remedy.ts';
import type { Shape } from '../model/rules/shape.ts';
import { remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { callsOf } from './code/target-trie.ts';
import { numberAssumption } from './facts/assumptions.ts';
import { columnType, type NumberType } from './facts/fields.ts';
import {
  commonPath,
  everyRow,
  isPlainArray,
  type PatternRows,
  ShapeIndex,
  totalSize,
} from './facts/shape-index.ts';

interface TypedArrayPlan extends Plan {
  lists: { path: string; type: NumberType }[];
}

/** For shorter arrays, a buffer and a view cost more than the elements. */
const SHORTEST = 64;

function typeOf(shape: ShapeIndex, array: PatternRows): NumberType | null {
  const [items, ...others] = shape.children(array.pattern);
  if (items === undefined || others.length > 0 || !everyRow(array, isPlainArray)) return null;
  if (items.count !== totalSize(array) || items.count < SHORTEST * array.count) return null;
  return columnType(shape, items).type ?? null;
}

function plans(shape: Shape, { assumeIntegers = false }: ProposalFacts): TypedArrayPlan[] {
  const index = ShapeIndex.of(shape, assumeIntegers);
  const lists = index.all().flatMap((at) => {
    const type = index.isRewritable(at.pattern) ? typeOf(index, at) : null;
    return type === null ? [] : [{ path: at.pattern, type }];
  });
  return lists.length === 0 ? [] : [{ path: commonPath(lists.map((list) => list.path)), lists }];
}

/** Object.is tells -0, which an Int32Array cannot hold. */
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

/** A loop, because Array.from takes twice the time in V8 and JSC. */
const TO_LIST = `function toList(numbers) {
  const isTyped/*: boolean */ = ArrayBuffer.isView(numbers);
  if (!isTyped) return numbers;
  const list = [];
  for (let i = 0; i < numbers.length; i++) list.push(numbers[i]);
  return list;
}`;

export const typedArray: Remedy = remedyFromCode<TypedArrayPlan>({
  name: 'typed-array',
  title: 'send numbers as a typed array',
  plans,
  assumes: ({ lists }) => lists.map(({ path, type }) => numberAssumption(`${path}[*]`, type)),
  source({ lists }) {
    const types = [...new Set(lists.map(({ type }) => type))];
    const targets = lists.flatMap(({ path, type }) => callsOf(`to${type}`, [path]));
    const paths = lists.map(({ path }) => path);
    return {
      sender: `${types.map(toTyped).join('\n')}\n${declareToMessage(targets)}`,
      receiver: `${TO_LIST}\n${declareFromMessage(callsOf('toList', paths))}`,
    };
  },
});
