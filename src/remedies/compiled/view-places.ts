import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { SchemaCode } from './schema-code.ts';

/** What values of one type take of a message, if all of them take as much. */
export interface Places {
  ints: number;
  doubles: number;
  /** Integers that are lengths of texts. */
  texts: number[];
  /** Integers that say that all fits. */
  marks: [at: number, mark: number][];
  /** Columns of a record: what stands before each field, whose type is `at`. */
  columns: { key: string; at: number; ints: number; doubles: number }[];
}

const NONE: Places = { ints: 0, doubles: 0, texts: [], marks: [], columns: [] };

export const hasOneLayout = ({ records }: PayloadSchema, at: number): boolean =>
  records[at]!.loose === undefined && records[at]!.layouts?.length === 1;

/** Null where they differ. */
export function fixedPlaces(schema: PayloadSchema, code: SchemaCode, at: number): Places | null {
  const { record, numbers } = schema.types[at]!;
  const { name, known } = code.call(at);
  const way = code.onlyWay(at);
  if (way === 'text') return { ...NONE, ints: 1, texts: [0] };
  if (way === 'int' || way === 'boolean' || way === 'word' || name === 'Other') return { ...NONE, ints: 1 };
  if (known !== '') return null;
  if (way === 'double' || way === 'date') return { ...NONE, doubles: 1 };
  if (way === 'record') return hasOneLayout(schema, record!) ? recordPlaces(schema, code, record!) : null;
  if (way !== 'tuple') return null;
  const { length = 0, int32 = false } = numbers!;
  const own = int32 ? { ints: 1 + length } : { ints: 1, doubles: length };
  return { ...NONE, ...own, marks: [[0, length]] };
}

function recordPlaces(schema: PayloadSchema, code: SchemaCode, record: number): Places | null {
  const all: Places = { ...NONE, ints: 1, texts: [], marks: [[0, 0]], columns: [] };
  for (const { key, type } of schema.records[record]!.fields) {
    const own = fixedPlaces(schema, code, type);
    if (own === null) return null;
    all.columns.push({ key, at: type, ints: all.ints, doubles: all.doubles });
    all.texts.push(...own.texts.map((place) => place + all.ints));
    for (const [place, mark] of own.marks) all.marks.push([place + all.ints, mark]);
    all.ints += own.ints;
    all.doubles += own.doubles;
  }
  return all;
}
