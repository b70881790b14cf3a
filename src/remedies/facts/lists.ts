import { everyRow, isPlainArray, type PatternRows, type ShapeIndex, totalSize } from './shape-index.ts';

/** The arrays at one pattern, without holes, and their elements. */
export interface List {
  path: string;
  items: PatternRows;
  /** Mean over the arrays, in elements. */
  length: number;
}

function listAt(shape: ShapeIndex, array: PatternRows): List[] {
  const [items, ...others] = shape.children(array.pattern);
  if (items === undefined || others.length > 0 || !everyRow(array, isPlainArray)) return [];
  if (items.count !== totalSize(array) || !shape.isRewritable(array.pattern)) return [];
  return [{ path: array.pattern, items, length: items.count / array.count }];
}

/** Arrays that code can rewrite. */
export const listsOf = (shape: ShapeIndex): List[] => shape.all().flatMap((at) => listAt(shape, at));
