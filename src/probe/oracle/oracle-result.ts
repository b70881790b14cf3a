import { type PathStep, parsePath, pathOfTrail, type TrailStep } from '../../core/paths.ts';
import { entriesIn } from '../../core/value/collections.ts';
import { callOn, type Method } from '../../core/value/intrinsics.ts';
import { flatMap } from '../../core/value/lists.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { PathName } from '../../model/names.ts';
import { orElse, throws } from '../../model/or-else.ts';
import type { Confirmation } from '../../model/wire/wire.ts';
import { typeDetection } from '../type-detection/type-detection.ts';

/** @param path null if the path is not known */
export const taken = (
  path: Confirmation['path'],
  evidence: string,
  examples: Confirmation['examples'],
  hidden: Confirmation['hidden'] = [],
): Confirmation => ({ path, evidence, examples, hidden, refused: null });

/** For values or channels that the oracle cannot answer for. */
export const notAnswered = (evidence: string): Confirmation => taken(null, evidence, []);

/**
 * @param error or its message
 * @param value what was refused: its getters run once more
 * @param post throws for what is refused, as the engine does
 */
export function rejectedWith(
  error: unknown,
  value: unknown,
  shape: Shape,
  post: Budget['post'] = structuredClone,
): Confirmation {
  const message = error instanceof Error ? error.message : String(error);
  return { ...taken('rejected', message, []), refused: refusedPath(value, shape, post) };
}

/** Posts a fresh value. An error of `post` is the engine's refusal; an error of `fresh` is thrown. */
export async function postedFresh(
  fresh: () => Promise<unknown>,
  shape: Shape,
  post: (value: unknown) => Confirmation | Promise<Confirmation>,
): Promise<Confirmation> {
  const value = await fresh();
  try {
    return await post(value);
  } catch (error) {
    return rejectedWith(error, value, shape);
  }
}

function childAt(value: object, step: PathStep): unknown {
  if (step.type === 'key') return Reflect.getOwnPropertyDescriptor(value, step.key)?.value;
  if (step.type === 'index') return Reflect.getOwnPropertyDescriptor(value, String(step.index))?.value;
  if (step.type !== 'entry' || step.index === null) return undefined;
  const { kind } = typeDetection().of(value);
  if (step.part === 'member') return kind === 'set' ? entriesIn(value, kind).values[step.index] : undefined;
  if (kind !== 'map') return undefined;
  return entriesIn(value, kind).values[2 * step.index + (step.part === 'key' ? 0 : 1)];
}

/**
 * The value at a concrete path, by descriptors and internal slots: runs no getter and no Proxy trap. undefined for a path
 * that does not exist, or whose middle was cut out.
 */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const step of parsePath(path) ?? []) {
    if (typeof value !== 'object' || value === null || typeDetection().isProxy(value)) return undefined;
    value = childAt(value, step);
  }
  return value;
}

/** Paths of the examples of these rows. @param pathOf null: the path is not known */
export const examplesIn = (
  root: unknown,
  rows: readonly Facts[],
  pathOf: (example: unknown, row: Facts) => PathName | null,
): Confirmation['examples'] =>
  flatMap(rows, (row) => {
    const { pattern, example } = row;
    const path = pathOf(valueAt(root, example), row);
    return path === null ? [] : [{ pattern, example, path }];
  });

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

function partAt(step: TrailStep, owner: object, { get, value }: PropertyDescriptor): TrailPart {
  if (get === undefined) return { step, value, throws: false };
  const thrown = { step, value: undefined, throws: true };
  return orElse(() => ({ step, value: callOn(get as Method, owner), throws: false }), thrown);
}

function propertyParts(owner: object, isArray: boolean): TrailPart[] {
  const parts: TrailPart[] = [];
  for (const key of Object.keys(owner)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(owner, key);
    if (descriptor === undefined) continue;
    parts.push(partAt(isArray && /^\d+$/.test(key) ? Number(key) : key, owner, descriptor));
  }
  return parts;
}

function entryParts({ steps, values }: { steps: TrailStep[]; values: unknown[] }): TrailPart[] {
  const parts: TrailPart[] = [];
  for (let i = 0; i < steps.length; i++) parts.push({ step: steps[i]!, value: values[i], throws: false });
  return parts;
}

/** Parts that cloning visits next. Getters run, as they do when the value is posted. */
function trailParts(value: unknown): TrailPart[] {
  if (typeof value !== 'object' || value === null || typeDetection().isProxy(value)) return [];
  if (Array.isArray(value)) return propertyParts(value, true);
  const { kind } = typeDetection().of(value);
  switch (kind) {
    case 'object':
      return propertyParts(value, false);
    case 'map':
    case 'set':
      return entryParts(entriesIn(value, kind));
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
  /** In a Map or Set: contextBridge takes other values there. */
  inCollection: boolean;
  post(values: unknown): unknown;
}

function areRefused(parts: readonly TrailPart[], budget: Budget): boolean {
  budget.clones--;
  const values: unknown[] = [];
  for (const { value } of parts) values.push(value);
  return throws(() => budget.post(budget.inCollection ? new Set(values) : values));
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
 * Concrete path of an innermost value that is refused by itself: "$.rows[3].run". '$' if only the whole value is
 * refused, or if the search would take too long.
 *
 * @param root a value that was built to be posted: its getters run
 */
export function refusedPath(
  root: unknown,
  { nodes, depth }: Pick<Shape, 'nodes' | 'depth'>,
  post: Budget['post'],
): string {
  const clones = Math.floor(MAX_NODES / Math.max(nodes, 1000));
  // Pages throw if structuredClone has a receiver.
  const budget: Budget = { clones, inCollection: false, post: (values) => post(values) };
  const trail: TrailStep[] = [''];
  if (depth > MAX_DEPTH) return '$';
  for (let value = root; trail.length <= MAX_DEPTH; ) {
    const parts = trailParts(value);
    budget.inCollection ||= typeof parts[0]?.step === 'object';
    const part = refusedPart(parts, budget);
    if (part === null) break;
    trail.push(part.step);
    value = part.value;
  }
  return pathOfTrail(trail, trail.length - 1);
}

/** Values to look through. */
const MAX_SOUGHT = 100_000;

/** Concrete path of the first value that is sought; null if it is not found. Getters run. */
export function pathTo(root: unknown, isSought: (value: unknown) => boolean): string | null {
  const open: { value: unknown; trail: TrailStep[] }[] = [{ value: root, trail: [''] }];
  const seen = new Set<unknown>();
  for (let next = open.pop(); next !== undefined && seen.size < MAX_SOUGHT; next = open.pop()) {
    const { value, trail } = next;
    if (isSought(value)) return pathOfTrail(trail, trail.length - 1);
    if (seen.has(value) || trail.length > MAX_DEPTH) continue;
    seen.add(value);
    const parts = trailParts(value);
    for (let at = parts.length - 1; at >= 0; at--)
      open.push({ value: parts[at]!.value, trail: [...trail, parts[at]!.step] });
  }
  return null;
}

/** Bytes of the buffers in a transfer list, which Deno lets have one twice: their memory moves. A Proxy of one has none, and is refused. */
export const movedBytes = (list: readonly unknown[]): number =>
  [...new Set(list)].reduce<number>(
    (sum, one) => sum + (one instanceof ArrayBuffer && !typeDetection().isProxy(one) ? one.byteLength : 0),
    0,
  );
