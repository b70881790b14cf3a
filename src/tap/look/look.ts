/** Looks at a message: loaded when the first is looked at, because it is most of the tap. */
import { describe } from '../../core/describe/describe.ts';
import type { Storage } from '../../core/describe/inspect/probe.ts';
import { refusedIn } from '../../core/describe/refused.ts';
import { maskedShape } from '../../core/masking.ts';
import { valueTree } from '../../core/recording/values/value-tree.ts';
import type { FoundValue } from '../../model/documents/recorded/recording.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import type { Look, RefusalSearch, TypeTests } from '../realm/platform.ts';
import { changesOf, partsOf } from './parts.ts';
import { type SizeOptions, sized } from './sized.ts';
import { lintTransfer, transferList } from './transfer-lint.ts';

const LIMITS = { patterns: 500, rows: 32, depth: 32, keys: 32 };

/** Longer texts are not read: their width is told where the engine tells it without reading. */
const MAX_UNITS = 1 << 17;
/** Length up to which a value is kept; what is beyond is left out. */
const MAX_KEPT = 1 << 20;

/** What is told of a message: its transfer list is linted, its value kept where `values` are, masked by `mask`. */
interface Telling {
  types: TypeTests;
  values: boolean;
  mask: boolean;
  /** Shape and value are told. */
  stored: boolean;
}

interface LookOptions extends Telling, SizeOptions {}

/** @param nodes most values to visit */
export const described = (value: unknown, storage: Storage, nodes: number): Shape =>
  describe(
    value,
    { types: typeDetection(), storage, utf8Bytes: (text) => text.length },
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
    value: values && stored ? valueTree(value, { types: typeDetection(), mask, maxBytes: MAX_KEPT }) : null,
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
  return refusedIn(value, { types: typeDetection(), listed, nodes, as, stopsAtGetter });
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
  return { ...look, sized: (most) => sized(value, shape, listed.length, most, options) };
}
