/** Lists of records as `viewMessage` gives them. */
interface Columns extends Iterable<object> {
  at(row: number): object;
  column(key: string): ArrayLike<unknown>;
}

const isColumns = (value: object): value is Columns =>
  'column' in value && typeof value.column === 'function';

/**
 * The payload of a view, which is its proof: what arrives has no functions, so lists of records are told from all else.
 *
 * @throws Error where a column has not what the records have
 */
export function wholeOf(view: unknown): unknown {
  if (typeof view !== 'object' || view === null) return view;
  if (isColumns(view)) return recordsOf(view);
  if (Object.getPrototypeOf(view) !== Object.prototype) return view;
  for (const [key, value] of Object.entries(view))
    Object.defineProperty(view, key, {
      value: wholeOf(value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return view;
}

function recordsOf(columns: Columns): object[] {
  const records = [...columns];
  for (const key of Object.keys(records[0] ?? {})) {
    const column = columns.column(key);
    const isSame = (record: unknown, row: number) =>
      isEqual(Reflect.get(Object(record) as object, key), column[row]);
    if (column.length !== records.length || !records.every(isSame))
      throw new Error(`the column ${key} differs from the records`);
  }
  return records;
}

/** Objects are made anew each time they are read. */
const isEqual = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) ||
  (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
