import type { PayloadSchema, RecordType, ValueType } from '../../model/documents/payload-schema.ts';
import { sumOf } from '../../model/sums.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import type { TypeDetection } from '../../value/read/built-in-types.ts';
import { Draft, DraftType, isDictionary, Layout, NO_NUMBERS, recordForm, specialKeys } from './draft.ts';

const MAX_NODES = 2e6;
const MAX_DEPTH = 400;
const MAX_KEYS = 256;
/** Maximum layouts (lists of keys) of one type, and of all; further objects are dictionaries. */
const MAX_LAYOUTS = 64;
const MAX_ALL_LAYOUTS = 4096;

/** Reads samples into a draft. They are results of JSON.parse or structuredClone that are not used elsewhere. */
class SchemaWalk {
  readonly root = new DraftType();
  readonly #types: TypeDetection;
  readonly #tracksShared: boolean;
  readonly #seen = new Map<object, DraftType>();
  readonly #layouts = new Map<string, Layout>();
  #visited = 0;
  /** Types of objects that occur at several places, and of lists with named properties: only a clone keeps both. */
  readonly onlyCloned = new Set<DraftType>();

  /** @param tracksShared false if no object can occur at two places, as in JSON */
  constructor(types: TypeDetection, tracksShared: boolean) {
    this.#types = types;
    this.#tracksShared = tracksShared;
  }

  visit(value: unknown, type = this.root, depth = 0): void {
    this.#visited++;
    if (typeof value === 'string') type.texts.add(value);
    else if (typeof value === 'number') type.kinds.add(isInt32(value) ? 'int32' : 'double');
    else if (value === null) type.kinds.add('null');
    else if (typeof value === 'object') this.#object(value, type, depth);
    else if (typeof value === 'boolean') type.kinds.add('boolean');
    else if (value === undefined) type.kinds.add('undefined');
    else if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) type.kinds.add('bigint');
    else type.kinds.add('rest');
  }

  #object(value: object, type: DraftType, depth: number): void {
    if (depth > MAX_DEPTH || this.#visited > MAX_NODES) {
      type.kinds.add('rest');
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
      type.addNumbers({ count: 1, int32, least: length, most: length });
      return;
    }
    const items = type.typeOf('items');
    for (let at = 0; at < length; at++) this.visit(value[at], items, depth + 1);
  }

  #plain(value: object, type: DraftType, depth: number): void {
    const record = value as Record<string, unknown>;
    const keys = Object.keys(value);
    const layout = this.#layoutFor(keys, type);
    if (layout === null) {
      const values = type.typeOf('values');
      type.dictionaries++;
      // Keys that most dictionaries have may become fields with separate types.
      for (const key of keys) this.visit(record[key], type.fields.get(key) ?? values, depth + 1);
      return;
    }
    layout.count++;
    for (let at = 0; at < keys.length; at++) this.visit(record[keys[at]!], layout.types[at]!, depth + 1);
  }

  #layoutFor(keys: readonly string[], type: DraftType): Layout | null {
    if (keys.length > MAX_KEYS) return null;
    const text = JSON.stringify(keys);
    const known = this.#layouts.get(text);
    if (known !== undefined && type.layouts.has(known)) return known;
    if (type.layouts.size >= MAX_LAYOUTS || this.#layouts.size >= MAX_ALL_LAYOUTS) return null;
    const layout = known ?? new Layout(keys);
    this.#layouts.set(text, layout);
    type.addLayout(layout);
    return layout;
  }

  #builtIn(value: object, type: DraftType, depth: number): void {
    const { kind } = this.#types.of(value);
    if (kind === 'date') type.kinds.add('date');
    else if (kind === 'map') {
      const [keys, entries] = [type.typeOf('keys'), type.typeOf('entries')];
      for (const [key, member] of value as Map<unknown, unknown>) {
        this.visit(key, keys, depth + 1);
        this.visit(member, entries, depth + 1);
      }
    } else if (kind === 'set') {
      const members = type.typeOf('members');
      for (const member of value as Set<unknown>) this.visit(member, members, depth + 1);
    } else if (BYTES.includes(kind)) type.bytes.add(Object.prototype.toString.call(value).slice(8, -1));
    else this.#rest(kind === 'error' ? [(value as Error).cause] : [], type, depth);
  }

  /** Values that are cloned unchanged may contain objects that occur at other places too. */
  #rest(parts: readonly unknown[], type: DraftType, depth: number): void {
    type.kinds.add('rest');
    if (!this.#tracksShared) return;
    const inside = new DraftType();
    for (const part of parts) this.visit(part, inside, depth + 1);
  }
}

