interface Indices {
  types: readonly {
    list?: number;
    dictionary?: number;
    set?: number;
    map?: readonly number[];
    record?: number;
    bytes?: readonly string[];
    numbers?: { length?: number };
  }[];
  records: readonly {
    fields: readonly { type: number }[];
    layouts?: readonly (readonly number[])[];
    loose?: number;
  }[];
}

/** Indices, and kinds of bytes, are what they should be. For a payload schema that comes from outside. */
export function isConsistent({ types, records }: Indices): boolean {
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
