/**
 * The book in which a walk enters what it meets: a trie of path patterns, at each a few rows of counts. Bounded, so
 * that the shape of a huge payload stays small; what was folded together is said in `truncated`, counts stay exact.
 */
import type { Facts, Kind } from '../../../model/shape.ts';
import { type EntryPart, keyText, pathOfTrail, type TrailStep } from '../../paths.ts';
import type { KnownObject } from '../inspect/hidden-class-cache.ts';
import { FactRow, factsOf, nearestRow } from './fact-row.ts';

export interface DescribeLimits {
  /** Patterns deeper than this fold into `..`. */
  depth: number;
  /** Different keys below one pattern before the rest folds into `.*`. */
  keys: number;
  /** Patterns in all. */
  patterns: number;
  /** Rows at one pattern: further combinations of flags are counted in the nearest row of their kind. */
  rows: number;
  /** A key of more UTF-16 units is not spelled out in a pattern. */
  keyLength: number;
  /** Properties or elements of one container that are looked at. */
  children: number;
}

export const LIMITS: DescribeLimits = {
  depth: 64,
  keys: 64,
  patterns: 2000,
  rows: 128,
  keyLength: 200,
  children: Number.POSITIVE_INFINITY,
};

/** A node of the trie: one path pattern. */
export class PatternNode {
  readonly rows: FactRow[] = [];
  /** Children by property name, in the order first met; `kids[i]` guesses the i-th key of the next object. */
  readonly properties: { key: string; place: PatternNode }[] = [];
  byKey: Map<string, PatternNode> | null = null;
  items: PatternNode | null = null;
  others: PatternNode | null = null;
  /** Children that hold the keys and values of a Map, the members of a Set. */
  readonly parts: Partial<Record<EntryPart, PatternNode>> = {};
  /** Objects met here whose like are known by their hidden class. */
  readonly knownObjects: KnownObject[] = [];
  readonly pattern: string;
  readonly depth: number;

  constructor(pattern: string, depth: number) {
    this.pattern = pattern;
    this.depth = depth;
  }
}

export class ShapeBuilder {
  readonly root = new PatternNode('$', 0);
  /** Steps to the value at hand: `trail[d]` leads from depth d-1 to d. Kept by the walk. */
  readonly trail: TrailStep[] = [''];
  readonly truncated = { patterns: false, depth: false, items: false };
  readonly limits: DescribeLimits;
  nodes = 0;
  depth = 0;
  #places: PatternNode[] = [this.root];

  constructor(limits: DescribeLimits = LIMITS) {
    this.limits = limits;
  }

  /** The row for such a value, counted once more. `depth` is that of the value, for the example path. */
  add(
    place: PatternNode,
    depth: number,
    parent: Kind | null,
    kind: Kind,
    observed: number,
    stored: number,
    tag?: string,
  ): FactRow {
    this.nodes++;
    if (depth > this.depth) this.depth = depth;
    const rows = place.rows;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      if (
        row.observed === observed &&
        row.kind === kind &&
        row.stored === stored &&
        row.parent === parent &&
        row.tag === tag
      ) {
        row.count++;
        return row;
      }
    }
    return this.#open(place, depth, new FactRow(parent, kind, observed, stored, tag, ''));
  }

  #open(place: PatternNode, depth: number, wanted: FactRow): FactRow {
    const near = place.rows.length >= this.limits.rows ? nearestRow(place.rows, wanted) : null;
    if (near !== null) {
      // Unlike folded patterns, this loses facts: the value is counted with others that are not quite like it.
      this.truncated.items = true;
      near.count++;
      return near;
    }
    const { parent, kind, observed, stored, tag } = wanted;
    const row = new FactRow(parent, kind, observed, stored, tag, pathOfTrail(this.trail, depth));
    row.count = 1;
    place.rows.push(row);
    return row;
  }

  #place(parent: PatternNode, step: string): PatternNode {
    const place = new PatternNode(parent.pattern + step, parent.depth + 1);
    this.#places.push(place);
    return place;
  }

  /** Where everything below a place goes that is too deep or one pattern too many. It is its own child. */
  #deeper(place: PatternNode): PatternNode {
    const deeper = this.#place(place, '..');
    deeper.items = deeper;
    deeper.others = deeper;
    deeper.parts.key = deeper.parts.value = deeper.parts.member = deeper;
    return deeper;
  }

  #child(place: PatternNode, step: string): PatternNode {
    if (place.depth >= this.limits.depth) {
      this.truncated.depth = true;
      return this.#deeper(place);
    }
    if (this.#places.length >= this.limits.patterns) {
      this.truncated.patterns = true;
      return this.#deeper(place);
    }
    return this.#place(place, step);
  }

  /** The place of a property. `guess`: which key of its object this is. */
  property(place: PatternNode, key: string, guess: number): PatternNode {
    const kid = place.properties[guess];
    if (kid !== undefined && kid.key === key) return kid.place;
    return place.byKey?.get(key) ?? this.#newProperty(place, key);
  }

  #newProperty(place: PatternNode, key: string): PatternNode {
    const room = place.depth < this.limits.depth && this.#places.length < this.limits.patterns;
    const known = place.others === place;
    if (known || !room || place.properties.length >= this.limits.keys || key.length > this.limits.keyLength) {
      if (room && !known) this.truncated.patterns = true;
      place.others ??= this.#child(place, '.*');
      return place.others;
    }
    const child = this.#place(place, keyText(key));
    place.properties.push({ key, place: child });
    place.byKey ??= new Map();
    place.byKey.set(key, child);
    return child;
  }

  /** The place of the elements of an array. */
  items(place: PatternNode): PatternNode {
    place.items ??= this.#child(place, '[*]');
    return place.items;
  }

  /** The place of what a Map or Set holds. */
  entries(place: PatternNode, part: EntryPart): PatternNode {
    const known = place.parts[part] ?? this.#child(place, `{${part}}`);
    place.parts[part] = known;
    return known;
  }

  /** All rows, in the order in which their patterns were first met. */
  facts(): Facts[] {
    return this.#places.flatMap((place) => place.rows.map((row) => factsOf(place.pattern, place.depth, row)));
  }
}
