import type { Facts } from '../../model/documents/shape.ts';
import type { PatternRows, ShapeIndex } from './shape-index.ts';

/** Values in one text; for each of many small ones, JSON takes longer than it saves. */
const MIN_NODES = 64;
/** Least share of the payload's values in one branch; what is left is sent as it is and costs the same. */
const MIN_SHARE = 0.5;
/** UTF-16 units of a text that V8 copies faster than JSON escapes and parses it. */
const LONG_TEXT = 16_384;

const canBeText = (index: ShapeIndex, { pattern, kinds }: PatternRows): boolean =>
  [...kinds].every((kind) => kind === 'object' || kind === 'array') &&
  index.isRewritable(pattern) &&
  index.isJsonSafe(pattern);

/** Bun shares or copies a text wherever it is; there `unwrap-string` takes them out. */
function longTexts(index: ShapeIndex): string[] {
  if (index.shape.representation.engine !== 'v8') return [];
  const isLong = ({ kind, size }: Facts) => kind === 'string' && (size?.max ?? 0) >= LONG_TEXT;
  const found = index.all().filter((at) => at.rows.some(isLong));
  return found.map(({ pattern }) => pattern);
}

/**
 * Where the whole is better not JSON text, the largest parts that can be: rows beside a buffer, a Date or a long text. With
 * two tiny arrays in each row, beside a buffer, they take 0.58 of the time on Node 20, 0.48 on Node 26, 0.33 on Bun 1.4;
 * beside 100 kB of text 0.76 on Node 20, where the text as JSON too takes 1.73.
 */
export function heavyBranches(index: ShapeIndex): string[] {
  const texts = longTexts(index);
  if (index.shape.jsonSafe && texts.length === 0) return [];
  const branches: string[] = [];
  let nodes = 0;
  const open = [...index.children('$')];
  for (let at = open.pop(); at; at = open.pop()) {
    const { pattern, count } = at;
    const inside = index.nodesAt(at);
    if (inside < MIN_NODES * count) continue;
    if (!canBeText(index, at) || texts.some((text) => text.startsWith(pattern))) {
      open.push(...index.children(pattern));
      continue;
    }
    branches.push(pattern);
    nodes += inside;
  }
  return nodes >= MIN_SHARE * index.shape.nodes ? branches.sort() : [];
}
