/**
 * What is posted, as data: a graph of types and records, in which places with the same keys share one record. It has the
 * names of keys and the kinds of values, never values.
 */

/** Of all texts of one type. */
export interface TextFacts {
  count: number;
  /** UTF-16 units of all. */
  units: number;
  /** Most of them were seen before: fewer than a quarter are distinct. */
  repeats?: true;
}

export interface NumbersFacts {
  /** Each is a 32-bit integer, and none is -0. */
  int32?: true;
  /** All lists have this length. */
  length?: number;
}

/** All kinds of values that were seen at places of one type; each property is one kind. */
export interface ValueType {
  null?: true;
  undefined?: true;
  boolean?: true;
  number?: 'int32' | 'double';
  /** 64 bits hold each. */
  bigint?: true;
  date?: true;
  text?: TextFacts;
  /** Lists that hold nothing but numbers. */
  numbers?: NumbersFacts;
  /** Lists without holes: type of the items, an index of `types`. */
  list?: number;
  /** An index of `records`. */
  record?: number;
  /** Objects of many keys: type of their values. */
  dictionary?: number;
  /** Whole lists of their keys come again. */
  keysRepeat?: true;
  /** Types of keys and values. */
  map?: [keys: number, values: number];
  set?: number;
  /** Typed arrays, each the whole of its own buffer: names of their classes. */
  bytes?: string[];
  /** Anything else: cloned as it is. */
  rest?: true;
}

export interface RecordField {
  key: string;
  /** An index of `types`. */
  type: number;
  /** Some of the objects have no such key. */
  optional?: true;
}

export interface RecordType {
  /** In an order in which the keys of each object stand, where there is one. */
  fields: RecordField[];
  /**
   * Which fields an object has, in the order of its keys: a list for each way. Absent where any of the optional fields may
   * be missing.
   */
  layouts?: number[][];
  /** Objects with other keys stand there too: type of their values. */
  loose?: number;
}

/** `types[0]` is that of the payload. */
export interface PayloadSchema {
  types: ValueType[];
  records: RecordType[];
}

/** What a codec is compiled from. */
export interface CodecSchema {
  /** Of the payload: types are called after it. */
  name: string;
  /** A key of `forms` of the remedy. */
  form: string;
  /** With `viewMessage`. */
  view?: boolean;
  schema: PayloadSchema;
}

/** Indices, and kinds of bytes, are what they should be. For a schema that comes from outside. */
export function isConsistent({ types, records }: PayloadSchema): boolean {
  const isIndexOf = (all: readonly unknown[]) => (at: number | undefined) =>
    at === undefined || (Number.isInteger(at) && at >= 0 && at < all.length);
  const [isType, isRecord] = [isIndexOf(types), isIndexOf(records)];
  const areTypes = types.every(
    ({ list, dictionary, set, map, record, bytes = [], numbers }) =>
      [list, dictionary, set, ...(map ?? [])].every(isType) &&
      isRecord(record) &&
      (map === undefined || map.length === 2) &&
      bytes.every((name) => /^\w{1,40}$/.test(name)) &&
      Number.isInteger(numbers?.length ?? 0),
  );
  return (
    types.length > 0 &&
    areTypes &&
    records.every(
      ({ fields, layouts = [], loose }) =>
        isType(loose) &&
        fields.every(({ type }) => isType(type)) &&
        layouts.every((layout) => layout.length <= fields.length && layout.every(isIndexOf(fields))),
    )
  );
}
