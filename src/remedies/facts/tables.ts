import { everyRow, isPlainList, type Spot, type Spots, sizeOf } from './facts.ts';

/** Fewer rows than this cost less than describing their columns. */
const FEWEST_ROWS = 8;

/** A list that holds nothing but objects, and the objects. */
export interface Table {
  path: string;
  row: Spot;
}

function tableAt(spots: Spots, list: Spot): Table[] {
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
export function tablesOf(spots: Spots): Table[] {
  const tables = spots.all().flatMap((spot) => tableAt(spots, spot));
  return tables.filter(({ path }) => !tables.some(({ row }) => path.startsWith(row.pattern)));
}
