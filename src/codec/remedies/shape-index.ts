import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Plan } from '../../model/documents/trial.ts';
import { groupedBy, sumOf } from '../../model/sums.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { keepsClone } from '../../value/describe/json-safety.ts';
import { formatPath, type PathStep, parsePath } from '../../value/read/paths.ts';
import { has } from '../../value/shape/shape-facts.ts';
import { isReachable } from '../code/rewrite.ts';

export interface PatternRows {
  pattern: string;
  steps: readonly PathStep[];
  depth: number;
  rows: Facts[];
  count: number;
  /** Sum of the sizes, in UTF-16 units for strings and in items for arrays. */
  size: number;
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
      const size = sumOf(rows, (row) => row.size?.total ?? 0);
      const kinds = new Set(rows.map(({ kind }) => kind));
      // A value is described before what is inside.
      const parent = steps.length === 0 ? null : this.at(formatPath(steps.slice(0, -1)));
      const added = { pattern, steps, depth: rows[0]!.depth, rows, count, size, kinds, parent, children: [] };
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

/** Maximum length of the path; beyond it, functions are easier to read. */
const MAX_KEYS = 3;

/** True if all steps are plain keys. `__proto__` is excluded: in an object literal it would set the prototype. */
export const hasPlainKeys = ({ steps }: PatternRows): boolean =>
  steps.every((step) => step.type === 'key' && step.key !== '__proto__');

/** True if exactly one value is at the path, in one row, and an expression can name it. */
export const isInline = (at: PatternRows): boolean =>
  at.count === 1 && at.rows.length === 1 && at.steps.length <= MAX_KEYS && hasPlainKeys(at);

export interface PathsPlan extends Plan {
  paths: string[];
}

/** One plan for all these paths, at the only one or at the root; an empty list without paths. */
export const planFor = (paths: string[], path = paths.length === 1 ? paths[0]! : '$'): PathsPlan[] =>
  paths.length === 0 ? [] : [{ path, paths }];
