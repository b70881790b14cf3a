/** Rewrites of bytes: they are moved, shared, copied before the post, or become texts and files. */
import type { Facts, Shape } from '../../model/documents/shape.ts';
import { channelRow, isJson } from '../../model/names.ts';
import type { ProposalFacts, Remedy } from '../../model/rules/remedy.ts';
import { type PathStep, parsePath } from '../../value/read/paths.ts';
import { has, isBuffer } from '../../value/shape/shape-facts.ts';
import { listCode, literal, member, propertyName } from '../code/javascript.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { awaitedFromMessageCode, convertedAt, plainKeys, readAt, toMessageCode } from '../code/rewrite.ts';
import { isInline, type PathsPlan, type PatternRows, planFor, ShapeIndex } from './shape-index.ts';

const hasBytes = (minBytes: number) => (row: Facts) => isBuffer(row) && (row.bytes?.max ?? 0) >= minBytes;

/** False for a buffer that a copy of its bytes cannot replace: shared memory, a user's class, extra properties. */
const isPlainMemory = (row: Facts) =>
  !isBuffer(row) ||
  !has(row, 'shared-backing', 'detached', 'out-of-bounds', 'resizable', 'subclass', 'extra-props');

/** Flags of buffers that engines refuse to transfer, or that other views also use. */
const NOT_TRANSFERABLE = [
  ...(['shared-backing', 'detached', 'wasm-memory', 'untransferable'] as const),
  ...(['pooled', 'view-of-larger', 'subclass'] as const),
];

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

function transferPlans(shape: Shape, { moves = () => false }: ProposalFacts): TransferPlan[] {
  const isObject = (row: Facts) => row.kind === 'platform' && moves(row.tag ?? '');
  const listed = new ShapeIndex(shape)
    .all()
    .filter(
      ({ pattern, rows }) =>
        rows.some((row) => isBuffer(row) || isObject(row)) &&
        !rows.some((row) => isBuffer(row) && has(row, ...NOT_TRANSFERABLE)) &&
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

/** True if code can read the values at the path; entries of Maps and Sets are included. */
function canCollect(path: string): boolean {
  return parsePath(path)?.every((step) => step.type !== 'deeper' && step.type !== 'cut') ?? false;
}

/** Access to a property that may be absent. `__proto__` is read only as an own property. */
function property(value: string, key: string): string {
  if (key === '__proto__') return `Object.getOwnPropertyDescriptor(${value} ?? {}, ${literal(key)})?.value`;
  return `${value}?.${member(key).replace(/^\./, '')}`;
}

function loop(step: PathStep, value: string, item: string): string {
  // An array without a prototype has no iterator.
  if (step.type === 'index')
    return `if (Array.isArray(${value})) for (const ${item} of Array.prototype.values.call(${value}))`;
  if (step.type !== 'entry') return `for (const ${item} of Object.values(${value} ?? {}))`;
  const type = step.part === 'member' ? 'Set' : 'Map';
  const method = step.part === 'key' ? 'keys' : 'values';
  return `if (${value} instanceof ${type}) for (const ${item} of ${value}.${method}())`;
}

function statement(path: string, pick: string): string {
  const steps = parsePath(path)!;
  let value = steps.length === 0 ? 'message' : 'parts';
  const loops: string[] = [];
  for (const step of steps)
    if (step.type === 'key') value = property(value, step.key);
    else {
      const item = `item${loops.length + 1}`;
      loops.push(loop(step, value, item));
      value = item;
    }
  return [...loops, `add(${pick}(${value}));`]
    .map((line, depth) => `${'  '.repeat(depth + 1)}${line}`)
    .join('\n');
}

/** Type of values that may be absent: it lets the code follow a path in any payload. */
const PARTS = '  /*type Parts = { [key: string]: Parts } | undefined; */';

/** Declares `transferList(message)`: the buffers that `pick` finds at the paths, once each, as engines demand. */
function declareTransferList(paths: readonly string[], pick: string, type = 'Payload'): string {
  const isBelow = paths.some((path) => path !== '$');
  return [
    `export function transferList(message/*: ${type} */)/*: ArrayBuffer[] */ {`,
    ...(isBelow ? [PARTS, '  const parts = message/*as unknown as Parts */;'] : []),
    '  const found = new Set/*<ArrayBuffer> */();',
    '  const add = (buffer/*: ArrayBuffer | null */) => {',
    '    if (buffer !== null) found.add(buffer);',
    '  };',
    ...paths.map((path) => statement(path, pick)),
    '  return [...found];',
    '}',
  ].join('\n');
}

/** Checks names, as the loading side may lack a class. The type is that of buffers, which Node and browsers accept. */
const objectsOf = (classes: readonly string[]) => `
const MOVED = new Set(${listCode('[', classes.map(literal), ']', 24)});

function movable(value/*: unknown */)/*: ArrayBuffer | null */ {
  const isMoved = value instanceof Object && MOVED.has(value.constructor.name);
  return isMoved ? value/*as ArrayBuffer */ : wholeBuffer(value);
}`;

export const transfer: Remedy = remedyFromCode<TransferPlan>({
  name: 'transfer',
  title: 'transfer instead of copying',
  costs: [
    'the sender loses what is transferred: after the post it is empty there',
    'posting the same object again throws a DataCloneError, or is lost with a messageerror (Node 20)',
  ],
  transfers: true,
  plans: transferPlans,
  source: ({ paths, classes, inline }) => {
    // `payload.image.data.buffer`
    const named = inline?.map(
      (type, at) => readAt('payload', plainKeys(paths[at]!)) + (type === 'view' ? '.buffer' : ''),
    );
    return {
      transfer:
        classes === undefined
          ? declareTransferList(paths, 'wholeBuffer')
          : `${declareTransferList(paths, 'movable')}\n${objectsOf(classes)}`,
      ...(named && { inline: { message: 'payload', transferList: `[${named.join(', ')}]` } }),
    };
  },
});

/** Minimum size, bytes: copying smaller buffers is cheap. */
const MIN_SHARED = 64 * 1024;

const isNotShared = (row: Facts) =>
  row.kind !== 'sharedarraybuffer' && !has(row, 'shared-backing', 'detached', 'resizable');

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
    channel !== undefined && channelRow(channel).cloned !== 'within'
      ? []
      : planFor(new ShapeIndex(shape).rewritable(hasBytes(MIN_SHARED), isNotShared)),
  helpers: `${TO_SHARED}\n\n${TO_OWN}`,
  source: ({ paths }) => convertedAt(paths, 'toShared', 'toOwn'),
});

