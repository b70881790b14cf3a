import { has, isBuffer } from '../core/shape-facts.ts';
import type { Remedy } from '../model/rules/remedy.ts';
import type { Facts, Shape } from '../model/rules/shape.ts';
import { RECEIVES_ORIGINAL, remedyFromCode, SENDS_ORIGINAL } from './code/remedy-from-code.ts';
import { canCollect, declareTransferList } from './code/transfer-list.ts';
import { anyRow, everyRow, type PathsPlan, planFor, ShapeIndex } from './facts/shape-index.ts';

/** Refused by engines, or also used by other views. */
const isNotTransferable = (row: Facts) =>
  isBuffer(row) &&
  has(
    row,
    'shared-backing',
    'detached',
    'wasm-memory',
    'untransferable',
    'pooled',
    'view-of-larger',
    'subclass',
  );

function plans(shape: Shape): PathsPlan[] {
  const buffers = new ShapeIndex(shape)
    .all()
    .filter(
      (at) =>
        anyRow(at, isBuffer) && everyRow(at, (row) => !isNotTransferable(row)) && canCollect(at.pattern),
    );
  return planFor(buffers.map((at) => at.pattern));
}

/** A view of a part is left out: the rest of its buffer would be lost to the sender. */
const WHOLE = `function wholeBuffer(value) {
  if (value instanceof ArrayBuffer) return value;
  const isWhole = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength;
  return isWhole && value.buffer instanceof ArrayBuffer ? value.buffer : null;
}`;

export const transfer: Remedy = remedyFromCode<PathsPlan>({
  name: 'transfer',
  title: 'transfer the buffers',
  costs: ['the sender loses the buffers: after the post they are empty there and cannot be posted again'],
  transfers: true,
  plans,
  source: ({ paths }) => ({
    sender: SENDS_ORIGINAL,
    receiver: RECEIVES_ORIGINAL,
    transfer: `${WHOLE}\n${declareTransferList(paths, 'wholeBuffer')}`,
  }),
});
