import type { Plan, Remedy } from '../model/remedy.ts';
import type { Facts, Shape } from '../model/shape.ts';
import { RECEIVES_ORIGINAL, remedyFromCode, SENDS_ORIGINAL } from './code/remedy-from-code.ts';
import { canCollect, declareTransferList } from './code/transfer-list.ts';
import { anyRow, commonPath, everyRow, has, ShapeIndex } from './facts/shape-index.ts';

interface TransferPlan extends Plan {
  paths: string[];
}

const BUFFER_KINDS: readonly string[] = ['arraybuffer', 'typedarray', 'dataview'];

/** Refused by engines, or taken away from others that cut their views from the same buffer. */
const isBound = (row: Facts) =>
  has(row, 'shared-backing', 'detached', 'wasm-memory', 'pooled', 'view-of-larger', 'subclass');

function wanted(shape: Shape): Plan[] {
  const paths = new ShapeIndex(shape)
    .all()
    .filter(
      (spot) =>
        everyRow(spot, (row) => !BUFFER_KINDS.includes(row.kind) || !isBound(row)) &&
        anyRow(spot, (row) => BUFFER_KINDS.includes(row.kind)) &&
        canCollect(spot.pattern),
    )
    .map((spot) => spot.pattern);
  return paths.length === 0 ? [] : [{ path: commonPath(paths), paths }];
}

/** A view of a part is left out: its buffer holds bytes that the sender did not mean to give away. */
const WHOLE = `function wholeBuffer(value) {
  if (value instanceof ArrayBuffer) return value;
  const isWhole = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength;
  return isWhole && value.buffer instanceof ArrayBuffer ? value.buffer : null;
}`;

export const transfer: Remedy = remedyFromCode({
  name: 'transfer',
  title: 'transfer the buffers',
  loses: ['the sender loses the buffers: they are moved'],
  transfers: true,
  wanted,
  source: (plan) => ({
    sender: SENDS_ORIGINAL,
    receiver: RECEIVES_ORIGINAL,
    transfer: `${WHOLE}\n${declareTransferList((plan as TransferPlan).paths, 'wholeBuffer')}`,
  }),
});
