/** A schema under construction: types and records are merged if they turn out to be one. */
import { sumOf, sumsBy } from '../../model/sums.ts';

class Node {
  protected into: this | null = null;

  /** The node that this node was merged into, or this node. */
  get now(): this {
    let node = this;
    while (node.into !== null) node = node.into;
    return node;
  }
}

/** A record, or dictionaries: objects with exactly these keys, in this order, and the objects of merged layouts. */
export class Layout extends Node {
  readonly keys: readonly string[];
  readonly types: readonly DraftType[];
  count = 0;
  readonly layouts = new Set<Layout>([this]);
  /** Layouts of the dictionaries. */
  readonly rare = new Set<Layout>();
  /** Fields in the order first seen: all fields of a record, or the fields of dictionaries that have separate types. */
  readonly fields: Map<string, DraftType>;
  values: DraftType | null = null;
  /** Keys whose values have the type `values`. */
  readonly loose = new Set<string>();
  /** Null until it is settled, and for dictionaries. */
  form: ReturnType<typeof recordForm> = null;

  constructor(keys: readonly string[]) {
    super();
    this.keys = keys;
    this.types = Array.from(keys, () => new DraftType());
    this.fields = new Map(keys.map((key, at) => [key, this.types[at]!]));
  }

  absorb(other: this): Pair[] {
    other.into = this;
    for (const part of ['layouts', 'rare'] as const) for (const layout of other[part]) this[part].add(layout);
    const pairs: Pair[] = [];
    for (const [key, type] of other.fields) {
      const known = this.fields.get(key);
      if (known === undefined) this.fields.set(key, type);
      else pairs.push([known, type]);
    }
    if (this.values !== null && other.values !== null) pairs.push([this.values, other.values]);
    this.values ??= other.values;
    for (const key of other.loose) this.loose.add(key);
    return [...pairs, ...this.#takeLoose()];
  }

  /** Turns the objects into dictionaries; the special keys keep separate types. */
  becomeDictionary(special: ReadonlySet<string>): Pair[] {
    this.values ??= new DraftType();
    for (const key of this.fields.keys()) if (!special.has(key)) this.loose.add(key);
    for (const layout of this.layouts) this.rare.add(layout);
    this.layouts.clear();
    return this.#takeLoose();
  }

  #takeLoose(): Pair[] {
    const { fields, loose, values } = this;
    const taken = [...fields].filter(([key]) => values !== null && loose.has(key));
    for (const [key] of taken) fields.delete(key);
    return taken.map(([, type]) => [values!, type]);
  }
}

export const NO_NUMBERS = { count: 0, int32: true, least: Number.POSITIVE_INFINITY, most: 0 };

type SimpleKind = 'null' | 'undefined' | 'boolean' | 'int32' | 'double' | 'bigint' | 'date' | 'rest';

/** Items of lists, values of dictionaries, members of Sets, keys and entries of Maps. */
const INSIDE = ['items', 'values', 'members', 'keys', 'entries'] as const;
type Inside = (typeof INSIDE)[number];

export class DraftType extends Node {
  readonly kinds = new Set<SimpleKind>();
  readonly texts = new DistinctTexts();
  numbers = NO_NUMBERS;
  readonly inside: Partial<Record<Inside, DraftType>> = {};
  /** Objects that are dictionaries because their keys are too many or too different. */
  dictionaries = 0;
  readonly bytes = new Set<string>();
  readonly layouts = new Set<Layout>();
  /** Types of fields by key, of any layout; the types at the same key of other layouts will be merged with them. */
  readonly fields = new Map<string, DraftType>();

  get record(): Layout | null {
    for (const layout of this.now.layouts) return layout.now;
    return null;
  }

  get hasNumber(): boolean {
    return this.kinds.has('int32') || this.kinds.has('double');
  }

  get isEmpty(): boolean {
    const parts = [this.kinds, this.bytes, this.layouts].reduce((sum, { size }) => sum + size, 0);
    return parts + this.texts.count + this.numbers.count + Object.keys(this.inside).length === 0;
  }

