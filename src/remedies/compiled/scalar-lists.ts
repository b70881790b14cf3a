import { literal } from '../code/javascript.ts';
import type { FunctionCode } from './record-parts.ts';

export interface ScalarList {
  /** `WordOrNullList` */
  name: string;
  /** Helper for an item: `Word`. */
  item: string;
  /** See `constantsOf`. */
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
