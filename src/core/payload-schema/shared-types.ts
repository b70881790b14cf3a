/** Types of the same form become one, so that code for them is written once. */
import type { PayloadSchema, ValueType } from '../../model/documents/payload-schema.ts';

/** Index of the type that stands for each. Starts from kinds alone, and splits what differs further down. */
function classesOf({ types }: PayloadSchema): number[] {
  let classes = types.map(() => 0);
  let count = 1;
  for (;;) {
    const known = new Map<string, number>();
    const next = types.map((type) => {
      const key = JSON.stringify(formOf(type, (at) => classes[at]!));
      if (!known.has(key)) known.set(key, known.size);
      return known.get(key)!;
    });
    classes = next;
    if (known.size === count) return classes;
    count = known.size;
  }
}

/** Without the facts that do not change the code. */
function formOf(type: ValueType, child: (at: number) => number): unknown {
  const { text, list, dictionary, map, set, ...rest } = type;
  return [
    rest,
    text && [text.repeats, Math.round(Math.log2(1 + text.units / Math.max(1, text.count)))],
    [list, dictionary, set, ...(map ?? [])].map((at) => at !== undefined && child(at)),
  ];
}

export function withSharedTypes(schema: PayloadSchema): PayloadSchema {
  const classes = classesOf(schema);
  const firsts = new Map<number, number>();
  const kept: number[] = [];
  for (const [at, one] of classes.entries())
    if (!firsts.has(one)) {
      firsts.set(one, kept.length);
      kept.push(at);
    }
  const now = (at: number): number => firsts.get(classes[at]!)!;
  const renumbered = (type: ValueType): ValueType => ({
    ...type,
    ...(type.list !== undefined && { list: now(type.list) }),
    ...(type.dictionary !== undefined && { dictionary: now(type.dictionary) }),
    ...(type.map && { map: [now(type.map[0]), now(type.map[1])] }),
    ...(type.set !== undefined && { set: now(type.set) }),
  });
  return {
    types: kept.map((at) => renumbered(schema.types[at]!)),
    records: schema.records.map((record) => ({
      ...record,
      ...(record.loose !== undefined && { loose: now(record.loose) }),
      fields: record.fields.map((field) => ({ ...field, type: now(field.type) })),
    })),
  };
}
