import type { PayloadSchema, RecordType, ValueType } from '../../model/documents/payload-schema.ts';
import type { DraftType } from './draft.ts';
import type { RecordForm } from './record-form.ts';
import type { Group, RecordGroups } from './record-groups.ts';

/** Lists of one length, seen so often, are tuples. */
const MIN_TUPLES = 4;
const MAX_TUPLE = 4;
/** A schema with more is more code than anybody wants. */
export const MAX_TYPES = 600;

/** Numbers types and records, breadth first. */
export class SchemaWriter {
  readonly #groups: RecordGroups;
  readonly #forms: Map<Group, RecordForm>;
  readonly #schema: PayloadSchema = { types: [], records: [] };
  readonly #types = new Map<DraftType, number>();
  readonly #records = new Map<Group, number>();
  readonly #open: DraftType[] = [];

  constructor(groups: RecordGroups, forms: Map<Group, RecordForm>) {
    this.#groups = groups;
    this.#forms = forms;
  }

  schema(root: DraftType): PayloadSchema | null {
    this.#type(root);
    for (let next = 0; next < this.#open.length; next++) {
      this.#schema.types[next] = this.#valueType(this.#open[next]!);
      if (this.#open.length > MAX_TYPES) return null;
    }
    return this.#schema;
  }

  #type(draft: DraftType): number {
    const type = draft.now;
    const known = this.#types.get(type);
    if (known !== undefined) return known;
    this.#types.set(type, this.#open.length);
    return this.#open.push(type) - 1;
  }

  #record(group: Group): number {
    const known = this.#records.get(group);
    if (known !== undefined) return known;
    const at = this.#schema.records.length;
    this.#records.set(group, at);
    const record: RecordType = { fields: [] };
    this.#schema.records.push(record);
    if (group.values !== null) {
      record.loose = this.#type(group.values);
      record.fields = [...group.fields].map(([key, type]) => ({
        key,
        type: this.#type(type),
        optional: true,
      }));
      return at;
    }
    const { keys, layouts } = this.#forms.get(group)!;
    const isOptional = (key: string) => [...group.layouts].some((layout) => !layout.keys.includes(key));
    record.fields = keys.map((key) => ({
      key,
      type: this.#type(group.fields.get(key)!),
      ...(isOptional(key) ? { optional: true as const } : {}),
    }));
    if (layouts !== null) record.layouts = layouts.map((one) => one.map((key) => keys.indexOf(key)));
    return at;
  }

  #valueType(draft: DraftType): ValueType {
    const { texts, numbers, items, map, members, bytes } = draft;
    const group = this.#groups.of(draft);
    const isRecord = group !== null && group.layouts.size + group.fields.size > 0;
    const values = isRecord ? null : (draft.values ?? group?.values ?? null);
    // Empty lists, and lists of numbers beside others.
    const isList = items !== null && (numbers === null || !isEmpty(items));
    return {
      ...(draft.hasNull && { null: true }),
      ...(draft.hasUndefined && { undefined: true }),
      ...(draft.hasBoolean && { boolean: true }),
      ...((draft.hasInt32 || draft.hasDouble) && { number: draft.hasDouble ? 'double' : 'int32' }),
      ...(draft.hasBigint && { bigint: true }),
      ...(draft.hasDate && { date: true }),
      ...(texts !== null && {
        text: { count: texts.count, units: texts.units, ...(texts.repeats && { repeats: true }) },
      }),
      ...(numbers !== null && {
        numbers: {
          ...(numbers.int32 && { int32: true }),
          ...(numbers.least === numbers.most &&
            numbers.count >= MIN_TUPLES &&
            numbers.most <= MAX_TUPLE &&
            items === null && {
              length: numbers.most,
            }),
        },
      }),
      ...(isList && { list: this.#type(items) }),
      ...(isRecord && { record: this.#record(group) }),
      ...(values !== null && {
        dictionary: this.#type(values),
        ...(keysRepeat(draft, group) && { keysRepeat: true }),
      }),
      ...(map !== null && { map: [this.#type(map[0]), this.#type(map[1])] }),
      ...(members !== null && { set: this.#type(members) }),
      ...(bytes !== null && { bytes: [...bytes].sort() }),
      ...(draft.hasRest && { rest: true }),
    };
  }
}

const MIN_REPEATS = 2;

/** Whole lists of keys come again. */
function keysRepeat({ dictionaries }: DraftType, group: Group | null): boolean {
  const rare = [...(group?.rare ?? [])];
  const objects = rare.reduce((sum, { count }) => sum + count, dictionaries);
  return objects >= MIN_REPEATS * (rare.length + dictionaries);
}

/** Nothing was seen there. */
const isEmpty = (type: DraftType): boolean =>
  type.layouts.size === 0 &&
  [type.texts, type.numbers, type.items, type.values, type.map, type.members, type.bytes].every(
    (one) => one === null,
  ) &&
  !(
    type.hasNull ||
    type.hasUndefined ||
    type.hasBoolean ||
    type.hasInt32 ||
    type.hasDouble ||
    type.hasBigint ||
    type.hasDate ||
    type.hasRest
  );
