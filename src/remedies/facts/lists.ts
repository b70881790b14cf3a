import { everyRow, isPlainArray, type PatternRows, type ShapeIndex, totalSize } from './shape-index.ts';

/** The elements of the arrays at a pattern; null when not all are described by one pattern, as with holes. */
export function elementsOf(shape: ShapeIndex, array: PatternRows): PatternRows | null {
  const [items, ...others] = shape.children(array.pattern);
  if (items === undefined || others.length > 0 || !everyRow(array, isPlainArray)) return null;
  return items.count === totalSize(array) ? items : null;
}

/** Arrays that code can rewrite, with what `typeOf` says of their elements; without those where it says null. */
export function listsOf<T>(
  shape: ShapeIndex,
  typeOf: (items: PatternRows, array: PatternRows) => T | null,
): { path: string; type: T }[] {
  return shape.all().flatMap((array) => {
    const items = shape.isRewritable(array.pattern) ? elementsOf(shape, array) : null;
    const type = items === null ? null : typeOf(items, array);
    return type === null ? [] : [{ path: array.pattern, type }];
  });
}
