import { everyRow, isPlainArray, type PatternRows, type ShapeIndex, totalSize } from './shape-index.ts';

/** With fewer rows, describing the columns costs more than it saves. */
const FEWEST_ROWS = 8;

/** An array with objects as its only elements, and the objects. */
export interface Table {
  path: string;
  row: PatternRows;
}

function tableAt(shape: ShapeIndex, array: PatternRows): Table[] {
  const [row, ...others] = shape.children(array.pattern);
  const isTable =
    row !== undefined &&
    others.length === 0 &&
    row.steps.at(-1)?.type === 'index' &&
    everyRow(array, isPlainArray) &&
    everyRow(row, ({ kind }) => kind === 'object') &&
    row.count === totalSize(array) &&
    row.count >= FEWEST_ROWS * array.count &&
    shape.isRewritable(row.pattern);
  return isTable ? [{ path: array.pattern, row }] : [];
}

/** Tables that code can rewrite. Tables inside the rows of another table are left out. */
export function tablesOf(shape: ShapeIndex): Table[] {
  const tables = shape.all().flatMap((at) => tableAt(shape, at));
  return tables.filter(({ path }) => !tables.some(({ row }) => path.startsWith(row.pattern)));
}
