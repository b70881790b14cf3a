/** A schema while it is made: nodes that are merged when they turn out to be of one type. */

/** Objects with exactly these keys, in this order, wherever they stand. */
export class Layout {
  readonly keys: readonly string[];
  readonly types: DraftType[];
  count = 0;

  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.types = Array.from(keys, () => new DraftType());
  }
}

/** Lists of numbers. */
interface DraftNumbers {
  count: number;
  int32: boolean;
  least: number;
  most: number;
}

/** What was seen at places of one type. */
export class DraftType {
  hasNull = false;
  hasUndefined = false;
  hasBoolean = false;
  hasInt32 = false;
  hasDouble = false;
  hasBigint = false;
  hasDate = false;
  hasRest = false;
  texts: DistinctTexts | null = null;
  numbers: DraftNumbers | null = null;
  items: DraftType | null = null;
  values: DraftType | null = null;
  /** Objects of so many or so different keys that they are dictionaries. */
  dictionaries = 0;
  map: [DraftType, DraftType] | null = null;
  members: DraftType | null = null;
  bytes: Set<string> | null = null;
  readonly layouts = new Set<Layout>();
  /** The layout that was seen last, which is usually the next. */
  latest: Layout | null = null;
  /** By key, of so many layouts. */
  #fields: { layouts: number; types: Map<string, DraftType> } | null = null;
  /** The node that this one was merged into. */
  #merged: DraftType | null = null;

  addText(text: string): void {
    this.texts ??= new DistinctTexts();
    this.texts.add(text);
  }

  addNumbers(length: number, int32: boolean): void {
    const list = { count: 1, int32, least: length, most: length };
    this.numbers = this.numbers === null ? list : joined(this.numbers, list);
  }

  addBytes(name: string): void {
    this.bytes ??= new Set();
    this.bytes.add(name);
  }

  /** Type at a key that one of the layouts has: that of the other layouts will be the same. */
  fieldType(key: string): DraftType | undefined {
    if (this.#fields?.layouts !== this.layouts.size) {
      const types = [...this.layouts].flatMap((layout) =>
        layout.keys.map((key, at) => [key, layout.types[at]!] as const),
      );
      this.#fields = { layouts: this.layouts.size, types: new Map(types) };
    }
    return this.#fields.types.get(key);
  }

  itemsType(): DraftType {
    this.items ??= new DraftType();
    return this.items;
  }

  valuesType(): DraftType {
    this.values ??= new DraftType();
    return this.values;
  }

  membersType(): DraftType {
    this.members ??= new DraftType();
    return this.members;
  }

  mapTypes(): [keys: DraftType, values: DraftType] {
    this.map ??= [new DraftType(), new DraftType()];
    return this.map;
  }

  /** The node that stands for this one now. */
  get now(): DraftType {
    let node: DraftType = this;
    while (node.#merged !== null) node = node.#merged;
    return node;
  }

  /** Both are one from now on. @returns pairs that have to be merged as well */
  absorb(other: DraftType): [DraftType, DraftType][] {
    other.#merged = this;
    this.hasNull ||= other.hasNull;
    this.hasUndefined ||= other.hasUndefined;
    this.hasBoolean ||= other.hasBoolean;
    this.hasInt32 ||= other.hasInt32;
    this.hasDouble ||= other.hasDouble;
    this.hasBigint ||= other.hasBigint;
    this.hasDate ||= other.hasDate;
    this.hasRest ||= other.hasRest;
    this.dictionaries += other.dictionaries;
    for (const layout of other.layouts) this.layouts.add(layout);
    for (const name of other.bytes ?? []) this.addBytes(name);
    if (other.texts !== null) this.texts = this.texts?.with(other.texts) ?? other.texts;
    if (other.numbers !== null)
      this.numbers = this.numbers === null ? other.numbers : joined(this.numbers, other.numbers);
    return this.#childrenWith(other);
  }

  #childrenWith(other: DraftType): [DraftType, DraftType][] {
    const pairs: [DraftType, DraftType][] = [];
    const both = (own: DraftType | null, theirs: DraftType | null): DraftType | null => {
      if (own !== null && theirs !== null) pairs.push([own, theirs]);
      return own ?? theirs;
    };
    this.items = both(this.items, other.items);
    this.values = both(this.values, other.values);
    this.members = both(this.members, other.members);
    const [keys, values] = [
      both(this.map?.[0] ?? null, other.map?.[0] ?? null),
      both(this.map?.[1] ?? null, other.map?.[1] ?? null),
    ];
    this.map = keys !== null && values !== null ? [keys, values] : null;
    return pairs;
  }
}

const joined = (a: DraftNumbers, b: DraftNumbers): DraftNumbers => ({
  count: a.count + b.count,
  int32: a.int32 && b.int32,
  least: Math.min(a.least, b.least),
  most: Math.max(a.most, b.most),
});

/** Beyond so many texts of one type, more say nothing new. */
const MAX_COMPARED = 2048;
const MIN_REPEATED = 32;
const REPEATS_FROM = 4;

/** How many texts of one type there are, and whether they repeat. */
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

  with(other: DistinctTexts): DistinctTexts {
    this.count += other.count;
    this.units += other.units;
    this.#compared += other.#compared;
    for (const text of other.#seen) this.#seen.add(text);
    return this;
  }

  get repeats(): boolean {
    return this.#compared >= MIN_REPEATED && this.#seen.size * REPEATS_FROM <= this.#compared;
  }
}
