/** Code of `toPatch`, with types in comments (code/javascript.ts), and of the steps in a patch. */
export const STEPS = `// What is done at a place. A patch is read from its end: there are the names of keys, which steps give by number.
const SET = 0; // [value, SET]
const OBJECT = 1; // [changed..., gone..., number of gone, number of changed, OBJECT], changed: [..., key]
const LIST = 2; // [changed..., number of changed, LIST], changed: [..., index]
const PICK = 3; // [changed..., number of changed, runs, PICK], runs: [first item, how many]..., or [NEW, item]...
const NEW = -1;
/*type Keyed = Record<string, unknown>; */
/*type Items = unknown[]; */`;

export const TO_PATCH = `/**
 * Changes from previous to next. Neither is changed, and new values are copied. If one object stands at two places, or
 * something is too deep, the patch holds the whole payload.
 */
export function toPatch(previous/*: unknown */, next/*: Payload */)/*: Patch */ {
  return new PatchWriter(false).patch(previous, next);
}`;

/** Code that uses STEPS, VALUES and MATCHES, and `setKey` of READ_PATCH. */
export const WRITE_PATCH = `const DATE = 4;
const MAX_DEPTH = 500;
const NONE/*: string[] */ = [];
const NOTHING = Symbol('nothing');
const NO_TREE = new Error('an object stands at two places, or too deep');

class PatchWriter {
  steps/*: unknown[] */ = [];
  keys/*: string[] */ = [];
  numbers = new Map/*<string, number> */();
  /** Objects that were found, and their order. */
  seen = new Set/*<unknown> */();
  trail/*: unknown[] */ = [];
  /** Number of compared values. */
  values = 0;
  /** Nothing is in the patch that the post has to clone. */
  isPlain = true;
  /** True if previous was made by patches. */
  isOwn/*: boolean */;

  constructor(isOwn/*: boolean */) {
    this.isOwn = isOwn;
  }

  patch(previous/*: unknown */, next/*: unknown */)/*: Patch */ {
    try {
      this.compare(previous, next, 0);
      this.steps.push(this.keys);
      return this.steps;
    } catch {
      this.isPlain = true;
      return [next, SET, []];
    }
  }

  /** False if nothing has changed. */
  compare(previous/*: unknown */, next/*: unknown */, depth/*: number */)/*: boolean */ {
    if (isScalar(next)) return !isEqual(previous, next) && this.set(next, depth);
    const kind = kindOf(next);
    if (kind === SET || (this.isOwn ? ownKind(previous) : kindOf(previous)) !== kind) return this.set(next, depth);
    if (previous === next) return false;
    const step = this.steps.length;
    const visited = this.trail.length;
    const values = this.values;
    this.visit(next, depth);
    const changed = this.inside(kind, previous/*as Keyed */, next/*as Keyed */, depth);
    if (changed === false) return false;
    // More steps than values: the whole is shorter.
    if (changed && this.steps.length - step <= this.values - values) return true;
    this.back(step, visited);
    return this.set(next, depth);
  }

  /** Null if it has to be sent whole. */
  inside(kind/*: number */, previous/*: Keyed */, next/*: Keyed */, depth/*: number */)/*: boolean | null */ {
    if (kind === OBJECT) return this.object(previous, next, depth);
    if (kind === DATE) return Object.is(timeOf(previous), timeOf(next)) ? false : null;
    return this.list(previous/*as unknown as Items */, next/*as unknown as Items */, depth);
  }

  object(previous/*: Keyed */, next/*: Keyed */, depth/*: number */)/*: boolean | null */ {
    const before = Object.keys(previous);
    const keys = Object.keys(next);
    const isSame = areSame(before, keys);
    const gone = isSame ? NONE : goneKeys(previous, before, next, keys);
    if (gone === null) return null;
    let changed = 0;
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i]/*as string */;
      const value = next[key];
      const known = isSame || isSent(previous, key) ? previous[key] : NOTHING;
      if (typeof value !== 'object' && isEqual(known, value)) continue;
      if (!this.compare(known, value, depth + 1)) continue;
      this.steps.push(this.numberOf(key));
      changed++;
    }
    this.values += 2 * keys.length + 1;
    if (changed + gone.length === 0) return false;
    for (const key of gone) this.steps.push(this.numberOf(key));
    this.steps.push(gone.length, changed, OBJECT);
    return true;
  }

  list(previous/*: Items */, next/*: Items */, depth/*: number */)/*: boolean */ {
    const isPlain = previous.length === next.length && typeof next[0] !== 'object';
    const places = isPlain ? null : this.placesBefore(previous, next, depth);
    let changed = 0;
    for (let i = next.length - 1; i >= 0; i--) {
      const place = places === null ? i : (places[i]/*as number */);
      const item = next[i];
      if (place === NEW || (typeof item !== 'object' && isEqual(previous[place], item))) continue;
      if (!this.compare(previous[place], item, depth + 1)) continue;
      this.steps.push(i);
      changed++;
    }
    this.values += next.length + 1;
    if (changed === 0 && places === null) return false;
    this.steps.push(changed);
    if (places === null) this.steps.push(LIST);
    else this.steps.push(this.runs(places, next, depth), PICK);
    return true;
  }

  /** Previous place of each item, NEW for an item that was not there; null if all are in their places. */
  placesBefore(previous/*: Items */, next/*: Items */, depth/*: number */)/*: number[] | null */ {
    const byId = placesById(previous, next);
    if (byId !== undefined) return byId;
    const moved = previous.length - next.length;
    if (moved === 0) return null;
    const most = Math.min(previous.length, next.length);
    let first = 0;
    while (first < most && this.isSame(previous[first], next[first], depth)) first++;
    let last = 0;
    while (last < most - first && this.isSame(previous.at(-1 - last), next.at(-1 - last), depth)) last++;
    return next.map((_, i) => (i < first ? i : i < next.length - last ? NEW : i + moved));
  }

  isSame(previous/*: unknown */, next/*: unknown */, depth/*: number */)/*: boolean */ {
    const [step, visited] = [this.steps.length, this.trail.length];
    const isChanged = this.compare(previous, next, depth + 1);
    this.back(step, visited);
    return !isChanged;
  }

  runs(places/*: number[] */, next/*: Items */, depth/*: number */)/*: unknown[] */ {
    const runs/*: unknown[] */ = [];
    let [first, length] = [0, 0];
    for (const [i, place] of places.entries()) {
      if (place !== NEW && length > 0 && place === first + length) length++;
      else {
        if (length > 0) runs.push(first, length);
        [first, length] = [place, place === NEW ? 0 : 1];
        if (place === NEW) runs.push(NEW, this.copy(next[i], depth + 1));
      }
    }
    return length > 0 ? [...runs, first, length] : runs;
  }

  set(next/*: unknown */, depth/*: number */)/*: true */ {
    this.steps.push(this.copy(next, depth), SET);
    return true;
  }

  /** Forgets the steps and objects since then. */
  back(step/*: number */, visited/*: number */)/*: void */ {
    this.steps.length = step;
    while (this.trail.length > visited) this.seen.delete(this.trail.pop());
  }

  visit(value/*: unknown */, depth/*: number */)/*: void */ {
    const { size } = this.seen.add(value);
    if (depth > MAX_DEPTH || size === this.trail.length) throw NO_TREE;
    this.trail.push(value);
  }

  /** The post clones data that is not plain. */
  copy(value/*: unknown */, depth/*: number */)/*: unknown */ {
    if (isScalar(value)) return value;
    this.visit(value, depth);
    const kind = kindOf(value);
    if (kind === DATE) return new Date(timeOf(value));
    if (kind === SET) {
      this.isPlain = false;
      for (const inner of insideOf(value/*as object */)) this.copy(inner, depth + 1);
      return value;
    }
    if (kind === LIST) return Array.from(value/*as Items */, (item) => this.copy(item, depth + 1));
    const copy = { ...(value/*as Keyed */) };
    for (const key of Object.keys(copy))
      if (!isScalar(copy[key])) setKey(copy, key, this.copy(copy[key], depth + 1));
    return copy;
  }

  numberOf(key/*: string */)/*: number */ {
    let number = this.numbers.get(key);
    if (number === undefined) this.numbers.set(key, (number = this.keys.push(key) - 1));
    return number;
  }
}`;