const BYTES: readonly Kind[] = ['typedarray', 'dataview', 'arraybuffer'];

/** Minimum integer: in messages of codecs, the few lower integers are marks for values that do not fit. */
export const MIN_INT = -2147483640;

const isInt32 = (value: number): boolean =>
  value === (value | 0) && value >= MIN_INT && (value !== 0 || 1 / value > 0);

/** Returns null if the list contains other values. @returns true if each number is a 32-bit integer */
const numbersIn = (list: readonly unknown[]): boolean | null =>
  list.every((item) => typeof item === 'number') ? list.every(isInt32) : null;

/**
 * The schema of all samples together; null if it has over MAX_TYPES types.
 * @param samples plain data that is not used elsewhere: results of JSON.parse or structuredClone
 * @param isJson no object is at two places
 */
export function inferSchema(samples: readonly unknown[], types: TypeDetection, isJson: boolean) {
  const walk = new SchemaWalk(types, !isJson);
  for (const sample of samples) walk.visit(sample);
  const draft = new Draft(walk.root);
  settleRecords(draft);
  for (const type of walk.onlyCloned) type.now.becomeRest();
  for (const type of draft.types) joinNumbers(type);
  return new SchemaWriter().schema(walk.root);
}

/** Repeats until nothing changes: a dictionary merges types, which may turn other records into dictionaries. */
function settleRecords(draft: Draft): void {
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    draft.joinDictionaries();
    const overflowing = new Set(
      [...draft.types].flatMap(({ inside, record }) => (inside.values === undefined ? [] : [record])),
    );
    for (const record of draft.records) {
      if (record.now !== record || record.layouts.size === 0) continue;
      const isMixed = record.values !== null || overflowing.has(record);
      record.form = isMixed || isDictionary(record) ? null : recordForm(record);
      if (record.form !== null) continue;
      isSettled = false;
      draft.makeDictionary(record, specialKeys(record));
    }
  }
}

/** If a type also has lists with numbers among other values, its lists of numbers are not a separate kind. */
function joinNumbers(type: DraftType): void {
  const items = type.inside.items?.now;
  if (type.numbers.count === 0 || items === undefined || !items.hasNumber) return;
  if (!type.numbers.int32) items.kinds.add('double');
  type.numbers = NO_NUMBERS;
}

const MIN_TUPLES = 4;
const MAX_TUPLE = 4;
/** Maximum types of a schema: more types would mean more code than a user wants. */
export const MAX_TYPES = 600;

/** Writes the schema, and numbers types and records breadth first. Types of the same form have one number. */
class SchemaWriter {
  readonly #types = new Map<DraftType, number>();
  readonly #records = new Map<Layout, number>();

