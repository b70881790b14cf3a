import type { Facts, Shape } from '../../../model/documents/shape.ts';
import type { Plan } from '../../../model/documents/trial.ts';
import { groupedBy, sumOf } from '../../../model/sums.ts';
import type { Kind } from '../../../model/vocabulary/shape.ts';
import { keepsClone } from '../../../value/describe/json-safety.ts';
import { formatPath, type PathStep, parsePath } from '../../../value/read/paths.ts';
import { has, isBuffer } from '../../../value/shape/shape-facts.ts';

export interface PatternRows {
  pattern: string;
  steps: readonly PathStep[];
  depth: number;
  rows: Facts[];
  count: number;
  kinds: ReadonlySet<Kind>;
  parent: PatternRows | null;
  children: PatternRows[];
}

type RowTest = (row: Facts) => boolean;

export class ShapeIndex {
  readonly shape: Shape;
  readonly #patterns = new Map<string, PatternRows>();

  constructor(shape: Shape) {
    this.shape = shape;
    for (const [pattern, rows] of groupedBy(shape.patterns, (row) => row.pattern)) {
      const steps = parsePath(pattern) ?? [];
      const count = sumOf(rows, (row) => row.count);
      const kinds = new Set(rows.map(({ kind }) => kind));
      // A value is described before what is inside.
      const parent = steps.length === 0 ? null : this.at(formatPath(steps.slice(0, -1)));
      const added = { pattern, steps, depth: rows[0]!.depth, rows, count, kinds, parent, children: [] };
      this.#patterns.set(pattern, added);
      parent?.children.push(added);
    }
  }

  all(): PatternRows[] {
    return [...this.#patterns.values()];
  }

  at(pattern: string): PatternRows | null {
    return this.#patterns.get(pattern) ?? null;
  }

  /** Patterns that code can rewrite, where at least one row is wanted and all rows are allowed. */
  rewritable(isWanted: RowTest, isAllowed: RowTest = () => true): string[] {
    return this.all()
      .filter(({ rows }) => rows.some(isWanted) && rows.every(isAllowed))
      .flatMap(({ pattern }) => (this.isRewritable(pattern) ? [pattern] : []));
  }

  nodesAt({ children, count }: PatternRows): number {
    return count + sumOf(children, (at) => this.nodesAt(at));
  }

  /** True if code can be generated for the path, and no object on it is shared: a copy would split a shared object. */
  isRewritable(pattern: string): boolean {
    if (!isReachable(pattern)) return false;
    const isShared = (row: Facts) => row.kind !== 'string' && has(row, 'repeated', 'cycle');
    for (let at = this.at(pattern); at !== null; at = at.parent) if (at.rows.some(isShared)) return false;
    return true;
  }

  /** True if JSON text restores everything at and below the pattern like a structured clone. */
  isJsonSafe(pattern: string): boolean {
    const { depth, items, patterns } = this.shape.truncated;
    const areKept = (at: PatternRows): boolean => at.rows.every(keepsClone) && at.children.every(areKept);
    const at = this.at(pattern);
    return !depth && !items && !patterns && (at === null || areKept(at));
  }
}

/** True if code can be generated for the path: through objects and arrays, not through keys that set a prototype. */
export const isReachable = (path: string): boolean =>
  parsePath(path)?.every(
    (step) =>
      step.type === 'any-key' ||
      (step.type === 'key' && step.key !== '__proto__') ||
      (step.type === 'index' && step.index === null),
  ) ?? false;

export const isScalar = ({ kind }: Facts): boolean =>
  ['string', 'number', 'boolean', 'null', 'undefined'].includes(kind);

/** Sum of the sizes, in UTF-16 units for strings and in items for arrays. */
export const totalSize = ({ rows }: PatternRows) => sumOf(rows, ({ size }) => size?.total ?? 0);

/** True for an array without holes and without properties other than its elements. */
export const isPlainArray = (row: Facts) =>
  row.kind === 'array' && !has(row, 'holes', 'named-props', 'symbol-key', 'accessor');

/** False for a buffer that a copy of its bytes cannot replace: shared memory, a user's class, extra properties. */
export const isPlainMemory = (row: Facts) =>
  !isBuffer(row) ||
  !has(row, 'shared-backing', 'detached', 'out-of-bounds', 'resizable', 'subclass', 'extra-props');

export interface PathsPlan extends Plan {
  paths: string[];
}

/** The only path, or the root for several. */
export const commonPath = (paths: readonly string[]): string => (paths.length === 1 ? paths[0]! : '$');

/** One plan for all these paths; an empty list without paths. */
export const planFor = (paths: string[], path = commonPath(paths)): PathsPlan[] =>
  paths.length === 0 ? [] : [{ path, paths }];
