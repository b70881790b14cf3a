/** Bytes of a message, as its channel writes it. */
import { STORED } from '../../core/describe/inspect/flags.ts';
import type { Storage } from '../../core/describe/inspect/probe.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { Serialization } from '../../model/names.ts';
import { max, min } from '../realm/intrinsics.ts';
import type { SizedLook, TypeTests } from '../realm/platform.ts';
import { ContentHash } from '../records/hash.ts';
import { type Counted, counted, trusted, UNSEEN_ERROR } from '../size/counted.ts';
import { countedText, textOf } from '../size/counted-text.ts';
import type { SizeEngine } from '../size/scalars.ts';

/** What the engine tells about values. */
export interface LookEngine {
  /** Storage is asked only while it runs. */
  withStorage<T>(run: (storage: Storage) => T): T;
  /** As a message has it: views with the whole buffer behind them. null for what is refused. */
  wire(value: unknown): Uint8Array | null;
  /** As a message to another process has it; V8 writes views alone. */
  processWire(value: unknown): Uint8Array | null;
  /**
   * Copied bytes of a message that is not serialized; null for others.
   *
   * @param message the value; [] where it is too large to be read once more
   */
  direct?(message: readonly [value?: unknown], shape: Shape): number | null;
  /** It does not write what V8 does. */
  isOtherFormat?: boolean;
  /** JSON text has a view's bytes as a list. */
  listsViews?: boolean;
}

export interface SizeOptions {
  types: TypeTests;
  salt: string;
  engine: LookEngine;
  /** Of a message to another process; null where it is not known. */
  serialization?: Serialization | null | undefined;
}

/** Bytes that are serialized once more, for each value that may be visited; and in any case. */
const NODE_BYTES = 64;
const MIN_SERIALIZED = 1 << 17;
/** Half width, as a share, where the format of the engine was not asked for its bytes. */
const FORMAT_ERROR = 0.2;
/** Of less, what is around the parts counts. */
const MIN_PIECES = 1000;
/** So few values are counted without asking the engine how it stores them. */
const SMALL_NODES = 300;
/** How a length is written: that of a view is not known any more where its buffer was transferred. */
const LENGTH_BYTES = 4;
const WIDE = STORED['two-byte'];

/** @param listed entries of its transfer list: what they name is detached by now, and not copied */
export function sized(
  value: unknown,
  shape: Shape,
  listed: number,
  nodes: number,
  options: SizeOptions,
): SizedLook | null {
  const { serialization } = options;
  if (serialization === 'json') return sizedText(value, nodes, options);
  const clone = sizedClone(value, shape, serialization === undefined ? listed : 0, nodes, options);
  if (serialization !== null) return clone;
  const text = sizedText(value, nodes, options);
  if (text === null) return clone;
  const { bytes, error = 0, visited } = text;
  return { ...(clone ?? { bytes: null }), visited: visited + (clone?.visited ?? 0), text: { bytes, error } };
}

const canBeWritten = ({ isWhole, isSafe, bytes }: Omit<Counted, 'content'>, nodes: number): boolean =>
  isWhole && isSafe && bytes <= max(MIN_SERIALIZED, NODE_BYTES * nodes);

/** Counted as JSON.stringify writes it, which would run the program's code; called only where there is none. */
function sizedText(
  value: unknown,
  nodes: number,
  { types, salt, engine: { listsViews = false } }: SizeOptions,
) {
  const all = trusted((most) => countedText(value, types, most, listsViews), nodes);
  if (all === null) return null;
  const { visited, bytes, error } = all;
  const text = canBeWritten(all, nodes) && !listsViews ? textOf(value) : null;
  if (text === null) return { visited, bytes, error };
  const hash = new ContentHash(salt);
  hash.units(text);
  return { visited, bytes, content: hash.text };
}

const withStorage = (
  value: unknown,
  nodes: number,
  asked: SizeEngine,
  { engine }: SizeOptions,
): Counted | null =>
  engine.withStorage(({ string, elements }) => {
    const isWide = (text: string) => (string(text, 0) & WIDE) !== 0;
    return trusted((most) => counted(value, { ...asked, elements, isWide }, most, null), nodes);
  });

function sizedClone(
  value: unknown,
  shape: Shape,
  listed: number,
  nodes: number,
  options: SizeOptions,
): Exclude<SizedLook, { bytes: null }> | null {
  const { engine, types, salt, serialization } = options;
  const isApart = serialization !== undefined;
  const viewsAlone = isApart && engine.isOtherFormat !== true;
  const asked = { types, smallBits: 32, viewsAlone } as const;
  // A larger one would be read in vain.
  const small = shape.nodes > SMALL_NODES ? null : counted(value, asked, min(nodes, SMALL_NODES), null);
  const isSmall = small?.isWhole === true && small.isSafe;
  const all = isSmall ? small : withStorage(value, nodes, asked, options);
  if (all === null) return null;
  const { isSafe, pieces } = all;
  const visited = all.visited + (isSmall ? 0 : (small?.visited ?? 0));
  const write = isApart ? engine.processWire : engine.wire;
  const wire = canBeWritten(all, nodes) && listed === 0 ? write(value) : null;
  const isKnown = wire !== null || !shape.truncated.items;
  const mayBeDirect = listed === 0 && !isApart && isKnown;
  const direct = mayBeDirect ? (engine.direct?.(wire === null ? [] : [value], shape) ?? null) : null;
  if (wire !== null) {
    const hash = new ContentHash(salt);
    hash.bytes(wire);
    return { visited, bytes: direct ?? wire.byteLength, content: hash.text };
  }
  if (direct !== null) return { visited, bytes: direct, error: UNSEEN_ERROR };
  const factor = isSafe ? factorOf(pieces, write) : null;
  const unasked = factor === null && engine.isOtherFormat === true ? FORMAT_ERROR : 0;
  const bytes = max(1, Math.round(all.bytes * (factor ?? 1)));
  return { visited, bytes, error: Math.hypot(all.error, unasked, (LENGTH_BYTES * listed) / bytes) };
}

/** What the engine makes of the parts that stand for others, by what was counted for them. */
function factorOf({ values, bytes }: Counted['pieces'], write: LookEngine['wire']): number | null {
  if (bytes < MIN_PIECES) return null;
  const [whole, empty] = [write(values), write([])];
  return whole === null || empty === null ? null : (whole.byteLength - empty.byteLength) / bytes;
}
