/** Looks at a message: loaded when the first is looked at, because it is most of the tap. */
import { describe } from '../../core/describe/describe.ts';
import { STORED } from '../../core/describe/inspect/flags.ts';
import type { Storage } from '../../core/describe/inspect/probe.ts';
import { refusedIn } from '../../core/describe/refused.ts';
import { maskedShape } from '../../core/masking.ts';
import { valueTree } from '../../core/recording/values/value-tree.ts';
import type { FoundValue } from '../../model/documents/recording.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { max, min } from '../realm/intrinsics.ts';
import type { Look, RefusalSearch, TypeTests } from '../realm/platform.ts';
import { ContentHash } from '../records/hash.ts';
import { type Counted, counted, trusted, UNSEEN_ERROR } from '../size/counted.ts';
import type { SizeEngine } from '../size/scalars.ts';
import { changesOf, partsOf } from './parts.ts';
import { lintTransfer, transferList } from './transfer-lint.ts';

const LIMITS = { patterns: 500, rows: 32, depth: 32, keys: 32 };

/** Longer texts are not read: their width is told where the engine tells it without reading. */
const MAX_UNITS = 1 << 17;
/** Bytes that are serialized once more, for each value that may be visited; and in any case. */
const NODE_BYTES = 64;
const MIN_SERIALIZED = 1 << 17;
/** Half width, as a share, where the format of the engine was not asked for its bytes. */
const FORMAT_ERROR = 0.2;

/** Of less, what is around the parts counts. */
const MIN_PIECES = 1000;

/** Length up to which a value is kept; what is beyond is left out. */
const MAX_KEPT = 1 << 20;

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
  /** It does not write what V8 does. */
  isOtherFormat?: boolean;
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
    parts: () => partsOf(value, types),
    changes: changesOf,
    value: values && stored ? valueTree(value, { types: typeDetection, mask, maxBytes: MAX_KEPT }) : null,
  };
}

/** What made a post throw. */
export const refusedOf = (
  value: unknown,
  transfer: unknown,
  types: TypeTests,
  { nodes, as }: RefusalSearch,
  stopsAtGetter = false,
): FoundValue | null => {
  const listed = transferList(transfer, types);
  return refusedIn(value, { types: typeDetection, listed, nodes, as, stopsAtGetter });
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
  const look = told(value, shape, nodes, listed, options);
  return { ...look, sized: (most) => sized(value, shape, listed.length > 0, most, options) };
}

const WIDE = STORED['two-byte'];
/** So few values are counted without asking the engine how it stores them. */
const SMALL_NODES = 300;

const withStorage = (value: unknown, nodes: number, { engine, types }: LookOptions): Counted | null =>
  engine.withStorage(({ string, elements }) => {
    const asked: SizeEngine = {
      ...{ types, smallBits: 32, elements },
      isWide: (text) => (string(text, 0) & WIDE) !== 0,
    };
    return trusted((most) => counted(value, asked, most, null), nodes);
  });

/** What is transferred is detached by now: it is not copied. */
function sized(value: unknown, shape: Shape, transfers: boolean, nodes: number, options: LookOptions) {
  const { engine, types, salt } = options;
  const small = counted(value, { types, smallBits: 32 }, min(nodes, SMALL_NODES), null);
  const isSmall = small?.isWhole === true && small.isSafe;
  const all = isSmall ? small : withStorage(value, nodes, options);
  if (all === null) return null;
  const { visited, isWhole, isSafe, pieces } = all;
  const canBeWhole = isWhole && isSafe && !transfers && all.bytes <= max(MIN_SERIALIZED, NODE_BYTES * nodes);
  const wire = canBeWhole ? engine.wire(value) : null;
  const isKnown = wire !== null || !shape.truncated.items;
  const direct =
    transfers || !isKnown ? null : (engine.direct?.(wire === null ? [] : [value], shape) ?? null);
  if (wire !== null) {
    const hash = new ContentHash(salt);
    hash.bytes(wire);
    return { visited, bytes: direct ?? wire.byteLength, content: hash.text };
  }
  if (direct !== null) return { visited, bytes: direct, error: UNSEEN_ERROR };
  const factor = isSafe ? factorOf(pieces, engine) : null;
  const unasked = factor === null && engine.isOtherFormat === true ? FORMAT_ERROR : 0;
  return { visited, bytes: Math.round(all.bytes * (factor ?? 1)), error: Math.hypot(all.error, unasked) };
}

/** What the engine makes of the parts that stand for others, by what was counted for them. */
function factorOf({ values, bytes }: Counted['pieces'], { wire }: LookEngine): number | null {
  if (bytes < MIN_PIECES) return null;
  const [whole, empty] = [wire(values), wire([])];
  return whole === null || empty === null ? null : (whole.byteLength - empty.byteLength) / bytes;
}
