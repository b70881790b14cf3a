/** The shape of the value in a message, without the envelope around it. */
import type { Facts, Shape } from '../../../model/documents/shape.ts';
import { parsePath, patternOf } from '../../paths.ts';
import { filter, map } from '../../value/lists.ts';

/**
 * Null where the facts of the envelope and of the value in it stand in the same rows: a pattern such as `$[*]` holds both.
 *
 * @param path of the value in the message: `$.task`
 */
export function shapeBelow(shape: Shape, path: string): Shape | null {
  const root = patternOf(path);
  if (root === null) return null;
  const at = filter(shape.patterns, ({ pattern }) => pattern === root);
  if (at.length !== 1 || at[0]!.count !== 1) return null;
  const depth = parsePath(root)?.length ?? 0;
  const rows = filter(shape.patterns, ({ pattern }) => isBelow(pattern, root));
  const patterns = map(rows, (row): Facts => {
    const pattern = `$${row.pattern.slice(root.length)}`;
    const example = row.example.startsWith(path) ? `$${row.example.slice(path.length)}` : pattern;
    const below = row.depth - depth;
    return { ...row, pattern, example, depth: below, parent: below === 0 ? null : row.parent };
  });
  return {
    ...shape,
    nodes: patterns.reduce((sum, { count }) => sum + count, 0),
    depth: Math.max(0, shape.depth - depth),
    jsonBytes: null,
    patterns,
  };
}

/** `$.task` is not below `$.tas`. */
const isBelow = (pattern: string, root: string): boolean =>
  pattern.startsWith(root) && /^($|[.[{])/.test(pattern.slice(root.length));
