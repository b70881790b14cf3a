import type { Facts, Shape } from '../../../model/documents/shape.ts';
import { isStore } from '../../../model/names.ts';
import type { ProposalFacts, Remedy } from '../../../model/rules/remedy.ts';
import { has, isBuffer } from '../../../value/shape/shape-facts.ts';
import { canCollect, declareTransferList, isInline, plainKeys, readAt } from '../../code/at-paths.ts';
import { listCode, literal } from '../../code/javascript.ts';
import { remedyFromCode } from '../../code/remedy-from-code.ts';
import { callTargets, fromMessageCode, toMessageCode } from '../../code/rewrite.ts';
import { TYPE_NAME } from '../../code/shared-declarations.ts';
import { type PathsPlan, type PatternRows, planFor, ShapeIndex } from '../facts/shape-index.ts';

/** True for buffers that engines refuse to transfer, or that other views also use. */
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
  /** Names of platform classes whose objects are transferred, too: "ImageBitmap". */
  classes?: string[];
  /** Type at each path, if one expression can name each buffer. */
  inline?: ('view' | 'buffer')[];
}

/** Maximum number of named buffers: a longer list of expressions is harder to read than a function. */
const MAX_NAMED = 4;

/** True if each buffer is named once, because engines refuse duplicates. A second view on a buffer counts no bytes. */
const isNamed = (at: PatternRows): boolean =>
  isInline(at) &&
  at.rows.every(
    (row) => row.kind === 'platform' || (isBuffer(row) && row.bytes?.backing === row.bytes?.total),
  );

function plans(shape: Shape, { moves = () => false }: Partial<ProposalFacts> = {}): TransferPlan[] {
  const isObject = (row: Facts) => row.kind === 'platform' && moves(row.tag ?? '');
  const listed = ShapeIndex.of(shape)
    .all()
    .filter(
      ({ pattern, rows }) =>
        rows.some((row) => isBuffer(row) || isObject(row)) &&
        !rows.some(isNotTransferable) &&
        canCollect(pattern),
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

/** A view of a part is left out, because the sender would lose the rest of its buffer. */
const WHOLE = `function wholeBuffer(value/*: unknown */)/*: ArrayBuffer | null */ {
  if (value instanceof ArrayBuffer) return value;
  const isWhole = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength;
  return isWhole && value.buffer instanceof ArrayBuffer ? value.buffer : null;
}`;

/** Checks names, as the loading side may lack a class. The type is that of buffers, which Node and browsers accept. */
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

/** `payload.image.data.buffer` */
const namedBuffer = (path: string, type: 'view' | 'buffer') =>
  readAt('payload', plainKeys(path)) + (type === 'view' ? '.buffer' : '');

export const transfer: Remedy = remedyFromCode<TransferPlan>({
  name: 'transfer',
  title: 'transfer instead of copying',
  costs: [
    'the sender loses what is transferred: after the post it is empty there',
    'posting the same object again throws a DataCloneError, or is lost with a messageerror (Node 20)',
  ],
  transfers: true,
  plans,
  source: (plan) => {
    const named = plan.inline?.map((type, at) => namedBuffer(plan.paths[at]!, type));
    return {
      transfer: listOf(plan),
      ...(named && { inline: { message: 'payload', transferList: `[${named.join(', ')}]` } }),
    };
  },
});

/** Minimum size, bytes: copying smaller buffers is cheap. */
const MIN_BYTES = 64 * 1024;

const isLarge = (row: Facts) => isBuffer(row) && (row.bytes?.max ?? 0) >= MIN_BYTES;
const isNotShared = (row: Facts) =>
  row.kind !== 'sharedarraybuffer' && !has(row, 'shared-backing', 'detached', 'resizable');

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

/** Faster if both ends keep the shared form: nothing is copied, and each end sees the writes of the other. */
export const share: Remedy = remedyFromCode<PathsPlan>({
  name: 'share',
  title: 'put the bytes into shared memory',
  ofMemory: true,
  costs: ['views that overlap no longer see each other'],
  plans: (shape, { channel }) =>
    channel !== undefined && isStore(channel)
      ? []
      : planFor(ShapeIndex.of(shape).rewritable(isLarge, isNotShared)),
  source: ({ paths }) => ({
    sender: toMessageCode(callTargets('toShared', paths), [TYPE_NAME, TO_SHARED]),
    receiver: fromMessageCode(callTargets('toOwn', paths), [TYPE_NAME, TO_OWN]),
  }),
});

const isImageData = ({ kind, tag }: Facts) => kind === 'platform' && tag === 'ImageData';

/** An object that already has such a key would be restored as an image, so it is refused. */
const TO_BUFFER = `function toBuffer(value) {
  if (imageBuffer(value) !== null) throw new TypeError('it has a buffer imageData of its own');
  if (Object.prototype.toString.call(value) !== '[object ImageData]') return value;
  const { data, width, height, colorSpace } = value/*as ImageData */;
  const isWhole = data instanceof Uint8ClampedArray && data.byteLength === data.buffer.byteLength;
  if (!isWhole) throw new TypeError('its pixels are no bytes, or part of a larger buffer');
  return { imageData: data.buffer, width, height, colorSpace };
}`;

const TO_IMAGE = `/*type Moved = { imageData?: unknown; width: number; height: number; colorSpace: PredefinedColorSpace }; */
function toImage(value) {
  const { imageData, width, height, colorSpace } = (value ?? {})/*as Moved */;
  if (!(imageData instanceof ArrayBuffer)) return value;
  return new ImageData(new Uint8ClampedArray(imageData), width, height, { colorSpace });
}`;

const BUFFER = `function imageBuffer(value/*: unknown */)/*: ArrayBuffer | null */ {
  const { imageData } = (value ?? {})/*as { imageData?: unknown } */;
  return imageData instanceof ArrayBuffer ? imageData : null;
}`;

/** Chromium copies the pixels of an ImageData even if their buffer is in the transfer list. */
export const imageBuffer: Remedy = remedyFromCode<PathsPlan>({
  name: 'image-buffer',
  title: 'move the pixels, and build the ImageData again',
  ofMemory: true,
  costs: [
    'the sender loses the pixels: after the post its ImageData is empty',
    'posting the same object again sends an empty image, or throws',
  ],
  transfers: true,
  plans: (shape) => planFor(ShapeIndex.of(shape).rewritable(isImageData)),
  source: ({ paths }) => ({
    sender: toMessageCode(callTargets('toBuffer', paths), [TO_BUFFER]),
    receiver: fromMessageCode(callTargets('toImage', paths), [TO_IMAGE]),
    transfer: [BUFFER, declareTransferList(paths, 'imageBuffer', 'unknown')],
  }),
});
