/** Looks at a message: loaded when the first is looked at, because it is most of the tap. */
import { describe } from '../../core/describe/describe.ts';
import type { Storage } from '../../core/describe/inspect/probe.ts';
import { refusedIn } from '../../core/describe/refused.ts';
import { maskedShape } from '../../core/masking.ts';
import { valueTree } from '../../core/recording/values/value-tree.ts';
import { estimatedSize } from '../../core/wire-estimate.ts';
import type { RefusedValue, TransferLint } from '../../model/documents/recording.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import type { Look, RefusalSearch, Sized, TypeTests } from '../realm/platform.ts';
import { ContentHash } from '../records/hash.ts';
import { lintTransfer, transferList } from './transfer-lint.ts';

const LIMITS = { patterns: 500, rows: 32, depth: 32, keys: 32 };

/** Longer texts are not read: their width is told where the engine tells it without reading. */
const MAX_UNITS = 1 << 17;
/** More is not serialized once more. */
const MAX_BYTES = 1 << 18;

/** Length up to which a value is kept; what is beyond is left out. */
const MAX_KEPT = 1 << 20;

/** Cloning runs code of the program's, or needs what only a message has. */
const UNSAFE_KINDS: ReadonlySet<Facts['kind']> = new Set([
  ...(['proxy', 'function', 'symbol', 'promise', 'weakmap', 'weakset', 'weakref', 'generator'] as const),
  ...(['iterator', 'module-namespace', 'not-cloneable', 'platform', 'error', 'sharedarraybuffer'] as const),
]);
const UNSAFE_FLAGS = ['accessor', 'web-object', 'shared-backing', 'detached', 'out-of-bounds'] as const;

/** What the engine tells about values. */
export interface LookEngine {
  /** Storage is asked only while it runs. */
  withStorage<T>(run: (storage: Storage) => T): T;
  /** As a message has it: views with the whole buffer behind them. null for what is refused. */
  wire(value: unknown): Uint8Array | null;
  /**
   * Copied bytes of a message that is not serialized; null for others.
   *
   * @param message the value; [] where it is too large to be read once more
   */
  direct?(message: readonly [value?: unknown], shape: Shape): number | null;
}

/** What is told of a message: its transfer list is linted, its value kept where `values` are, masked by `mask`. */
interface Telling {
  types: TypeTests;
  values: boolean;
  mask: boolean;
  /** Shape and value are told. */
  stored: boolean;
}

interface LookOptions extends Telling {
  salt: string;
  engine: LookEngine;
}

/** @param nodes most values to visit */
export const described = (value: unknown, storage: Storage, nodes: number): Shape =>
  describe(
    value,
    { types: typeDetection, storage, utf8Bytes: (text) => text.length },
    { limits: { ...LIMITS, nodes } },
  );

export function told(
  value: unknown,
  shape: Shape,
  nodes: number,
  listed: readonly unknown[],
  { types, values, mask, stored }: Telling,
): Omit<Look, 'sized'> {
  return {
    // Keys of values that are kept stand in the values.
    shape: stored ? (values && !mask ? shape : maskedShape(shape)) : null,
    visited: shape.nodes < nodes ? shape.nodes : nodes,
    transfer: lintTransfer(value, shape, listed, types),
    value: values && stored ? valueTree(value, { types: typeDetection, mask, maxBytes: MAX_KEPT }) : null,
  };
}

/** What made a post throw. */
export const refusedOf = (
  value: unknown,
  transfer: unknown,
  types: TypeTests,
  { nodes, as, keepsKeys }: RefusalSearch,
  stopsAtGetter = false,
): RefusedValue | null => {
  const listed = transferList(transfer, types);
  return refusedIn(value, { types: typeDetection, listed, nodes, as, keepsKeys, stopsAtGetter });
};

/** @param nodes most values to visit */
export function lookAt(value: unknown, transfer: unknown, nodes: number, options: LookOptions): Look {
  const { engine, types } = options;
  const listed = transferList(transfer, types);
  const shape = engine.withStorage((storage) => {
    const string: Storage['string'] = (text, depth) =>
      text.length > MAX_UNITS ? 0 : storage.string(text, depth);
    return described(value, { ...storage, string }, nodes);
  });
  const isSafe = listed.length === 0 && canBeSerialized(shape);
  const look = told(value, shape, nodes, listed, options);
  return {
    ...look,
    sized: () =>
      isSafe ? sized(value, shape, options) : estimated(shape, look.visited, look.transfer, engine),
  };
}

function canBeSerialized({ patterns, truncated }: Shape): boolean {
  if (truncated.items || truncated.depth || truncated.patterns) return false;
  let bytes = 0;
  for (const { kind, flags, bytes: own } of patterns) {
    if (UNSAFE_KINDS.has(kind) || UNSAFE_FLAGS.some((flag) => flags.includes(flag))) return false;
    bytes += own?.backing ?? own?.total ?? 0;
  }
  return bytes <= MAX_BYTES;
}

/** What is transferred is not copied. null for what cannot be cloned, or as its own clone steps have it. */
function estimated(
  shape: Shape,
  visited: number,
  { listed, possibleBytes }: TransferLint,
  engine: LookEngine,
): Sized | null {
  if (
    shape.patterns.some(
      ({ kind }) => UNSAFE_KINDS.has(kind) && kind !== 'error' && kind !== 'sharedarraybuffer',
    )
  )
    return null;
  const all = estimatedSize(shape, visited);
  const buffers = shape.patterns.reduce((sum, { bytes }) => sum + (bytes?.backing ?? 0), 0);
  const direct = listed === 0 && !shape.truncated.items ? (engine.direct?.([], shape) ?? null) : null;
  if (direct !== null) return { ...all, bytes: direct };
  return listed === 0 ? all : { ...all, bytes: Math.max(0, all.bytes - buffers) + possibleBytes };
}

function sized(value: unknown, shape: Shape, { engine, salt }: LookOptions): Sized | null {
  const wire = engine.wire(value);
  if (wire === null) return null;
  const hash = new ContentHash(salt);
  hash.bytes(wire);
  return { bytes: engine.direct?.([value], shape) ?? wire.byteLength, content: hash.text };
}
