import { everyRow, isPlainList, type Spot, type Spots, sizeOf } from './facts.ts';

/** Fewer rows than this cost less than describing their columns. */
const FEWEST_ROWS = 8;

/** Arrays that hold nothing but objects, at places that code can be made for. */
export function listsOfRecords(spots: Spots): { path: string; row: Spot }[] {
  return spots.all().flatMap((list) => {
    const [row, ...others] = spots.children(list.pattern);
    const isTable =
      row !== undefined &&
      others.length === 0 &&
      row.steps.at(-1)?.type === 'index' &&
      everyRow(list, isPlainList) &&
      everyRow(row, ({ kind }) => kind === 'object') &&
      row.count === sizeOf(list) &&
      row.count >= FEWEST_ROWS * list.count &&
      spots.isRewritable(row.pattern);
    return isTable ? [{ path: list.pattern, row }] : [];
  });
}