  addNumbers(numbers: typeof NO_NUMBERS): void {
    const { count, int32, least, most } = this.numbers;
    this.numbers = {
      count: count + numbers.count,
      int32: int32 && numbers.int32,
      least: Math.min(least, numbers.least),
      most: Math.max(most, numbers.most),
    };
  }

  addLayout(layout: Layout): void {
    this.layouts.add(layout);
    for (const [key, type] of layout.fields) this.fields.set(key, type);
  }

  typeOf(inside: Inside): DraftType {
    this.inside[inside] ??= new DraftType();
    return this.inside[inside];
  }

  /** Makes the type a rest, which is cloned: an object at several places stays one object only in a clone of all. */
  becomeRest(): void {
    this.kinds.add('rest');
    for (const inside of INSIDE) delete this.inside[inside];
    this.numbers = NO_NUMBERS;
    this.bytes.clear();
    this.layouts.clear();
  }

  absorb(other: this): Pair[] {
    other.into = this;
    for (const kind of other.kinds) this.kinds.add(kind);
    this.dictionaries += other.dictionaries;
    for (const layout of other.layouts) this.layouts.add(layout);
    for (const name of other.bytes) this.bytes.add(name);
    this.texts.absorb(other.texts);
    this.addNumbers(other.numbers);
    return INSIDE.flatMap((inside): Pair[] => {
      const [own, theirs] = [this.inside[inside], other.inside[inside]];
      if (own !== undefined && theirs !== undefined) return [[own, theirs]];
      if (theirs !== undefined) this.inside[inside] = theirs;
      return [];
    });
  }
}

type Pair = [DraftType, DraftType];

const MAX_COMPARED = 2048;
const MIN_REPEATED = 32;
const REPEATS_FROM = 4;

class DistinctTexts {
  count = 0;
  units = 0;
  readonly #seen = new Set<string>();
  #compared = 0;

