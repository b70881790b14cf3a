import type { PayloadSchema, RecordType, ValueType } from '../../model/documents/payload-schema.ts';
import { sumOf } from '../sums.ts';
import type { DraftNumbers, DraftType } from './draft.ts';
import type { RecordForm } from './record-form.ts';
import type { Group, RecordGroups } from './record-groups.ts';

/** Minimum lists of the same length that make a tuple. */
const MIN_TUPLES = 4;
const MAX_TUPLE = 4;
/** Maximum types of a schema: more types would mean more code than a user wants. */
export const MAX_TYPES = 600;

/** Writes the schema, and numbers types and records breadth first. */
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
      const told = (type: DraftType) => ({ type: this.#type(type), optional: true as const });
      record.fields = [...group.fields].map(([key, type]) => ({ key, ...told(type) }));
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
    const { texts, numbers, bytes } = draft;
    const { items, members, keys, entries } = draft.inside;
    const group = this.#groups.of(draft);
    const isRecord = group !== null && group.layouts.size + group.fields.size > 0;
    const values = isRecord ? null : (draft.inside.values ?? group?.values ?? null);
    // If there are lists of numbers and `items` is empty, the other lists are only empty lists.
    const isList = items !== undefined && (numbers.count === 0 || !items.isEmpty);
    return {
      ...(draft.has('null') && { null: true }),
      ...(draft.has('undefined') && { undefined: true }),
      ...(draft.has('boolean') && { boolean: true }),
      ...(draft.hasNumber && { number: draft.has('double') ? 'double' : 'int32' }),
      ...(draft.has('bigint') && { bigint: true }),
      ...(draft.has('date') && { date: true }),
      ...(texts.count > 0 && {
        text: { count: texts.count, units: texts.units, ...(texts.repeats && { repeats: true }) },
      }),
      ...(numbers.count > 0 && {
        numbers: { ...(numbers.int32 && { int32: true }), ...(items === undefined && tupleOf(numbers)) },
      }),
      ...(isList && { list: this.#type(items) }),
      ...(isRecord && { record: this.#record(group) }),
      ...(values !== null && {
        dictionary: this.#type(values),
        ...(keysRepeat(draft, group) && { keysRepeat: true }),
      }),
      ...(keys && entries && { map: [this.#type(keys), this.#type(entries)] }),
      ...(members && { set: this.#type(members) }),
      ...(bytes.size > 0 && { bytes: [...bytes].sort() }),
      ...(draft.has('rest') && { rest: true }),
    };
  }
}

const tupleOf = ({ count, least, most }: DraftNumbers) =>
  least === most && count >= MIN_TUPLES && most <= MAX_TUPLE ? { length: most } : {};

const MIN_REPEATS = 2;

/** True if whole lists of keys repeat. */
function keysRepeat({ dictionaries }: DraftType, group: Group | null): boolean {
  const rare = [...(group?.rare ?? [])];
  const objects = dictionaries + sumOf(rare, ({ count }) => count);
  return objects >= MIN_REPEATS * (rare.length + dictionaries);
}
