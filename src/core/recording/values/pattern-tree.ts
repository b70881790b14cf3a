/** The flat rows of a shape as the tree that their patterns describe, and whether a payload can have them at all. */

import type { Facts, Shape } from '../../../model/documents/shape.ts';
import { ToolError } from '../../../model/errors.ts';
import { KINDS } from '../../../model/vocabulary/shape.ts';
import { formatPath, type PathStep, parsePath } from '../../paths.ts';

export interface PatternTree {
  pattern: string;
  /** From the parent; null at the root. */
  step: PathStep | null;
  rows: Facts[];
  children: PatternTree[];
}

/** Values, and elements of arrays without holes: what a module has to make one by one. */
const MAX_VALUES = 20_000_000;
/** Bytes of texts and buffers together. */
const MAX_BYTES = 2 ** 30;
const MAX_ROWS = 10_000;
/** At one pattern, and keys below one: several times what `describe` tells apart. */
const MAX_ALIKE = 300;
const MAX_DEPTH = 200;

function refused(detail: string): ToolError {
  return new ToolError('document-bad', {
    file: 'the recorded shape',
    value: 'shape',
    detail: `${detail}. Record again, or choose other sites with --site`,
  });
}

function checkRow(row: Facts): void {
  const { kind, count, size, bytes } = row;
  if (!KINDS.includes(kind)) throw refused('it has a value of no known kind');
  const sizes = size === undefined ? [] : [size.min, size.max, size.total];
  const all = [count, ...sizes, ...(bytes === undefined ? [] : [bytes.total, bytes.max, bytes.backing ?? 0])];
  if (!all.every((value) => Number.isSafeInteger(value) && value >= 0))
    throw refused('it has a count or size that is no whole number');
  const { max, total } = bytes ?? { max: 0, total: 0 };
  if (max > total || (size !== undefined && (size.min > size.max || size.max > size.total)))
    throw refused('it has sizes that contradict each other');
}

/** Elements that are made, or bytes that are filled. */
function work({ kind, count, size, bytes, flags }: Facts): { values: number; bytes: number } {
  const total = size?.total ?? 0;
  if (kind === 'string') return { values: count, bytes: 2 * total };
  const memory = Math.max(bytes?.total ?? 0, bytes?.backing ?? 0);
  const isSparse = kind === 'array' && flags.includes('holes');
  return { values: count + (isSparse ? 0 : total), bytes: memory };
}

function checkWork({ patterns }: Shape): void {
  if (patterns.length > MAX_ROWS) throw refused(`it has ${patterns.length} rows`);
  let values = 0;
  let bytes = 0;
  for (const row of patterns) {
    checkRow(row);
    const own = work(row);
    values += own.values;
    bytes += own.bytes;
  }
  if (values > MAX_VALUES) throw refused(`it claims ${values} values, and ${MAX_VALUES} can be made`);
  if (bytes > MAX_BYTES)
    throw refused(`it claims ${bytes} bytes of text and memory, and ${MAX_BYTES} can be made`);
}

function stepsOf({ pattern }: Facts): PathStep[] {
  const steps = parsePath(pattern);
  const isPattern = steps?.every((s) => s.type !== 'cut' && !('index' in s && s.index !== null)) ?? false;
  if (steps === null || !isPattern || steps.length > MAX_DEPTH)
    throw refused('it has a pattern that is no path');
  return steps;
}

/**
 * Children are in the order in which they were first visited. Rows of which no value was seen above them are left out.
 *
 * @throws ToolError 'document-bad' for what no payload has, or what is too large to be made
 */
export function patternTree(shape: Shape): PatternTree {
  checkWork(shape);
  const root: PatternTree = { pattern: '$', step: null, rows: [], children: [] };
  const known = new Map([['$', root]]);
  for (const row of shape.patterns) {
    const steps = stepsOf(row);
    const at = formatPath(steps);
    const node = known.get(at) ?? newNode(known, at, steps);
    node?.rows.push(row);
    if ((node?.rows.length ?? 0) > MAX_ALIKE) throw refused('it has too many rows at one pattern');
  }
  if (root.rows.reduce((sum, { count }) => sum + count, 0) !== 1)
    throw refused('it does not have exactly one root');
  return root;
}

function newNode(known: Map<string, PatternTree>, at: string, steps: PathStep[]): PatternTree | null {
  const parent = known.get(formatPath(steps.slice(0, -1)));
  if (parent === undefined) return null;
  const node = { pattern: at, step: steps.at(-1)!, rows: [], children: [] };
  parent.children.push(node);
  if (parent.children.length > MAX_ALIKE) throw refused('it has too many keys below one pattern');
  known.set(at, node);
  return node;
}