  add(text: string): void {
    this.count++;
    this.units += text.length;
    if (this.#compared >= MAX_COMPARED) return;
    this.#compared++;
    this.#seen.add(text);
  }

  absorb(other: DistinctTexts): void {
    this.count += other.count;
    this.units += other.units;
    this.#compared += other.#compared;
    for (const text of other.#seen) this.#seen.add(text);
  }

  get repeats(): boolean {
    return this.#compared >= MIN_REPEATED && this.#seen.size * REPEATS_FROM <= this.#compared;
  }
}

/** All types and records of a draft. A record is the set of layouts at places of one type. */
export class Draft {
  readonly #types = new Set<DraftType>();

  constructor(root: DraftType) {
    const open = [root];
    for (let type = open.pop(); type !== undefined; type = open.pop()) {
      if (this.#types.has(type)) continue;
      this.#types.add(type);
      open.push(...Object.values(type.inside));
      for (const layout of type.layouts) open.push(...layout.types);
    }
    const pairs = [...this.#types].flatMap(({ layouts: [first, ...others] }) =>
      others.flatMap((layout) => joined(first!, layout)),
    );
    this.#merge(pairs);
  }

  get records(): Set<Layout> {
    return new Set([...this.types].flatMap(({ record }) => record ?? []));
  }

  get types(): Set<DraftType> {
    return new Set(Array.from(this.#types, (type) => type.now));
  }

  /** Joins dictionaries of one type: dictionaries found while reading, and dictionaries made of its layouts. */
  joinDictionaries(): void {
    this.#merge(
      [...this.types].flatMap(({ inside: { values }, record }): Pair[] =>
        values === undefined || !record?.values ? [] : [[record.values, values]],
      ),
    );
  }

  makeDictionary(record: Layout, special: ReadonlySet<string>): void {
    const pairs = record.becomeDictionary(special);
    this.#types.add(record.values!);
    this.#merge(pairs);
  }

  #merge(open: Pair[]): void {
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      const [one, other] = [pair[0].now, pair[1].now];
      if (one === other) continue;
      const [own, theirs] = [one.record, other.record];
      open.push(...one.absorb(other));
      if (own !== null && theirs !== null) open.push(...joined(own, theirs));
    }
  }
}

/** Joins two records: fewer layouts go into more. */
function joined(one: Layout, two: Layout): Pair[] {
  const [own, other] = [one.now, two.now];
  if (own === other) return [];
  return own.layouts.size < other.layouts.size ? other.absorb(own) : own.absorb(other);
}

/** Maximum optional keys: the bits of a positive 32-bit integer. */
const MAX_OPTIONAL = 30;
const MAX_LITERALS = 4;
const MAX_LITERALS_WITHOUT_ORDER = 48;
/** Minimum objects for each list of keys; otherwise the objects are dictionaries. */
const MIN_OBJECTS_OF_EACH = 4;
/** Maximum keys of all literals together, because they are lines of code. */
const MAX_LITERAL_KEYS = 120;
const MAX_FIELDS = 256;

/** Its keys, and those of each layout; `layouts` is null if the presence of each key is encoded separately. */
export function recordForm({ layouts, fields }: Layout) {
  // The most frequent is compared first.
  const lists = [...layouts].sort((a, b) => b.count - a.count).map(({ keys }) => keys);
  if (fields.size > MAX_FIELDS) return null;
  const order = commonOrder(lists);
  const byLists = { keys: order ?? [...fields.keys()], layouts: lists };
  const isFew = lists.length <= MAX_LITERALS && lists.flat().length <= MAX_LITERAL_KEYS;
  if (lists.length === 1 || (isFew && order !== null)) return byLists;
  const optional = [...fields.keys()].filter((key) => lists.some((keys) => !keys.includes(key)));
  if (order !== null && optional.length <= MAX_OPTIONAL) return { keys: order, layouts: null };
  const objects = sumOf([...layouts], ({ count }) => count);
  const isFrequent = lists.length <= MAX_LITERALS || objects >= MIN_OBJECTS_OF_EACH * lists.length;
  const isShort = lists.length <= MAX_LITERALS_WITHOUT_ORDER && lists.flat().length <= 2 * MAX_LITERAL_KEYS;
  return isFrequent && isShort ? byLists : null;
}

/** Minimum share of all objects that have a key, for the key to get a separate type. */
const MIN_SPECIAL_SHARE = 0.3;
const MIN_SPECIAL_LAYOUTS = 8;
const MAX_SPECIAL = 16;

/** Keys that most dictionaries have, such as `__compat` among names of children. */
export function specialKeys({ rare, layouts: own }: Layout): Set<string> {
  const layouts = new Set([...rare, ...own]);
  const objects = sumOf([...layouts], ({ count }) => count);
  if (layouts.size < MIN_SPECIAL_LAYOUTS) return new Set();
  const keyed = [...layouts].flatMap(({ keys, count }) => keys.map((key) => ({ key, count })));
  const counts = sumsBy(
    keyed,
    ({ key }) => key,
    ({ count }) => count,
  );
  const special = [...counts]
    .filter(([key, count]) => isName(key) && count >= MIN_SPECIAL_SHARE * objects)
    .sort(([, a], [, b]) => b - a);
  return new Set(special.slice(0, MAX_SPECIAL).map(([key]) => key));
}

const MIN_KEYS = 24;
/** Maximum keys with values of the same kind in a record: the code would have that many similar lines. */
const MAX_UNIFORM_KEYS = 64;
const MIN_RECORD_KEYS = 6;
const MIN_ID_KEYS = 4;
const MIN_SPARSE_KEYS = 8;
/** Maximum objects of a dictionary with only one layout: if more have the same keys, the keys are fields. */
const MAX_OBJECTS = 2;

/** True if the keys are names of things instead of fields: each object has different keys, or would with other data. */
export function isDictionary({ layouts, fields }: Layout): boolean {
  const keys = [...fields.keys()];
  // All values are of one kind, apart from null and objects that contain such values.
  const { kinds, records } = leavesOf(fields.values(), new Set());
  if (kinds.size !== 1 || !areAlike([...records])) return false;
  if (!keys.some(isName) || keys.length >= MAX_UNIFORM_KEYS) return true;
  if (keys.length < MIN_ID_KEYS) return false;
  const objects = sumOf([...layouts], ({ count }) => count);
  if (layouts.size > 1) {
    const mean = sumOf([...layouts], (layout) => layout.count * layout.keys.length) / objects;
    if (2 * mean >= keys.length && objects >= MIN_OBJECTS_OF_EACH * keys.length) return false;
    return areIds(keys) || (keys.length >= MIN_SPARSE_KEYS && 2 * mean < keys.length);
  }
  if (objects > MAX_OBJECTS) return false;
  if (keys.length >= MIN_KEYS || areIds(keys)) return true;
  return keys.length >= MIN_RECORD_KEYS && [...fields.values()].every((type) => type.record !== null);
}

const isName = (key: string): boolean => /^[A-Za-z_$]+\d{0,2}$/.test(key);

const areIds = (keys: readonly string[]): boolean => 2 * keys.filter(isName).length < keys.length;

/** Returns an order that agrees with the order of keys in all these lists; null if two lists contradict each other. */
function commonOrder(lists: readonly (readonly string[])[]): string[] | null {
  const nodes = new Map(lists.flat().map((key) => [key, { after: new Set<string>(), waiting: 0 }]));
  for (const keys of lists)
    for (const [at, next] of keys.slice(1).entries()) {
      const { after } = nodes.get(keys[at]!)!;
      if (!after.has(next)) nodes.get(next)!.waiting++;
      after.add(next);
    }
  const order: string[] = [];
  const ready = [...nodes].flatMap(([key, { waiting }]) => (waiting === 0 ? [key] : []));
  for (let key = ready.shift(); key !== undefined; key = ready.shift()) {
    order.push(key);
    for (const next of nodes.get(key)!.after) if (--nodes.get(next)!.waiting === 0) ready.unshift(next);
  }
  return order.length === nodes.size ? order : null;
}

/** Minimum share of all their keys that similar records have on average. */
const MIN_SHARED = 0.4;

class Leaves {
  kinds = new Set<string>();
  records = new Set<Layout>();
}

/** @param path records and types around these types: records and dictionaries may contain themselves */
function leavesOf(types: Iterable<DraftType>, path: ReadonlySet<Node>, leaves = new Leaves()): Leaves {
  for (const type of types) {
    addKinds(type.now, leaves.kinds);
    const { record } = type;
    const values = type.now.inside.values?.now;
    if (values !== undefined && !path.has(values)) leavesOf([values], new Set(path).add(values), leaves);
    if (record !== null && !path.has(record)) {
      const below = leavesOf(record.fields.values(), new Set(path).add(record));
      const isOne = below.kinds.size <= 1 && areAlike([...below.records]);
      for (const kind of isOne ? below.kinds : ['record']) leaves.kinds.add(kind);
      for (const inner of isOne ? below.records : [record]) leaves.records.add(inner);
    }
    if (leaves.kinds.size > 1) break;
  }
  return leaves;
}

function addKinds(type: DraftType, kinds: Set<string>): void {
  const { items, members, keys } = type.inside;
  if (type.texts.count > 0) kinds.add('text');
  if (type.hasNumber) kinds.add('number');
  for (const kind of ['boolean', 'bigint', 'date'] as const) if (type.kinds.has(kind)) kinds.add(kind);
  if (items !== undefined || type.numbers.count > 0) kinds.add('list');
  if (keys !== undefined) kinds.add('map');
  if (members !== undefined) kinds.add('set');
  if (type.bytes.size > 0 || type.kinds.has('rest')) kinds.add('rest');
}

function areAlike(records: readonly Layout[]): boolean {
  if (records.length <= 1) return true;
  const keys = new Set(records.flatMap(({ fields }) => [...fields.keys()]));
  return sumOf(records, ({ fields }) => fields.size) / records.length >= MIN_SHARED * keys.size;
}