/** An object that already has such a key would be restored as an image, so it is refused. */
const IMAGES = `function toBuffer(value) {
  if (imageBuffer(value) !== null) throw new TypeError('it has a buffer imageData of its own');
  if (Object.prototype.toString.call(value) !== '[object ImageData]') return value;
  const { data, width, height, colorSpace } = value/*as ImageData */;
  const isWhole = data instanceof Uint8ClampedArray && data.byteLength === data.buffer.byteLength;
  if (!isWhole) throw new TypeError('its pixels are no bytes, or part of a larger buffer');
  return { imageData: data.buffer, width, height, colorSpace };
}

/*type Moved = { imageData?: unknown; width: number; height: number; colorSpace: PredefinedColorSpace }; */
function toImage(value) {
  const { imageData, width, height, colorSpace } = (value ?? {})/*as Moved */;
  if (!(imageData instanceof ArrayBuffer)) return value;
  return new ImageData(new Uint8ClampedArray(imageData), width, height, { colorSpace });
}

function imageBuffer(value/*: unknown */)/*: ArrayBuffer | null */ {
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
  plans(shape) {
    const isImageData = ({ kind, tag }: Facts) => kind === 'platform' && tag === 'ImageData';
    return planFor(new ShapeIndex(shape).rewritable(isImageData));
  },
  helpers: IMAGES,
  source: ({ paths }) => ({
    ...convertedAt(paths, 'toBuffer', 'toImage'),
    transfer: declareTransferList(paths, 'imageBuffer', 'unknown'),
  }),
});

interface SliceViewPlan extends PathsPlan {
  /** transferred: the fresh copies are in the transfer list, so that they are not copied a second time. */
  form: 'transferred' | 'copied';
  /** Method that copies the only view: `payload.data.slice()`. */
  inline?: 'slice' | 'Uint8Array.prototype.slice';
}

/** Minimum size of transferred bytes: below it, an entry of the transfer list costs more than a second copy. */
const MIN_TRANSFERRED = 64 * 1024;

const isPart = (row: Facts) =>
  (row.kind === 'typedarray' || row.kind === 'dataview') &&
  has(row, 'view-of-larger', 'pooled') &&
  !has(row, 'shared-backing', 'detached');

/** Buffer.prototype.slice copies nothing, and a subclass may override slice. */
function inlineWay(at: PatternRows): Pick<SliceViewPlan, 'inline'> {
  const [row] = at.rows;
  if (!isInline(at) || row?.kind !== 'typedarray' || has(row, 'subclass', 'extra-props', 'other-realm'))
    return {};
  return { inline: has(row, 'node-buffer') ? 'Uint8Array.prototype.slice' : 'slice' };
}

function slicePlans(shape: Shape): SliceViewPlan[] {
  const index = new ShapeIndex(shape);
  return planFor(index.rewritable(isPart)).flatMap((plan): SliceViewPlan[] => {
    const pays = plan.paths.some((path) =>
      index.at(path)!.rows.some(({ bytes }) => (bytes?.max ?? 0) >= MIN_TRANSFERRED),
    );
    const copy = plan.paths.length === 1 ? inlineWay(index.at(plan.paths[0]!)!) : {};
    const copied = { ...plan, form: 'copied' as const, ...copy };
    return pays ? [{ ...copied, form: 'transferred' }, copied] : [copied];
  });
}

/**
 * The constructor is that of the view's internal type, because Node's Buffer is cloned to a Uint8Array anyway. A view
 * of a whole buffer is copied too before a transfer: otherwise the sender would lose the original.
 */
const EXACT = `function exact(value) {
  return ArrayBuffer.isView(value) && value.byteLength < value.buffer.byteLength ? exactCopy(value) : value;
}

