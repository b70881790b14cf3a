import { has, isBuffer } from '../core/shape-facts.ts';
import type { Facts, Shape } from '../model/documents/shape.ts';
import type { Remedy } from '../model/rules/remedy.ts';
import { inlineCode, isInline, plainKeys, readAt } from './code/inline.ts';
import { RECEIVES_ORIGINAL, remedyFromCode, SENDS_ORIGINAL } from './code/remedy-from-code.ts';
import { canCollect, declareTransferList } from './code/transfer-list.ts';
import {
  anyRow,
  everyRow,
  type PathsPlan,
  type PatternRows,
  planFor,
  ShapeIndex,
} from './facts/shape-index.ts';

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

interface TransferPlan extends PathsPlan {
  /** What each path leads to, where one expression names each buffer. */
  inline?: ('view' | 'buffer')[];
}

/** For more of them a list of expressions is harder to read than a function. */
const MAX_NAMED = 4;

/** Each buffer is named once: engines refuse duplicates. Bytes behind a second view on one buffer count as none. */
const isNamed = (at: PatternRows): boolean =>
  isInline(at) && everyRow(at, (row) => isBuffer(row) && row.bytes?.backing === row.bytes?.total);

function plans(shape: Shape): TransferPlan[] {
  const buffers = ShapeIndex.of(shape)
    .all()
    .filter(
      (at) =>
        anyRow(at, isBuffer) && everyRow(at, (row) => !isNotTransferable(row)) && canCollect(at.pattern),
    );
  const each = buffers.map((at) => (at.kinds.has('arraybuffer') ? 'buffer' : 'view'));
  const isShort = buffers.length <= MAX_NAMED && buffers.every(isNamed);
  return planFor(buffers.map((at) => at.pattern)).map((plan) => (isShort ? { ...plan, inline: each } : plan));
}

/** A view of a part is left out: the rest of its buffer would be lost to the sender. */
const WHOLE = `function wholeBuffer(value/*: unknown */)/*: ArrayBuffer | null */ {
  if (value instanceof ArrayBuffer) return value;
  const isWhole = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength;
  return isWhole && value.buffer instanceof ArrayBuffer ? value.buffer : null;
}`;

const namedBuffers = (paths: readonly string[], each: readonly string[]) =>
  inlineCode({
    message: 'payload',
    transferList: (message) =>
      `[${paths.map((path, i) => readAt(message, plainKeys(path)) + (each[i] === 'view' ? '.buffer' : '')).join(', ')}]`,
  });

export const transfer: Remedy = remedyFromCode<TransferPlan>({
  name: 'transfer',
  title: 'transfer the buffers',
  costs: [
    'the sender loses the buffers: after the post they are empty there',
    'posting the same object again throws a DataCloneError, or is lost with a messageerror (Node 20)',
  ],
  transfers: true,
  plans,
  source: ({ paths, inline: each }) => ({
    sender: SENDS_ORIGINAL,
    receiver: RECEIVES_ORIGINAL,
    transfer: `${WHOLE}\n${declareTransferList(paths, 'wholeBuffer')}`,
    ...(each ? { inline: namedBuffers(paths, each) } : {}),
  }),
});
