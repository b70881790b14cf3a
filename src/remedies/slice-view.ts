import type { Plan, Remedy } from '../model/remedy.ts';
import type { Facts, Shape } from '../model/shape.ts';
import { TYPE_NAME } from './code/javascript.ts';
import { RECEIVES_ORIGINAL, remedyFromCode } from './code/remedy-from-code.ts';
import { declareToMessage } from './code/rewrite.ts';
import { declareTransferList } from './code/transfer-list.ts';
import { anyRow, commonPath, has, type PatternRows, ShapeIndex } from './facts/shape-index.ts';

interface SliceViewPlan extends Plan {
  paths: string[];
  /** Move the fresh copies instead of copying them once more. */
  transfer: boolean;
}

/** Below it, an entry of the transfer list costs more than copying the bytes a second time. */
const WORTH_MOVING = 64 * 1024;

const isPart = (row: Facts) =>
  (row.kind === 'typedarray' || row.kind === 'dataview') &&
  has(row, 'view-of-larger', 'pooled') &&
  !has(row, 'shared-backing', 'detached');

function wanted(shape: Shape): Plan[] {
  const spots = new ShapeIndex(shape);
  const parts = spots.all().filter((spot) => anyRow(spot, isPart) && spots.isRewritable(spot.pattern));
  if (parts.length === 0) return [];
  const bytes = (spot: PatternRows) => Math.max(...spot.rows.map((row) => row.bytes?.max ?? 0));
  const paths = parts.map((spot) => spot.pattern);
  const path = commonPath(paths);
  const copied = { path, paths, transfer: false };
  return parts.some((spot) => bytes(spot) >= WORTH_MOVING)
    ? [{ ...copied, transfer: true }, copied]
    : [copied];
}

/** The constructor is asked of the copied bytes' own type: Node's Buffer clones to a Uint8Array anyway. */
const EXACT = `${TYPE_NAME}
function exact(value) {
  if (!ArrayBuffer.isView(value) || value.byteLength === value.buffer.byteLength) return value;
  const { buffer, byteOffset, byteLength } = value;
  if (!(buffer instanceof ArrayBuffer)) throw new TypeError('shared memory is not copied');
  const type = globalThis[typeName.call(value) ?? 'DataView'];
  return new type(buffer.slice(byteOffset, byteOffset + byteLength));
}`;

const FRESH = `function freshBuffer(value) {
  return ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength ? value.buffer : null;
}`;

export const sliceView: Remedy = remedyFromCode({
  name: 'slice-view',
  title: 'send only the bytes that the view shows',
  loses: ['bytes of the buffer outside the view; views that overlap no longer see each other'],
  transfers: true,
  wanted,
  source(plan) {
    const { paths, transfer } = plan as SliceViewPlan;
    return {
      sender: `${EXACT}\n${declareToMessage(paths.map((path) => ({ path, rewrite: (value) => `exact(${value})` })))}`,
      receiver: RECEIVES_ORIGINAL,
      ...(transfer ? { transfer: `${FRESH}\n${declareTransferList(paths, 'freshBuffer')}` } : {}),
    };
  },
});
