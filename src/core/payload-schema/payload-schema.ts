import type { PayloadSchema, ValueType } from '../../model/documents/payload-schema.ts';
import type { TypeDetection } from '../value/types.ts';
import { DraftType, Layout, NO_NUMBERS } from './draft.ts';
import { isDictionary, type RecordForm, recordForm, specialKeys } from './record-form.ts';
import { type Group, RecordGroups } from './record-groups.ts';
import { SchemaWriter } from './schema-writer.ts';

interface WalkLimits {
  /** Maximum number of values that are visited. */
  nodes: number;
  depth: number;
  /** Maximum keys of an object that is not a dictionary. */
  keys: number;
  /** Maximum layouts of one type; further objects of the type are dictionaries. */
  layouts: number;
  /** Maximum layouts (lists of keys) in the whole payload. */
  allLayouts: number;
}

const WALK_LIMITS: WalkLimits = { nodes: 2e6, depth: 400, keys: 256, layouts: 64, allLayouts: 4096 };

/** Reads samples into a draft. They are results of JSON.parse or structuredClone that are not used elsewhere. */
class SchemaWalk {
  readonly root = new DraftType();
  readonly #types: TypeDetection;
  readonly #limits: WalkLimits;
  readonly #tracksShared: boolean;
  readonly #seen = new Map<object, DraftType>();
  /** By the JSON text of their keys. */
  readonly #layouts = new Map<string, Layout>();
  #visited = 0;
  /** Types of objects that occur at several places, and of lists with named properties: only a clone keeps both. */
  readonly onlyCloned = new Set<DraftType>();

  /** @param tracksShared false if no object can occur at two places, as in JSON */
  constructor(types: TypeDetection, tracksShared: boolean, limits: WalkLimits = WALK_LIMITS) {
    this.#types = types;
    this.#tracksShared = tracksShared;
    this.#limits = limits;
  }

  add(sample: unknown): void {
    this.#visit(sample, this.root, 0);
  }

  #visit(value: unknown, type: DraftType, depth: number): void {
    this.#visited++;
    if (typeof value === 'string') type.texts.add(value);
    else if (typeof value === 'number') {
      type.add(isInt32(value) ? 'int32' : 'double');
    } else if (value === null) type.add('null');
    else if (typeof value === 'object') this.#object(value, type, depth);
    else if (typeof value === 'boolean') type.add('boolean');
    else if (value === undefined) type.add('undefined');
    else if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) type.add('bigint');
    else type.add('rest');
  }

  #object(value: object, type: DraftType, depth: number): void {
    if (depth > this.#limits.depth || this.#visited > this.#limits.nodes) {
      type.add('rest');
      return;
    }
    if (this.#tracksShared && this.#isShared(value, type)) return;
    if (Array.isArray(value)) this.#list(value, type, depth);
    else if (Object.getPrototypeOf(value) === Object.prototype && this.#types.of(value).kind === 'object')
      this.#plain(value, type, depth);
    else this.#builtIn(value, type, depth);
  }

  #isShared(value: object, type: DraftType): boolean {
    const first = this.#seen.get(value);
    if (first === undefined) {
      this.#seen.set(value, type);
      return false;
    }
    this.onlyCloned.add(first).add(type);
    return true;
  }

  #list(value: readonly unknown[], type: DraftType, depth: number): void {
    const { length } = value;
    const isNamed = this.#tracksShared && Object.keys(value).length > length;
    // A codec would read the list without its named properties.
    if (isNamed) this.onlyCloned.add(type);
    // A hole reads as undefined: only a clone distinguishes them.
    if (isNamed || value.includes(undefined)) {
      this.#rest(Object.values(value), type, depth);
      return;
    }
    const int32 = length > 0 ? numbersIn(value) : null;
    if (int32 !== null) {
      this.#visited += length;
      type.addNumbers(length, int32);
      return;
    }
    const items = type.typeOf('items');
    for (let at = 0; at < length; at++) this.#visit(value[at], items, depth + 1);
  }

  #plain(value: object, type: DraftType, depth: number): void {
    const record = value as Record<string, unknown>;
    const keys = Object.keys(value);
    const layout = this.#layoutFor(keys, type);
    if (layout === null) {
      const values = type.typeOf('values');
      type.dictionaries++;
      // Keys that most dictionaries have may become fields with separate types.
      for (const key of keys) this.#visit(record[key], type.fieldType(key) ?? values, depth + 1);
      return;
    }
    layout.count++;
    for (let at = 0; at < keys.length; at++) this.#visit(record[keys[at]!], layout.types[at]!, depth + 1);
  }

  /** Returns null for a dictionary. */
  #layoutFor(keys: readonly string[], type: DraftType): Layout | null {
    const { keys: maxKeys, layouts, allLayouts } = this.#limits;
    if (keys.length > maxKeys) return null;
    const text = JSON.stringify(keys);
    const known = this.#layouts.get(text);
    if (known !== undefined && type.layouts.has(known)) return known;
    if (type.layouts.size >= layouts || this.#layouts.size >= allLayouts) return null;
    const layout = known ?? new Layout(keys);
    this.#layouts.set(text, layout);
    type.layouts.add(layout);
    return layout;
  }

  #builtIn(value: object, type: DraftType, depth: number): void {
    const { kind } = this.#types.of(value);
    if (kind === 'date') type.add('date');
    else if (kind === 'map') {
      const [keys, entries] = [type.typeOf('keys'), type.typeOf('entries')];
      for (const [key, member] of value as Map<unknown, unknown>) {
        this.#visit(key, keys, depth + 1);
        this.#visit(member, entries, depth + 1);
      }
    } else if (kind === 'set') {
      const members = type.typeOf('members');
      for (const member of value as Set<unknown>) this.#visit(member, members, depth + 1);
    } else if (kind === 'typedarray' && isWhole(value as ArrayBufferView))
      type.bytes.add(Object.prototype.toString.call(value).slice(8, -1));
    else this.#rest(kind === 'error' ? [(value as Error).cause] : [], type, depth);
  }

  /** Values that are cloned unchanged may contain objects that occur at other places too. */
  #rest(parts: readonly unknown[], type: DraftType, depth: number): void {
    type.add('rest');
    if (!this.#tracksShared) return;
    const inside = new DraftType();
    for (const part of parts) this.#visit(part, inside, depth + 1);
  }
}

