import type { Plan, Remedy } from '../model/remedy.ts';
import type { Shape } from '../model/shape.ts';
import { remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { type ColumnType, columnType } from './facts/fields.ts';
import {
  commonPath,
  everyRow,
  isPlainList,
  type PatternRows,
  ShapeIndex,
  sizeOf,
} from './facts/shape-index.ts';

interface TypedArrayPlan extends Plan {
  lists: { path: string; type: ColumnType }[];
}

/** Shorter lists cost less as they are than as a buffer and a view. */
const SHORTEST = 64;

function typeOf(spots: ShapeIndex, list: PatternRows): ColumnType | null {
  const [items, ...others] = spots.children(list.pattern);
  if (items === undefined || others.length > 0 || !everyRow(list, isPlainList)) return null;
  const isNumbers = everyRow(items, (row) => row.kind === 'number') && items.count === sizeOf(list);
  if (!isNumbers || items.count < SHORTEST * list.count) return null;
  return columnType(items).type ?? null;
}

function wanted(shape: Shape): Plan[] {
  const spots = new ShapeIndex(shape);
  const lists = spots.all().flatMap((spot) => {
    const type = spots.isRewritable(spot.pattern) ? typeOf(spots, spot) : null;
    return type === null ? [] : [{ path: spot.pattern, type }];
  });
  return lists.length === 0 ? [] : [{ path: commonPath(lists.map((list) => list.path)), lists }];
}

/** Object.is tells -0, which no Int32Array holds. */
const TEST: Readonly<Record<ColumnType, string>> = {
  Int32Array: 'Object.is(number | 0, number)',
  Float64Array: "typeof number === 'number'",
};

const typed = (type: ColumnType) => `function to${type}(list) {
  if (ArrayBuffer.isView(list)) throw new TypeError('typed already');
  if (!Array.isArray(list)) return list;
  const copy = new ${type}(list.length);
  for (let i = 0; i < list.length; i++) {
    const number = list[i];
    if (!(${TEST[type]})) throw new TypeError('the list holds what ${type} cannot');
    copy[i] = number;
  }
  return copy;
}`;

/** A loop: Array.from takes twice the time in V8 and JSC. */
const LIST = `function toList(numbers) {
  if (!ArrayBuffer.isView(numbers)) return numbers;
  const list = [];
  for (let i = 0; i < numbers.length; i++) list.push(numbers[i]);
  return list;
}`;

export const typedArray: Remedy = remedyFromCode({
  name: 'typed-array',
  title: 'send numbers as a typed array',
  loses: [],
  wanted,
  source(plan) {
    const { lists } = plan as TypedArrayPlan;
    const types = [...new Set(lists.map(({ type }) => type))];
    const targets = lists.map(({ path, type }) => ({
      path,
      rewrite: (value: string) => `to${type}(${value})`,
    }));
    const back = lists.map(({ path }) => ({ path, rewrite: (value: string) => `toList(${value})` }));
    return {
      sender: `${types.map(typed).join('\n')}\n${declareToMessage(targets)}`,
      receiver: `${LIST}\n${declareFromMessage(back)}`,
    };
  },
});
