import { formatPath, parsePath, type Step } from '../../core/paths.ts';
import type { Facts, Flag, Kind, Shape } from '../../model/shape.ts';
import { isReachable } from '../code/target-trie.ts';

/** All rows at one path pattern. */
export interface PatternRows {
  pattern: string;
  /** Steps below the root. */
  steps: readonly Step[];
  depth: number;
  rows: Facts[];
  count: number;
  kinds: ReadonlySet<Kind>;
}

/** What a remedy asks of a shape. */
export class ShapeIndex {
  readonly shape: Shape;
  readonly #spots = new Map<string, PatternRows>();
  readonly #below = new Map<string, string[]>();

  constructor(shape: Shape) {
    this.shape = shape;
    for (const row of shape.patterns) this.#enter(row);
  }

  #enter(row: Facts): void {
    const spot = this.#spots.get(row.pattern);
    if (spot === undefined) {
      const { pattern, depth, count, kind } = row;
      this.#spots.set(pattern, {
        pattern,
        steps: parsePath(pattern) ?? [],
        depth,
        rows: [row],
        count,
        kinds: new Set([kind]),
      });
      const above = parentOf(pattern);
      if (above !== null) this.#below.set(above, [...(this.#below.get(above) ?? []), pattern]);
    } else {
      spot.rows.push(row);
      spot.count += row.count;
      (spot.kinds as Set<Kind>).add(row.kind);
    }
  }

  all(): PatternRows[] {
    return [...this.#spots.values()];
  }

  at(pattern: string): PatternRows | null {
    return this.#spots.get(pattern) ?? null;
  }

  get root(): PatternRows | null {
    return this.at('$');
  }

  /** Spots one step below. */
  children(pattern: string): PatternRows[] {
    return (this.#below.get(pattern) ?? []).map((one) => this.#spots.get(one)!);
  }

  /** The spot and all below it. */
  within(pattern: string): PatternRows[] {
    const found: PatternRows[] = [];
    const open = [this.at(pattern)].filter((spot) => spot !== null);
    for (let spot = open.pop(); spot !== undefined; spot = open.pop()) {
      found.push(spot);
      open.push(...this.children(spot.pattern));
    }
    return found;
  }

  /** The spot and those on the way to it from the root. */
  #above(pattern: string): PatternRows[] {
    const found: PatternRows[] = [];
    for (let at: string | null = pattern; at !== null; at = parentOf(at)) {
      const spot = this.at(at);
      if (spot !== null) found.push(spot);
    }
    return found;
  }

  /**
   * Code can be made for it, and no object on the way is met twice: copying one of them would part what is one.
   */
  isRewritable(pattern: string): boolean {
    return (
      isReachable(pattern) &&
      !this.#above(pattern).some((spot) =>
        spot.rows.some((row) => row.kind !== 'string' && has(row, 'repeated', 'cycle')),
      )
    );
  }

  /** All facts below fit JSON text: it restores to an equal value. */
  isJsonSafe(pattern: string): boolean {
    const { depth, items, patterns } = this.shape.truncated;
    return !depth && !items && !patterns && this.within(pattern).every((spot) => spot.rows.every(fitsJson));
  }
}

const JSON_KINDS: ReadonlySet<Kind> = new Set(['object', 'array', 'string', 'number', 'boolean', 'null']);

function fitsJson(row: Facts): boolean {
  if (!JSON_KINDS.has(row.kind)) return false;
  if (has(row, 'nan', 'infinite', 'negative-zero', 'holes', 'named-props', 'to-json', 'symbol-key'))
    return false;
  return row.kind === 'string' || !has(row, 'repeated', 'cycle');
}

function parentOf(pattern: string): string | null {
  const steps = parsePath(pattern);
  return steps === null || steps.length === 0 ? null : formatPath(steps.slice(0, -1));
}

export function has(row: Facts, ...flags: readonly Flag[]): boolean {
  return flags.some((flag) => row.flags.includes(flag));
}

export function isScalar(row: Facts): boolean {
  return ['string', 'number', 'boolean', 'null', 'undefined'].includes(row.kind);
}

export const anyRow = (spot: PatternRows, fits: (row: Facts) => boolean) => spot.rows.some(fits);
export const everyRow = (spot: PatternRows, fits: (row: Facts) => boolean) => spot.rows.every(fits);

/** Sum of the sizes: UTF-16 units of strings, lengths of arrays. */
export const sizeOf = (spot: PatternRows) => spot.rows.reduce((sum, row) => sum + (row.size?.total ?? 0), 0);

/** A list that its items say all of. */
export const isPlainList = (row: Facts) =>
  row.kind === 'array' && !has(row, 'holes', 'named-props', 'symbol-key', 'accessor', 'too-many-items');

/** The one path, or the root for several. */
export function commonPath(paths: readonly string[]): string {
  return paths.length === 1 ? paths[0]! : '$';
}