/** Minimum integer: codecs reserve a few lower integers for values that are not integers. */
const MIN_INT = -2147483640;

const isInt32 = (value: number): boolean =>
  value === (value | 0) && value >= MIN_INT && (value !== 0 || 1 / value > 0);

/** Returns null if the list contains other values. @returns true if each number is a 32-bit integer */
const numbersIn = (list: readonly unknown[]): boolean | null =>
  list.every((item) => typeof item === 'number') ? list.every(isInt32) : null;

const isWhole = ({ buffer, byteOffset, byteLength }: ArrayBufferView): boolean =>
  buffer instanceof ArrayBuffer &&
  byteOffset === 0 &&
  byteLength === buffer.byteLength &&
  (buffer as { resizable?: boolean }).resizable !== true;

/**
 * Infers the schema of all samples together.
 *
 * @param samples plain data that is not used elsewhere: results of JSON.parse or structuredClone
 * @param isJson no object occurs at two places
 * @returns null if the payload has more than MAX_TYPES types
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
  for (const type of walk.onlyCloned) type.now.becomeRest();
  for (const type of groups.types) joinNumbers(type);
  const schema = new SchemaWriter(groups, forms).schema(walk.root);
  return schema && withSharedTypes(schema);
}

/** Repeats until nothing changes: a dictionary merges types, which may turn other records into dictionaries. */
function settledForms(groups: RecordGroups): Map<Group, RecordForm> {
  for (;;) {
    groups.joinDictionaries();
    const overflowing = new Set(
      [...groups.types].filter(({ inside }) => inside.values !== undefined).map((type) => groups.of(type)),
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

/** If a type also has lists with numbers among other values, its lists of numbers are not a separate kind. */
function joinNumbers(type: DraftType): void {
  const items = type.inside.items?.now;
  if (type.numbers.count === 0 || items === undefined || !items.hasNumber) return;
  if (!type.numbers.int32) items.add('double');
  type.numbers = NO_NUMBERS;
}

// Merges types of the same form, so that their code is written once.

/**
 * Number of the class of each type, in the order of their first types. Starts from the kinds alone, and then splits
 * classes whose contents differ.
 */
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

/** The type with other numbers for the types of its contents. */
const withTypes = (type: ValueType, now: (at: number) => number): ValueType => ({
  ...type,
  ...(type.list !== undefined && { list: now(type.list) }),
  ...(type.dictionary !== undefined && { dictionary: now(type.dictionary) }),
  ...(type.map && { map: [now(type.map[0]), now(type.map[1])] }),
  ...(type.set !== undefined && { set: now(type.set) }),
});

/** The form of a type, without the facts that do not affect the code. */
const formOf = ({ text, ...type }: ValueType, child: (at: number) => number): unknown => [
  withTypes(type, child),
  text && [text.repeats, Math.round(Math.log2(1 + text.units / Math.max(1, text.count)))],
];

function withSharedTypes(schema: PayloadSchema): PayloadSchema {
  const classes = classesOf(schema);
  const now = (at: number): number => classes[at]!;
  return {
    types: schema.types
      .filter((_, at) => classes.indexOf(now(at)) === at)
      .map((type) => withTypes(type, now)),
    records: schema.records.map((record) => ({
      ...record,
      ...(record.loose !== undefined && { loose: now(record.loose) }),
      fields: record.fields.map((field) => ({ ...field, type: now(field.type) })),
    })),
  };
}
