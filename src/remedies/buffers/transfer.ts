import { has, isBuffer } from '../../core/shape-facts.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import { isStore } from '../../model/names.ts';
import type { ProposalFacts, Remedy } from '../../model/rules/remedy.ts';
import { inlineCode, isInline, plainKeys, readAt } from '../code/inline.ts';
import { listCode, literal } from '../code/javascript.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { callTargets, fromMessageCode, toMessageCode } from '../code/rewrite.ts';
import { TYPE_NAME } from '../code/shared-declarations.ts';
import { canCollect, declareTransferList } from '../code/transfer-list.ts';
import {
  anyRow,
  everyRow,
  type PathsPlan,
  type PatternRows,
  planFor,
  ShapeIndex,
} from '../facts/shape-index.ts';

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
  /** Of the platform, whose objects are among them: "ImageBitmap". */
  classes?: string[];
  /** What each path leads to, if one expression names each buffer. */
  inline?: ('view' | 'buffer')[];
}

/** For more of them a list of expressions is harder to read than a function. */
const MAX_NAMED = 4;

/** Each buffer is named once: engines refuse duplicates. Bytes behind a second view on one buffer count as none. */
const isNamed = (at: PatternRows): boolean =>
  isInline(at) &&
  everyRow(
    at,
    (row) => row.kind === 'platform' || (isBuffer(row) && row.bytes?.backing === row.bytes?.total),
  );

function plans(shape: Shape, { moves = () => false }: Partial<ProposalFacts> = {}): TransferPlan[] {
  const isObject = (row: Facts) => row.kind === 'platform' && moves(row.tag ?? '');
  const listed = ShapeIndex.of(shape)
    .all()
    .filter(
      (at) =>
        anyRow(at, (row) => isBuffer(row) || isObject(row)) &&
        everyRow(at, (row) => !isNotTransferable(row)) &&
        canCollect(at.pattern),
    );
  const tags = listed.flatMap(({ rows }) => rows.flatMap((row) => (isObject(row) ? [row.tag!] : [])));
  const classes = [...new Set(tags)];
  const each = listed.map((at) =>
    at.kinds.has('arraybuffer') || at.kinds.has('platform') ? 'buffer' : 'view',
  );
  const isShort = listed.length <= MAX_NAMED && listed.every(isNamed);
  return planFor(listed.map((at) => at.pattern)).map((plan) => ({
    ...plan,
    ...(classes.length > 0 && { classes }),
    ...(isShort && { inline: each }),
  }));
}

/** A view of a part is left out: the rest of its buffer would be lost to the sender. */
const WHOLE = `function wholeBuffer(value/*: unknown */)/*: ArrayBuffer | null */ {
  if (value instanceof ArrayBuffer) return value;
  const isWhole = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength;
  return isWhole && value.buffer instanceof ArrayBuffer ? value.buffer : null;
}`;

/** By name: a class may be absent where the code is loaded. Typed as buffers, which Node and browsers take both. */
const objectsOf = (classes: readonly string[]) => [
  `const MOVED = new Set(${listCode('[', classes.map(literal), ']', 24)});`,
  `function movable(value/*: unknown */)/*: ArrayBuffer | null */ {
  const isMoved = value instanceof Object && MOVED.has(value.constructor.name);
  return isMoved ? value/*as ArrayBuffer */ : wholeBuffer(value);
}`,
];

const listOf = ({ paths, classes }: TransferPlan) =>
  classes === undefined
    ? [WHOLE, declareTransferList(paths, 'wholeBuffer')]
    : [WHOLE, ...objectsOf(classes), declareTransferList(paths, 'movable')];

const namedBuffers = (paths: readonly string[], each: readonly string[]) =>
  inlineCode({
    message: 'payload',
    transferList: (message) =>
      `[${paths.map((path, i) => readAt(message, plainKeys(path)) + (each[i] === 'view' ? '.buffer' : '')).join(', ')}]`,
  });

export const transfer: Remedy = remedyFromCode<TransferPlan>({
  name: 'transfer',
  title: 'transfer instead of copying',
  costs: [
    'the sender loses what is transferred: after the post it is empty there',
    'posting the same object again throws a DataCloneError, or is lost with a messageerror (Node 20)',
  ],
  transfers: true,
  plans,
  source: (plan) => ({
    transfer: listOf(plan),
    ...(plan.inline ? { inline: namedBuffers(plan.paths, plan.inline) } : {}),
  }),
});

/** Copying smaller buffers is cheap, bytes. */
const MIN_BYTES = 64 * 1024;

/** Copies the bytes of a buffer or view into new memory of type `to`. */
const converter = (name: string, to: string, checks: string) => `function ${name}(value) {
  const isView = ArrayBuffer.isView(value);
  const buffer = isView ? value.buffer : value;
  ${checks}
  const bytes = isView ? new Uint8Array(buffer, value.byteOffset, value.byteLength) : new Uint8Array(buffer);
  const memory = new ${to}(bytes.length);
  new Uint8Array(memory).set(bytes);
  const types/*: Record<string, unknown> */ = globalThis;
  const View = types[typeName.call(value) ?? 'DataView']/*as new (of: ArrayBufferLike) => object */;
  return isView ? new View(memory) : memory;
}`;

const TO_SHARED = converter(
  'toShared',
  'SharedArrayBuffer',
  `if (buffer instanceof SharedArrayBuffer) throw new TypeError('already shared memory');
  if (!(buffer instanceof ArrayBuffer)) return value;`,
);
const TO_OWN = converter('toOwn', 'ArrayBuffer', 'if (!(buffer instanceof SharedArrayBuffer)) return value;');

/** Faster where both ends keep the shared form: nothing is copied, and both see each other's writes. */
export const share: Remedy = remedyFromCode<PathsPlan>({
  name: 'share',
  title: 'put the bytes into shared memory',
  ofMemory: true,
  costs: ['views that overlap no longer see each other'],
  plans: (shape, { channel }) =>
    channel !== undefined && isStore(channel)
      ? []
      : planFor(
          ShapeIndex.of(shape).rewritable(
            (at) =>
              anyRow(at, (row) => isBuffer(row) && (row.bytes?.max ?? 0) >= MIN_BYTES) &&
              everyRow(at, (row) => !has(row, 'shared-backing', 'detached', 'resizable')) &&
              !at.kinds.has('sharedarraybuffer'),
          ),
        ),
  source: ({ paths }) => ({
    sender: toMessageCode(callTargets('toShared', paths), [TYPE_NAME, TO_SHARED]),
    receiver: fromMessageCode(callTargets('toOwn', paths), [TYPE_NAME, TO_OWN]),
  }),
});
