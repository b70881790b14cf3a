/** Apache Arrow, for tables: arrays of flat records. */
import {
  Bool,
  type DataType,
  Dictionary,
  Float64,
  Int32,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { type Scalar, type Shape, shapeOf } from './shape.ts';
import { byBytes, type OpenWay } from './way.ts';

type Row = Record<string, unknown>;

const TYPES: Record<Exclude<Scalar, 'string'>, () => DataType> = {
  bool: () => new Bool(),
  int32: () => new Int32(),
  double: () => new Float64(),
};

/** Texts of which fewer than a quarter differ are numbered. */
const FEW = 1 / 4;

function typeOf(shape: Shape, values: readonly unknown[]): DataType {
  if (shape.kind !== 'scalar') throw new Error(`not a table: a field holds a ${shape.kind}`);
  if (shape.type !== 'string') return TYPES[shape.type]();
  const isRepeating = new Set(values).size < values.length * FEW;
  return isRepeating ? new Dictionary(new Utf8(), new Int32()) : new Utf8();
}

function fieldsOf(value: unknown): [string, DataType][] {
  const shape = shapeOf([value]);
  if (shape.kind !== 'list' || shape.item.kind !== 'record') throw new Error('not a table');
  return [...shape.item.fields].map(([key, field]) => {
    const column = (value as Row[]).map((row) => row[key]);
    return [key, typeOf(field, column)];
  });
}

function rowsOf(table: Table, keys: readonly string[]): Row[] {
  const columns = keys.map((key) => {
    const column = table.getChild(key) as Vector;
    // Memoized, a text that repeats is read once; where few do, that costs more.
    return column.type instanceof Dictionary ? column.memoize() : column;
  });
  return Array.from({ length: table.numRows }, (_, at) => {
    const row: Row = {};
    for (const [i, key] of keys.entries()) row[key] = columns[i]!.get(at) as unknown;
    return row;
  });
}

export const arrow: OpenWay = (value) => {
  const fields = fieldsOf(value);
  const keys = fields.map(([key]) => key);
  const tableOf = (rows: readonly Row[]) =>
    new Table(
      Object.fromEntries(
        fields.map(([key, type]) => [
          key,
          vectorFromArray(
            rows.map((row) => row[key] ?? null),
            type,
          ),
        ]),
      ),
    );
  return byBytes(
    'apache-arrow',
    (payload) => tableToIPC(tableOf(payload as Row[]), 'stream'),
    (bytes) => rowsOf(tableFromIPC(bytes), keys),
    true,
  );
};
