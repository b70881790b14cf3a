/** Looks at a message of a page, when it was posted: nothing of the engine can be asked there. */
import { assumedStorage } from '../../core/describe/assumed-storage.ts';
import { describe } from '../../core/describe/describe.ts';
import type { Probe } from '../../core/describe/inspect/probe.ts';
import { maskedShape } from '../../core/masking.ts';
import { valueTree } from '../../core/recording/values/value-tree.ts';
import { estimatedSize } from '../../core/wire-estimate.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { PageTapSettings } from '../../model/recording/page-tap.ts';
import { types as engineTypes } from '../../probe/type-detection/engine-types.page.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { lintTransfer, transferList } from '../look/transfer-lint.ts';
import type { Look, TypeTests } from '../realm/platform.ts';
import { serializedSize } from './serialized-size.ts';

const LIMITS = { patterns: 500, rows: 32, depth: 32, keys: 32 };

/** Nothing tells a Proxy; what was posted holds none. */
export const types: TypeTests = {
  isProxy: () => false,
  isMap: engineTypes.isMap,
  isSet: engineTypes.isSet,
  isAnyArrayBuffer: (value) => engineTypes.isArrayBuffer(value) || engineTypes.isSharedArrayBuffer(value),
};

const probe: Probe = {
  types: typeDetection,
  storage: assumedStorage('v8', false),
  utf8Bytes: (text) => text.length,
};

/** Length up to which a value is kept; what is beyond is left out. */
const MAX_KEPT = 1 << 20;

export type LookOptions = Pick<PageTapSettings, 'salt' | 'values' | 'mask'>;

/** @param nodes most values to visit @param stored shape and value are told */
export function lookAt(
  value: unknown,
  transfer: unknown,
  nodes: number,
  stored: boolean,
  { salt, values, mask }: LookOptions,
): Look {
  const listed = transferList(transfer, types);
  const shape = asPosted(describe(value, probe, { limits: { ...LIMITS, nodes } }));
  const visited = shape.nodes < nodes ? shape.nodes : nodes;
  return {
    // Keys of values that are kept stand in the values.
    shape: stored ? (values && !mask ? shape : maskedShape(shape)) : null,
    visited,
    transfer: lintTransfer(value, shape, listed, types),
    value: values && stored ? valueTree(value, { types: typeDetection, mask, maxBytes: MAX_KEPT }) : null,
    sized: () =>
      listed.length === 0 ? (serializedSize(value, types, salt) ?? estimatedSize(shape, visited)) : null,
  };
}

/** What is detached now was transferred: a message with a buffer that was detached before is refused. */
const asPosted = (shape: Shape): Shape => ({
  ...shape,
  patterns: shape.patterns.map((facts) => ({
    ...facts,
    flags: facts.flags.filter((flag) => flag !== 'detached'),
  })),
});