  schema(root: DraftType): PayloadSchema | null {
    this.#type(root);
    // Writing a type numbers the types inside.
    for (const type of this.#types.keys()) {
      this.#valueType(type);
      if (this.#types.size > MAX_TYPES) return null;
    }
    this.#shareTypes();
    const types: ValueType[] = [];
    for (const [type, at] of this.#types) types[at] ??= this.#valueType(type);
    return { types, records: [...this.#records.keys()].map((record) => this.#recordType(record)) };
  }

  /** Starts from the kinds alone, and then splits classes of types whose contents differ. */
  #shareTypes(): void {
    for (const type of this.#types.keys()) this.#types.set(type, 0);
    for (let [before, count] = [0, 1]; count > before; ) {
      const forms = Array.from(this.#types.keys(), (type) => JSON.stringify(formOf(this.#valueType(type))));
      const classes = new Map([...new Set(forms)].map((form, at) => [form, at]));
      for (const [at, type] of [...this.#types.keys()].entries())
        this.#types.set(type, classes.get(forms[at]!)!);
      [before, count] = [count, classes.size];
    }
  }

  #type(draft: DraftType): number {
    const type = draft.now;
    if (!this.#types.has(type)) this.#types.set(type, this.#types.size);
    return this.#types.get(type)!;
  }

  #record(record: Layout): number {
    const known = this.#records.get(record);
    if (known !== undefined) return known;
    const at = this.#records.size;
    this.#records.set(record, at);
    this.#recordType(record);
    return at;
  }

  #recordType({ fields, form, layouts, values }: Layout): RecordType {
    if (form === null) {
      const loose = this.#type(values!);
      return {
        fields: [...fields].map(([key, type]) => ({ key, type: this.#type(type), optional: true })),
        loose,
      };
    }
    const { keys } = form;
    const isOptional = (key: string) => [...layouts].some((layout) => !layout.keys.includes(key));
    return {
      fields: keys.map((key) => ({
        key,
        type: this.#type(fields.get(key)!),
        ...(isOptional(key) && { optional: true }),
      })),
      ...(form.layouts && { layouts: form.layouts.map((one) => one.map((key) => keys.indexOf(key))) }),
    };
  }

  #valueType(draft: DraftType): ValueType {
    const { kinds, texts, numbers, bytes, record } = draft;
    const { items, members, keys, entries } = draft.inside;
    const isRecord = record !== null && record.layouts.size + record.fields.size > 0;
    const values = isRecord ? null : (draft.inside.values ?? record?.values ?? null);
    // If there are lists of numbers and `items` is empty, the other lists are only empty lists.
    const isList = items !== undefined && (numbers.count === 0 || !items.isEmpty);
    return {
      ...(kinds.has('null') && { null: true }),
      ...(kinds.has('undefined') && { undefined: true }),
      ...(kinds.has('boolean') && { boolean: true }),
      ...(draft.hasNumber && { number: kinds.has('double') ? 'double' : 'int32' }),
      ...(kinds.has('bigint') && { bigint: true }),
      ...(kinds.has('date') && { date: true }),
      ...(texts.count > 0 && {
        text: { count: texts.count, units: texts.units, ...(texts.repeats && { repeats: true }) },
      }),
      ...(numbers.count > 0 && {
        numbers: { ...(numbers.int32 && { int32: true }), ...(items === undefined && tupleOf(numbers)) },
      }),
      ...(isList && { list: this.#type(items) }),
      ...(isRecord && { record: this.#record(record) }),
      ...(values !== null && {
        dictionary: this.#type(values),
        ...(keysRepeat(draft) && { keysRepeat: true }),
      }),
      ...(keys && entries && { map: [this.#type(keys), this.#type(entries)] }),
      ...(members && { set: this.#type(members) }),
      ...(bytes.size > 0 && { bytes: [...bytes].sort() }),
      ...(kinds.has('rest') && { rest: true }),
    };
  }
}

/** The form of a type, without the facts that do not affect the code. */
const formOf = ({ text, ...type }: ValueType): unknown => [
  type,
  text && [text.repeats, Math.round(Math.log2(1 + text.units / Math.max(1, text.count)))],
];

const tupleOf = ({ count, least, most }: typeof NO_NUMBERS) =>
  least === most && count >= MIN_TUPLES && most <= MAX_TUPLE ? { length: most } : {};

const MIN_REPEATS = 2;

function keysRepeat({ dictionaries, record }: DraftType): boolean {
  const rare = [...(record?.rare ?? [])];
  const objects = dictionaries + sumOf(rare, ({ count }) => count);
  return objects >= MIN_REPEATS * (rare.length + dictionaries);
}
