import type { PayloadSchema, ValueType } from '../../model/documents/payload-schema.ts';
import type { TypeDetection } from '../describe/inspect/probe.ts';
import type { DraftType } from './draft.ts';
import { isDictionary, type RecordForm, recordForm, specialKeys } from './record-form.ts';
import { type Group, RecordGroups } from './record-groups.ts';
import { SchemaWriter } from './schema-writer.ts';
import { SchemaWalk, type WalkLimits } from './walk.ts';

/**
 * The schema of all samples together.
 *
 * @param samples plain data that nothing else uses: results of JSON.parse or structuredClone
 * @param isJson no object stands at two places
 * @returns null for a payload of more than MAX_TYPES types
 */
export function inferSchema(
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

// Types of the same form become one, so that code for them is written once.

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

function withSharedTypes(schema: PayloadSchema): PayloadSchema {
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
