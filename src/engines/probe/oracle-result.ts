import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { PathName } from '../../model/names.ts';
import { orElse, throws } from '../../model/or-else.ts';
import { sumOf } from '../../model/sums.ts';
import type { Confirmation } from '../../model/wire/wire.ts';
import { callOn } from '../../value/read/intrinsics.ts';
import { flatMap } from '../../value/read/lists.ts';
import { isObject } from '../../value/read/own-data.ts';
import { parsePath, pathOfTrail, type TrailStep } from '../../value/read/paths.ts';
import { childrenAt, type Parts, partsOf, Walk } from '../../value/read/walk.ts';
import { NotDelivered } from './post-here.ts';
import { typeDetection } from './type-detection.ts';

/** @param path null if the path is not known */
export const taken = (
  path: Confirmation['path'],
  evidence: string,
  examples: Confirmation['examples'],
  hidden: Confirmation['hidden'] = [],
): Confirmation => ({ path, evidence, examples, hidden, refused: null });

export const notAnswered = (evidence: string): Confirmation => taken(null, evidence, []);

type Post = (value: unknown) => unknown;

/** @param value what was refused: its getters run once more @param post throws what it refuses, as the engine does */
export function rejectedWith(
  error: unknown,
  value: unknown,
  shape: Shape,
  post: Post = structuredClone,
): Confirmation {
  const message = error instanceof Error ? error.message : String(error);
  return { ...taken('rejected', message, []), refused: refusedPath(value, shape, post) };
}

export type Fresh = () => Promise<unknown>;

/** Posts a fresh value. An error of `post` is the engine's refusal. Throws NotDelivered, and what `fresh` throws. */
export async function postedFresh(
  fresh: Fresh,
  shape: Shape,
  post: (value: unknown) => Confirmation | Promise<Confirmation>,
): Promise<Confirmation> {
  const value = await fresh();
  try {
    return await post(value);
  } catch (error) {
    if (error instanceof NotDelivered) throw error;
    return rejectedWith(error, value, shape);
  }
}

/** Runs no getter and no Proxy trap. undefined for a path that does not exist, or whose middle was cut out. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const step of parsePath(path) ?? []) {
    if (!isObject(value) || typeDetection().isProxy(value)) return undefined;
    const [found] = childrenAt(value, step);
    value = found?.[1];
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

/** Values to post in all, once for each level: some tenths of a second. */
const MAX_NODES = 500_000;
/** Beyond it, the depth itself may be what is refused. */
const MAX_DEPTH = 1000;

/** No engine and no channel refuses one in a message. */
const isScalar = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);

const THROWS = Symbol('throws');

/** Getters run, as they do when the value is posted. */
const partsPosted = (owner: object): Parts =>
  partsOf(owner, {
    types: typeDetection(),
    read: (of, get) => get && orElse(() => callOn(get, of), THROWS),
  });

/** Path of an innermost value refused by itself; '$' if only the whole is, or it takes too long. Getters run. */
export function refusedPath(
  root: unknown,
  { nodes, depth }: Pick<Shape, 'nodes' | 'depth'>,
  post: Post,
): string {
  const trail: TrailStep[] = [''];
  if (depth > MAX_DEPTH) return '$';
  const levels = MAX_NODES / Math.max(nodes, 1000);
  // contextBridge takes other values in a Map or Set than outside.
  let inCollection = false;
  // Pages throw if structuredClone has a receiver.
  const isRefused = (part: unknown): boolean =>
    part === THROWS || (!isScalar(part) && throws(() => post(inCollection ? new Set([part]) : [part])));
  // A value that contains itself is refused at each turn.
  const passed = new Set<unknown>();
  for (let value = root; isObject(value) && trail.length <= levels && !passed.has(value); ) {
    passed.add(value);
    const { steps, values } = partsPosted(value);
    inCollection ||= typeof steps[0] === 'object';
    const at = values.findIndex(isRefused);
    if (at < 0) break;
    trail.push(steps[at]!);
    value = values[at];
  }
  return pathOfTrail(trail, trail.length - 1);
}

const MAX_SOUGHT = 100_000;

/** Concrete path of the first value that is sought; null if it is not found. Getters run. */
export function pathTo(root: unknown, isSought: (value: unknown) => boolean): string | null {
  const walk = new Walk<Parts>();
  const seen = new Set<object>();
  let isFound = false;
  const visit = (value: unknown): true | undefined => {
    isFound = isSought(value);
    if (isFound || seen.size >= MAX_SOUGHT) return true;
    if (!isObject(value) || seen.has(value) || walk.open.length >= MAX_DEPTH) return undefined;
    seen.add(value);
    walk.open.push(partsPosted(value));
    return undefined;
  };
  if (visit(root) === undefined) walk.run(visit);
  return isFound ? walk.path : null;
}

/** Bytes of the buffers in a transfer list, where Deno allows one twice. A Proxy of one is refused. */
export const movedBytes = (list: readonly unknown[]): number =>
  sumOf([...new Set(list)], (one) =>
    one instanceof ArrayBuffer && !typeDetection().isProxy(one) ? one.byteLength : 0,
  );
