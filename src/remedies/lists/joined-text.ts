import type { Remedy } from '../../model/rules/remedy.ts';
import type { Shape } from '../../model/rules/shape.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from '../code/rewrite.ts';
import { callsOf } from '../code/target-trie.ts';
import { listsOf } from '../facts/lists.ts';
import {
  everyRow,
  type PathsPlan,
  type PatternRows,
  planFor,
  ShapeIndex,
  totalSize,
} from '../facts/shape-index.ts';

/** Strings at one path; fewer gain nothing: 0.98 of the time for 8 on Bun 1.4, 0.84 for 20, 0.5 for 2,000. */
const FEWEST = 16;
/** Mean UTF-16 units. Bun shares strings from 256 on, which joining would copy: 0.8 of the time at 200, 1.8 at 300. */
const LONGEST = 200;

/** Of the values of the payload: with fewer in the lists, the rest takes the time. One in each of many rows is a quarter. */
const LEAST_SHARE = 0.2;

const isMany = (items: PatternRows): boolean =>
  everyRow(items, ({ kind }) => kind === 'string') &&
  items.count >= FEWEST &&
  totalSize(items) <= LONGEST * items.count;

/** On Bun a text is one memcpy, or none, and leaves a row or object flat. On V8 it takes 1.1 to 1.3 times as long. */
function plans(shape: Shape): PathsPlan[] {
  if (shape.representation.engine !== 'jsc') return [];
  const lists = listsOf(ShapeIndex.of(shape)).filter(({ items }) => isMany(items));
  const strings = lists.reduce((sum, { items }) => sum + items.count, 0);
  return strings < LEAST_SHARE * shape.nodes ? [] : planFor(lists.map(({ path }) => path));
}

/** U+0000 is the character that texts are least likely to hold. A list that holds it is not rewritten. */
const JOINED = `function joined(list) {
  if (typeof list === 'string' || list === 0) throw new TypeError('a text or 0 among the lists');
  if (!Array.isArray(list)) return list;
  for (const text of list)
    if (typeof text !== 'string' || text.includes('\\0'))
      throw new TypeError('not only texts without U+0000');
  return list.length === 0 ? 0 : list.join('\\0');
}`;

const SPLIT = `function split(text) {
  if (text === 0) return [];
  return typeof text === 'string' ? text.split('\\0') : text;
}`;

/** The texts of a list with U+0000 between them; 0 for an empty list, since '' is a list with one empty text. */
export const joinedText: Remedy = remedyFromCode<PathsPlan>({
  name: 'joined-text',
  title: 'send a list of strings as one text',
  plans,
  assumes: ({ paths }) => paths.map((path) => ({ path: `${path}[*]`, what: 'text without U+0000' })),
  source: ({ paths }) => ({
    sender: `${JOINED}\n${declareToMessage(callsOf('joined', paths))}`,
    receiver: `${SPLIT}\n${declareFromMessage(callsOf('split', paths))}`,
  }),
});
