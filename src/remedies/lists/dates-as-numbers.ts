import type { Remedy } from '../../model/rules/remedy.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from '../code/rewrite.ts';
import { callsOf } from '../code/target-trie.ts';
import { DATE } from '../facts/assumptions.ts';
import { isPlainDate } from '../facts/fields.ts';
import { listsOf } from '../facts/lists.ts';
import { everyRow, type PathsPlan, planFor, ShapeIndex } from '../facts/shape-index.ts';

/**
 * For shorter arrays, a buffer and a view cost about as much as they save: 0.97 of the time at 64 dates on Node 20, 0.81
 * at 128, 0.64 at 2,000; on Bun 1.4 0.61 at 128, 0.40 at 2,000. An array of numbers takes 0.83 at 2,000 on Node, 0.43 on
 * Bun. Dates in records are columns.
 */
const SHORTEST = 100;

const TO_TIMES = `function toTimes(list) {
  if (ArrayBuffer.isView(list)) throw new TypeError('already a typed array');
  if (!Array.isArray(list)) return list;
  const times = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const date = list[i];
    if (!(date instanceof Date)) throw new TypeError('not only dates in the array');
    times[i] = date.getTime();
  }
  return times;
}`;

const TO_DATES = `function toDates(times) {
  const isTyped/*: boolean */ = ArrayBuffer.isView(times);
  if (!isTyped) return times;
  const list = [];
  for (let i = 0; i < times.length; i++) list.push(new Date(times[i]));
  return list;
}`;

/** An invalid date is NaN among the numbers. */
export const datesAsNumbers: Remedy = remedyFromCode<PathsPlan>({
  name: 'dates-as-numbers',
  title: 'send dates as a typed array of numbers',
  plans(shape) {
    const lists = listsOf(ShapeIndex.of(shape));
    const long = lists.filter(({ items, length }) => length >= SHORTEST && everyRow(items, isPlainDate));
    return planFor(long.map(({ path }) => path));
  },
  assumes: ({ paths }) => paths.map((path) => ({ path: `${path}[*]`, what: DATE })),
  source: ({ paths }) => ({
    sender: `${TO_TIMES}\n${declareToMessage(callsOf('toTimes', paths))}`,
    receiver: `${TO_DATES}\n${declareFromMessage(callsOf('toDates', paths))}`,
  }),
});
