import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { TypeDetection } from '../describe/inspect/probe.ts';
import type { DraftType } from './draft.ts';
import { isDictionary, type RecordForm, recordForm, specialKeys } from './record-form.ts';
import { type Group, RecordGroups } from './record-groups.ts';
import { SchemaWriter } from './schema-writer.ts';
import { withSharedTypes } from './shared-types.ts';
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
