/** Where inside a refused payload the value is that the engine refuses: its error names no path. */

import { pathOfTrail, type TrailStep } from '../../core/paths.ts';
import { entriesIn } from '../../core/value/collections.ts';
import { callOn, type Method } from '../../core/value/intrinsics.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { typeDetection } from '../type-detection/type-detection.ts';

interface TrailPart {
  step: TrailStep;
  value: unknown;
  /** The getter that gives the value throws. */
  throws: boolean;
}

/** Values to clone in all: some tenths of a second. */
const MAX_NODES = 500_000;
/** Beyond it, the depth itself may be what is refused. */
const MAX_DEPTH = 1000;

function isRefused(value: unknown): boolean {
  try {
    structuredClone(value);
    return false;
  } catch {
    return true;
  }
}

function partAt(step: TrailStep, owner: object, { get, value }: PropertyDescriptor): TrailPart {
  if (get === undefined) return { step, value, throws: false };
  try {
    return { step, value: callOn(get as Method, owner), throws: false };
  } catch {
    return { step, value: undefined, throws: true };
  }
}

function propertiesOf(owner: object, isArray: boolean): TrailPart[] {
  const parts: TrailPart[] = [];
  for (const key of Object.keys(owner)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(owner, key);
    if (descriptor === undefined) continue;
    parts.push(partAt(isArray && /^\d+$/.test(key) ? Number(key) : key, owner, descriptor));
  }
  return parts;
}

function entriesOf({ steps, values }: { steps: TrailStep[]; values: unknown[] }): TrailPart[] {
  const parts: TrailPart[] = [];
  for (let i = 0; i < steps.length; i++) parts.push({ step: steps[i]!, value: values[i], throws: false });
  return parts;
}

/** What cloning visits next. Getters run, as they do when the value is posted. */
function trailParts(value: unknown): TrailPart[] {
  if (typeof value !== 'object' || value === null || typeDetection.isProxy(value)) return [];
  if (Array.isArray(value)) return propertiesOf(value, true);
  const { kind } = typeDetection.of(value);
  switch (kind) {
    case 'object':
      return propertiesOf(value, false);
    case 'map':
    case 'set':
      return entriesOf(entriesIn(value, kind));
    case 'error': {
      const cause = Reflect.getOwnPropertyDescriptor(value, 'cause');
      return cause === undefined ? [] : [partAt('cause', value, cause)];
    }
  }
  return [];
}

/** The clones that are left before the search takes too long. */
interface Budget {
  clones: number;
}

function areRefused(parts: readonly TrailPart[], budget: Budget): boolean {
  budget.clones--;
  const values: unknown[] = [];
  for (const { value } of parts) values.push(value);
  return isRefused(values);
}

/** Halves the parts until one is left: log2(n) clones. null when none is refused by itself, or the budget is spent. */
function refusedPart(parts: readonly TrailPart[], budget: Budget): TrailPart | null {
  for (const part of parts) if (part.throws) return part;
  if (parts.length === 0 || budget.clones <= 0 || !areRefused(parts, budget)) return null;
  let group = parts;
  while (group.length > 1) {
    if (budget.clones <= 0) return null;
    const half = group.slice(0, group.length >> 1);
    group = areRefused(half, budget) ? half : group.slice(half.length);
  }
  return group[0]!;
}

/**
 * Concrete path of an innermost value that is refused by itself: "$.rows[3].run". '$' where only the whole is refused, or
 * the search would take too long.
 *
 * @param root a value that was built to be posted: its getters run
 */
export function refusedPath(root: unknown, { nodes, depth }: Shape): string {
  const budget: Budget = { clones: Math.floor(MAX_NODES / Math.max(nodes, 1000)) };
  const trail: TrailStep[] = [''];
  if (depth > MAX_DEPTH) return '$';
  for (let value = root; trail.length <= MAX_DEPTH; ) {
    const part = refusedPart(trailParts(value), budget);
    if (part === null) break;
    trail.push(part.step);
    value = part.value;
  }
  return pathOfTrail(trail, trail.length - 1);
}