function exactCopy(value) {
  if (!ArrayBuffer.isView(value)) return value;
  const { buffer, byteOffset, byteLength } = value;
  if (!(buffer instanceof ArrayBuffer)) throw new TypeError('shared memory is not copied');
  const types/*: Record<string, unknown> */ = globalThis;
  const View = types[typeName.call(value) ?? 'DataView']/*as new (of: ArrayBuffer) => object */;
  return new View(buffer.slice(byteOffset, byteOffset + byteLength));
}

const freshBuffer = (value/*: unknown */)/*: ArrayBuffer | null */ =>
  ArrayBuffer.isView(value) ? wholeBuffer(value) : null;`;

/** `{ ...payload, data: payload.data.slice() }`: copies the containers on the path, with a new value at its end. */
function replacedAt(path: string, change: (expression: string) => string): string {
  const keys = plainKeys(path);
  return keys.reduceRight(
    (inner, key, depth) =>
      `{ ...${readAt('payload', keys.slice(0, depth))}, ${propertyName(key)}: ${inner} }`,
    change(readAt('payload', keys)),
  );
}

export const sliceView: Remedy = remedyFromCode<SliceViewPlan>({
  name: 'slice-view',
  title: 'send only the bytes that the view shows',
  ofMemory: true,
  costs: ['views that overlap no longer see each other'],
  transfers: true,
  plans: slicePlans,
  helpers: EXACT,
  source: ({ paths, form, inline: copy }) => {
    const isTransferred = form === 'transferred';
    const transferList = () => (isTransferred ? `[${readAt('message', plainKeys(paths[0]!))}.buffer]` : null);
    const copied = (view: string) => (copy === 'slice' ? `${view}.slice()` : `${copy}.call(${view})`);
    return {
      sender: toMessageCode(paths, isTransferred ? 'exactCopy' : 'exact'),
      ...(isTransferred && { transfer: declareTransferList(paths, 'freshBuffer') }),
      ...(copy && { inline: { message: replacedAt(paths[0]!, copied), transferList: transferList() } }),
    };
  },
});

/** Avoids JSON text of raw bytes: it has a key for each element of a typed array, and drops the content of a buffer. */
export const base64: Remedy = remedyFromCode<PathsPlan>({
  name: 'base64',
  title: 'send bytes as base64 text',
  plans: (shape, { channel }) =>
    channel === undefined || !isJson(channel)
      ? []
      : planFor(new ShapeIndex(shape).rewritable(isBuffer, isPlainMemory)),
  source: ({ paths }) => convertedAt(paths, 'bytesToText', 'textToBytes'),
});

/** Copying less is faster than a file: 64 KiB gain nothing in Chromium and WebKit, nor do 512 KiB in Firefox. */
const MIN_IN_BLOB = 256 * 1024;

const BLOBS = `const isBytesBlob = (value/*: unknown */)/*: value is { blob: Blob; type: string } */ =>
  isObject(value) && value.blob instanceof Blob && typeof value.type === 'string';

function bytesToBlob(value) {
  if (isBytesBlob(value)) throw new TypeError('it has a blob and a type of its own');
  const bytes = bytesIn(value);
  if (bytes === null || bytes.length < ${MIN_IN_BLOB}) return value;
  return { blob: new Blob([bytes]), type: bytesType(value) };
}

async function blobToBytes(value/*: unknown */)/*: Promise<unknown> */ {
  if (!isBytesBlob(value)) return value;
  const buffer = await value.blob.arrayBuffer();
  return value.type === 'ArrayBuffer' ? buffer : viewOf(buffer, value.type);
}`;

/** `put` clones its value before it returns. A Blob is cloned as a reference; another process writes its bytes. */
export const blob: Remedy = remedyFromCode<PathsPlan>({
  name: 'blob',
  title: 'put large bytes as a Blob',
  costs: ['the reader has to wait for the bytes: fromMessage is asynchronous'],
  // WebKit takes seven times as long to make a Blob as to clone the bytes, and all of it blocks the page.
  plans: (shape, { channel }) =>
    channel !== 'indexeddb' || shape.representation.engine === 'webkit'
      ? []
      : planFor(new ShapeIndex(shape).rewritable(hasBytes(MIN_IN_BLOB), isPlainMemory)),
  isAwaited: true,
  helpers: BLOBS,
  source: ({ paths }) => ({
    sender: toMessageCode(paths, 'bytesToBlob'),
    receiver: awaitedFromMessageCode(paths, 'blobToBytes'),
  }),
});
