/** A schema under construction: its nodes are merged if they turn out to be of one type. */

/** Objects with exactly these keys, in this order, at any place. */
export class Layout {
  readonly keys: readonly string[];
  readonly types: DraftType[];
  count = 0;

  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.types = Array.from(keys, () => new DraftType());
  }
}

/** Facts of lists that contain only numbers. */
export interface DraftNumbers {
  count: number;
  int32: boolean;
  least: number;
  most: number;
}

export const NO_NUMBERS: DraftNumbers = { count: 0, int32: true, least: Number.POSITIVE_INFINITY, most: 0 };

/** Kinds of values without contents: the type records the kind of each value. */
type SimpleKind = 'null' | 'undefined' | 'boolean' | 'int32' | 'double' | 'bigint' | 'date' | 'rest';

/** Places inside values of a type. */
const INSIDE = ['items', 'values', 'members', 'keys', 'entries'] as const;
type Inside = (typeof INSIDE)[number];

/** Values that were seen at places of one type. */
export class DraftType {
  readonly #kinds = new Set<SimpleKind>();
  readonly texts = new DistinctTexts();
  numbers = NO_NUMBERS;
  /** Types of items of lists, values of dictionaries, members of Sets, keys and entries of Maps. */
  readonly inside: Partial<Record<Inside, DraftType>> = {};
  /** Number of objects that are dictionaries because their keys are too many or too different. */
  dictionaries = 0;
  /** Names of the classes of whole typed arrays. */
  readonly bytes = new Set<string>();
  readonly layouts = new Set<Layout>();
  /** Cached types of fields by key, and the number of layouts at that time. */
  #fields: { layouts: number; types: Map<string, DraftType> } | null = null;
  /** The node that this one was merged into. */
  #merged: DraftType | null = null;

  add(kind: SimpleKind): void {
    this.#kinds.add(kind);
  }

  has(kind: SimpleKind): boolean {
    return this.#kinds.has(kind);
  }

  get hasNumber(): boolean {
    return this.has('int32') || this.has('double');
  }

  /** True if no value was seen there. */
  get isEmpty(): boolean {
    const parts = [this.#kinds, this.bytes, this.layouts].reduce((sum, { size }) => sum + size, 0);
    return parts + this.texts.count + this.numbers.count + Object.keys(this.inside).length === 0;
  }

  addNumbers(length: number, int32: boolean): void {
    this.numbers = joined(this.numbers, { count: 1, int32, least: length, most: length });
  }

  /** Type at a key of any layout; the types at this key of the other layouts will be merged with it. */
  fieldType(key: string): DraftType | undefined {
    if (this.#fields?.layouts !== this.layouts.size) {
      const types = [...this.layouts].flatMap((layout) =>
        layout.keys.map((key, at) => [key, layout.types[at]!] as const),
      );
      this.#fields = { layouts: this.layouts.size, types: new Map(types) };
    }
    return this.#fields.types.get(key);
  }

  typeOf(inside: Inside): DraftType {
    this.inside[inside] ??= new DraftType();
    return this.inside[inside];
  }

  /** Makes the type a rest, which is cloned: an object at several places stays one object only in a clone of all. */
  becomeRest(): void {
    this.add('rest');
    for (const inside of INSIDE) delete this.inside[inside];
    this.numbers = NO_NUMBERS;
    this.bytes.clear();
    this.layouts.clear();
  }

  /** The node that this node was merged into, or this node. */
  get now(): DraftType {
    let node: DraftType = this;
    while (node.#merged !== null) node = node.#merged;
    return node;
  }

  /** Merges the other node into this one. @returns pairs that have to be merged as well */
  absorb(other: DraftType): [DraftType, DraftType][] {
    other.#merged = this;
    for (const kind of other.#kinds) this.#kinds.add(kind);
    this.dictionaries += other.dictionaries;
    for (const layout of other.layouts) this.layouts.add(layout);
    for (const name of other.bytes) this.bytes.add(name);
    this.texts.absorb(other.texts);
    this.numbers = joined(this.numbers, other.numbers);
    return INSIDE.flatMap((inside): [DraftType, DraftType][] => {
      const [own, theirs] = [this.inside[inside], other.inside[inside]];
      if (own !== undefined && theirs !== undefined) return [[own, theirs]];
      if (theirs !== undefined) this.inside[inside] = theirs;
      return [];
    });
  }
}

const joined = (a: DraftNumbers, b: DraftNumbers): DraftNumbers => ({
  count: a.count + b.count,
  int32: a.int32 && b.int32,
  least: Math.min(a.least, b.least),
  most: Math.max(a.most, b.most),
});

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
