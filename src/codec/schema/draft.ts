/** A schema under construction: types and records are merged if they turn out to be one. */

/** Form of the objects of a record. */
export interface RecordForm {
  keys: string[];
  /** Keys of each layout; null if the presence of each key is encoded separately. */
  layouts: (readonly string[])[] | null;
}

/** A node of the draft, which may be merged into another. */
class Node {
  #into: this | null = null;

  /** The node that this node was merged into, or this node. */
  get now(): this {
    let node = this;
    while (node.#into !== null) node = node.#into;
    return node;
  }

  protected takeOver(other: this): void {
    other.#into = this;
  }
}

/** A record, or dictionaries: objects with exactly these keys, in this order, and those of the layouts merged into it. */
export class Layout extends Node {
  readonly keys: readonly string[];
  readonly types: readonly DraftType[];
  count = 0;
  /** Layouts of the record. */
  readonly layouts = new Set<Layout>([this]);
  /** Layouts of the dictionaries. */
  readonly rare = new Set<Layout>();
  /** Fields in the order first seen: all fields of a record, or the fields of dictionaries that have separate types. */
  readonly fields: Map<string, DraftType>;
  /** Type of the values of the dictionaries. */
  values: DraftType | null = null;
  /** Keys whose values have the type `values`. */
  readonly loose = new Set<string>();
  /** Null until it is settled, and for dictionaries. */
  form: RecordForm | null = null;

  constructor(keys: readonly string[]) {
    super();
    this.keys = keys;
    this.types = Array.from(keys, () => new DraftType());
    this.fields = new Map(keys.map((key, at) => [key, this.types[at]!]));
  }

  /** Merges the other record into this one. @returns pairs of types that have to be merged as well */
  absorb(other: this): Pair[] {
    this.takeOver(other);
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

  /** Turns the objects into dictionaries; the special keys keep separate types. @returns pairs to merge */
  becomeDictionary(special: ReadonlySet<string>): Pair[] {
    this.values ??= new DraftType();
    for (const key of this.fields.keys()) if (!special.has(key)) this.loose.add(key);
    for (const layout of this.layouts) this.rare.add(layout);
    this.layouts.clear();
    return this.#takeLoose();
  }

  #takeLoose(): Pair[] {
    const { fields, values } = this;
    if (values === null) return [];
    const taken = [...fields].filter(([key]) => this.loose.has(key));
    return taken.map(([key, type]): Pair => {
      fields.delete(key);
      return [values, type];
    });
  }
}

/** Facts of lists that contain only numbers. */
export const NO_NUMBERS = { count: 0, int32: true, least: Number.POSITIVE_INFINITY, most: 0 };

/** Kinds of values without contents: the type records the kind of each value. */
type SimpleKind = 'null' | 'undefined' | 'boolean' | 'int32' | 'double' | 'bigint' | 'date' | 'rest';

/** Places inside values of a type. */
const INSIDE = ['items', 'values', 'members', 'keys', 'entries'] as const;
type Inside = (typeof INSIDE)[number];

/** Values that were seen at places of one type. */
export class DraftType extends Node {
  readonly kinds = new Set<SimpleKind>();
  readonly texts = new DistinctTexts();
  numbers = NO_NUMBERS;
  /** Types of items of lists, values of dictionaries, members of Sets, keys and entries of Maps. */
  readonly inside: Partial<Record<Inside, DraftType>> = {};
  /** Number of objects that are dictionaries because their keys are too many or too different. */
  dictionaries = 0;
  /** Names of the classes of whole typed arrays. */
  readonly bytes = new Set<string>();
  readonly layouts = new Set<Layout>();
  /** Types of fields by key, of any layout; the types at the same key of other layouts will be merged with them. */
  readonly fields = new Map<string, DraftType>();

  /** The record of its objects, or null if it has none. */
  get record(): Layout | null {
    for (const layout of this.now.layouts) return layout.now;
    return null;
  }

  get hasNumber(): boolean {
    return this.kinds.has('int32') || this.kinds.has('double');
  }

  /** True if no value was seen there. */
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

  /** Merges the other type into this one. @returns pairs that have to be merged as well */
  absorb(other: this): Pair[] {
    this.takeOver(other);
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

/** Maximum texts of one type that are compared; more would not add information. */
const MAX_COMPARED = 2048;
const MIN_REPEATED = 32;
const REPEATS_FROM = 4;

/** Counts the texts of one type and detects if they repeat. */
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

/** All types and records of a complete draft. A record is the set of layouts at places of one type. */
export class Draft {
  readonly #types = new Set<DraftType>();
  readonly #layouts = new Set<Layout>();

  constructor(root: DraftType) {
    const open = [root];
    for (let type = open.pop(); type !== undefined; type = open.pop()) {
      if (this.#types.has(type)) continue;
      this.#types.add(type);
      open.push(...Object.values(type.inside));
      for (const layout of type.layouts) open.push(...layout.types);
    }
    const pairs: Pair[] = [];
    for (const { layouts } of this.#types) {
      const [first, ...others] = layouts;
      for (const layout of layouts) this.#layouts.add(layout);
      for (const layout of others) pairs.push(...joined(first!, layout));
    }
    this.#merge(pairs);
  }

  /** The records that remain after merging. */
  get records(): Set<Layout> {
    return new Set(Array.from(this.#layouts, (layout) => layout.now));
  }

  /** The types that remain after merging. */
  get types(): Set<DraftType> {
    return new Set(Array.from(this.#types, (type) => type.now));
  }

  /** Joins dictionaries of one type: dictionaries found while reading, and dictionaries made of its layouts. */
  joinDictionaries(): void {
    const pairs: Pair[] = [];
    for (const { inside, record } of this.types)
      if (inside.values !== undefined && record !== null && record.values !== null)
        pairs.push([record.values, inside.values]);
    this.#merge(pairs);
  }

  makeDictionary(record: Layout, special: ReadonlySet<string>): void {
    const pairs = record.becomeDictionary(special);
    this.#types.add(record.values!);
    this.#merge(pairs);
  }

  /** Merges types, and records at places of one type. */
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

/** Joins two records, the one with fewer layouts into the other. @returns pairs of types to merge */
function joined(one: Layout, two: Layout): Pair[] {
  const [own, other] = [one.now, two.now];
  if (own === other) return [];
  return own.layouts.size < other.layouts.size ? other.absorb(own) : own.absorb(other);
}
