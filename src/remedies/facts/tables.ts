import { everyRow, isPlainList, type PatternRows, type ShapeIndex, sizeOf } from './shape-index.ts';

/** Fewer rows than this cost less than describing their columns. */
const FEWEST_ROWS = 8;

/** A list that holds nothing but objects, and the objects. */
export interface Table {
  path: string;
  row: PatternRows;
}

function tableAt(spots: ShapeIndex, list: PatternRows): Table[] {
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
}

/** Tables at places that code can be made for; what lies within the rows of one is its own business. */
export function tablesOf(spots: ShapeIndex): Table[] {
  const tables = spots.all().flatMap((spot) => tableAt(spots, spot));
  return tables.filter(({ path }) => !tables.some(({ row }) => path.startsWith(row.pattern)));
}
