import type { PayloadSchema, RecordType, ValueType } from '../../model/rules/payload-schema.ts';
import type { TypeDetection } from '../describe/probe.ts';
import type { DraftType } from './draft.ts';
import { isDictionary, type RecordForm, recordForm, specialKeys } from './record-form.ts';
import { type Group, RecordGroups } from './record-groups.ts';
import { withSharedTypes } from './shared-types.ts';
import { SchemaWalk, type WalkLimits } from './walk.ts';

/** Lists of one length, seen so often, are tuples. */
const MIN_TUPLES = 4;
const MAX_TUPLE = 4;
/** A schema with more is more code than anybody wants. */
export const MAX_TYPES = 600;

/**
 * The schema of all samples together.
 *
 * @param samples plain data that nothing else uses: results of JSON.parse or structuredClone
 * @param isJson no object stands at two places
 * @returns null for a payload of more than MAX_TYPES types
 */
export function payloadSchema(
  samples: readonly unknown[],
  types: TypeDetection,
  isJson: boolean,
  limits?: WalkLimits,
): PayloadSchema | null {
  const walk = new SchemaWalk(types, !isJson, limits);
  for (const sample of samples) walk.add(sample);
  const groups = new RecordGroups(walk.root);
  const forms = settledForms(groups);
  for (const type of walk.shared) onlyRest(type.now);
  for (const type of groups.types) joinNumbers(type);
  const schema = new SchemaWriter(groups, forms).schema(walk.root);
  return schema && withSharedTypes(schema);
}

/** A dictionary merges types, which may make dictionaries of others. */
function settledForms(groups: RecordGroups): Map<Group, RecordForm> {
  for (;;) {
    groups.joinDictionaries();
    const overflowing = new Set(
      [...groups.types].filter(({ values }) => values !== null).map((type) => groups.of(type)),
    );
    const forms = new Map<Group, RecordForm>();
    let isSettled = true;
    for (const group of groups.groups) {
      if (group.isJoined || group.layouts.size === 0) continue;
      const isMixed = group.values !== null || overflowing.has(group);
      const form = isMixed || isDictionary(group, groups) ? null : recordForm(group);
      if (form !== null) forms.set(group, form);
      else {
        isSettled = false;
        groups.makeDictionary(group, specialKeys(group));
      }
    }
    if (isSettled) return forms;
  }
}

/** An object at two places is one object only if a clone takes all of them. */
function onlyRest(type: DraftType): void {
  type.hasRest = true;
  type.items = type.values = type.members = type.map = null;
  type.numbers = null;
  type.bytes = null;
  type.layouts.clear();
}

/** Where lists hold numbers beside other values, those of numbers alone are no kind of their own. */
function joinNumbers(type: DraftType): void {
  const items = type.items?.now;
  if (type.numbers === null || items === undefined || !(items.hasInt32 || items.hasDouble)) return;
  items.hasDouble ||= !type.numbers.int32;
  type.numbers = null;
}

class SchemaWriter {
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
