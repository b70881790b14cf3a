/** A record is the set of layouts at places of one type. Merging types can join records, and vice versa. */
import { DraftType, type Layout } from './draft.ts';

/** A record, or dictionaries. */
export interface Group {
  /** Layouts of the record. */
  readonly layouts: Set<Layout>;
  /** Layouts of the dictionaries. */
  readonly rare: Set<Layout>;
  /** Fields in the order first seen: all fields of a record, or the fields of dictionaries that have separate types. */
  readonly fields: Map<string, DraftType>;
  /** Type of the values of the dictionaries. */
  values: DraftType | null;
  /** Keys whose values have the type `values`. */
  readonly loose: Set<string>;
  isJoined: boolean;
}

export class RecordGroups {
  readonly #byLayout = new Map<Layout, Group>();
  readonly #types = new Set<DraftType>();
  readonly #open: [DraftType, DraftType][] = [];

  /** @param root root of a complete draft */
  constructor(root: DraftType) {
    this.#collect(root);
    for (const type of this.#types) this.#joinLayouts(type);
    this.#settle();
  }

  get groups(): Set<Group> {
    return new Set(this.#byLayout.values());
  }

  /** Joins dictionaries of one type: dictionaries found while reading, and dictionaries made of its layouts. */
  joinDictionaries(): void {
    for (const type of this.types) {
      const group = this.of(type);
      const { values } = type.inside;
      if (values !== undefined && group !== null && group.values !== null)
        this.#open.push([group.values, values]);
    }
    this.#settle();
  }

  /** The types that remain after merging. */
  get types(): Set<DraftType> {
    const types = new Set<DraftType>();
    for (const type of this.#types) types.add(type.now);
    return types;
  }

  /** Returns null for a type without objects. */
  of(type: DraftType): Group | null {
    for (const layout of type.now.layouts) return this.#byLayout.get(layout)!;
    return null;
  }

  /** Turns the objects of a group into dictionaries; the special keys keep separate types. */
  makeDictionary(group: Group, special: ReadonlySet<string>): void {
    group.values ??= new DraftType();
    const { values } = group;
    this.#types.add(values);
    for (const key of group.fields.keys()) if (!special.has(key)) group.loose.add(key);
    this.#moveLoose(group);
    for (const layout of group.layouts) group.rare.add(layout);
    group.layouts.clear();
    this.#settle();
  }

  #moveLoose({ fields, loose, values }: Group): void {
    if (values === null) return;
    for (const [key, type] of fields)
      if (loose.has(key)) {
        fields.delete(key);
        this.#open.push([values, type]);
      }
  }

  #collect(root: DraftType): void {
    const open = [root];
    for (let type = open.pop(); type !== undefined; type = open.pop()) {
      if (this.#types.has(type)) continue;
      this.#types.add(type);
      open.push(...Object.values(type.inside));
      for (const layout of type.layouts) open.push(...layout.types);
    }
  }

  #joinLayouts({ layouts }: DraftType): void {
    let group: Group | null = null;
    for (const layout of layouts) {
      const own = this.#byLayout.get(layout) ?? newGroup(layout);
      this.#byLayout.set(layout, own);
      group = group === null || group === own ? own : this.#joined(group, own);
    }
  }

  #joined(one: Group, two: Group): Group {
    const [group, other] = one.layouts.size < two.layouts.size ? [two, one] : [one, two];
    other.isJoined = true;
    for (const part of ['layouts', 'rare'] as const)
      for (const layout of other[part]) {
        group[part].add(layout);
        this.#byLayout.set(layout, group);
      }
    for (const [key, type] of other.fields) {
      const known = group.fields.get(key);
      if (known === undefined) group.fields.set(key, type);
      else this.#open.push([known, type]);
    }
    if (group.values !== null && other.values !== null) this.#open.push([group.values, other.values]);
    group.values ??= other.values;
    for (const key of other.loose) group.loose.add(key);
    this.#moveLoose(group);
    return group;
  }

  #settle(): void {
    for (let pair = this.#open.pop(); pair !== undefined; pair = this.#open.pop()) {
      const [one, other] = [pair[0].now, pair[1].now];
      if (one === other) continue;
      const [own, theirs] = [this.of(one), this.of(other)];
      this.#open.push(...one.absorb(other));
      if (own !== null && theirs !== null && own !== theirs) this.#joined(own, theirs);
    }
  }
}

const newGroup = (layout: Layout): Group => ({
  fields: new Map(layout.keys.map((key, at) => [key, layout.types[at]!])),
  ...{ layouts: new Set([layout]), rare: new Set(), values: null, loose: new Set(), isJoined: false },
});
