import { type Rule, ruleTable } from '../../model/rules/rule.ts';
import {
  ANYWHERE,
  AT_ROOT,
  COPIED_BYTES,
  IN_PROCESS,
  SHARED_COPIED,
  SHARED_MEMORY,
  SPARSE_LENGTH,
  TOO_DEEP,
  TOO_LARGE,
  VIEW_OF_LARGER,
} from '../standard/common.ts';
import { EXTRA_PROPS } from '../standard/lossy.ts';
import { EVERY_FAST_PATH } from './fast-paths.ts';

const OVER_IPC = {
  ...ANYWHERE.lossy,
  scope: { channels: ['ipc-advanced'] },
} as const satisfies Partial<Rule>;

/** The receiver keeps a list of the objects that it has read; later references are indices into this list. */
const POOL = {
  ...ANYWHERE.lossy,
  scope: { runtimes: { bun: '<1.4.0' } },
  source:
    'SerializedScriptValue.cpp, object pool; seen on Bun 1.2.20-1.3.14 (wrong) and 1.4.0, 1.4.5 (right)',
} as const satisfies Partial<Rule>;

/** Rules about costs inside the serializer, and about values that it refuses although the standard allows them. */
export const serializer = ruleTable(ANYWHERE.rejected, {
  'jsc/blob-inside': {
    level: 'rejected',
    at: 'nested',
    when: { kind: 'platform', tag: ['Blob', 'File'] },
    scope: { runtimes: { bun: '<1.2.22' }, channels: IN_PROCESS },
    title: 'Blob inside a message',
    why: 'Up to Bun 1.2.21 a Blob can be posted only as the message itself: inside an object or array the receiver cannot read it.',
    fix: 'Post the Blob as the message, or send its bytes: await blob.bytes().',
    source: 'seen on Bun 1.2.20, 1.2.21 (TypeError) and 1.2.22 (works)',
  },
  'jsc/wasm-module-clone': {
    when: { kind: 'platform', tag: ['Module', 'Memory'] },
    scope: { runtimes: { bun: '<1.4.0' }, channels: ['structured-clone'] },
    title: 'WebAssembly.Module or shared Memory, cloned in place',
    why: 'Up to Bun 1.3 structuredClone refuses a WebAssembly.Module and a shared WebAssembly.Memory; posting it to a Worker or port works.',
    fix: 'Post it to the Worker or port that needs it.',
    source: 'seen on Bun 1.2.20-1.3.14 (DataCloneError) and 1.4.0-1.4.5 (cloned)',
  },
  'jsc/deep-nesting': {
    ...TOO_DEEP,
    when: { payloadDepthFrom: 40_000 },
    why: 'The serializer throws a RangeError at about 40,000 levels.',
    remedies: ['json-text'],
    source: 'SerializedScriptValue.cpp maximumFilterRecursion; seen on Bun 1.4.5 (39,995 levels pass)',
  },
  'jsc/view-of-larger': {
    ...VIEW_OF_LARGER,
    source: 'SerializedScriptValue.cpp dumpArrayBufferView; seen on Bun 1.2.20-1.4.5',
  },
  'jsc/buffer-too-large': {
    ...TOO_LARGE,
    when: { ...COPIED_BYTES, bytesFrom: 2 ** 31 - 16 },
    title: 'buffer of 2 GiB or more, copied',
    why: 'A message has at most 2 GiB: the post throws a DataCloneError. Up to Bun 1.3 the process crashes, on 1.3 from about 1.5 GiB on.',
    source: 'seen on Bun 1.4.5 (2,147,483,616 bytes arrive, 16 more are refused), 1.2.20 and 1.3.14',
  },
  'jsc/out-of-bounds-view': {
    when: { kind: ['typedarray', 'dataview'], all: ['out-of-bounds'] },
    scope: { channels: ['ipc-advanced', 'storage'] },
    title: 'view beyond the end of its buffer',
    why: 'The resizable buffer has shrunk below the end of the view. Node and Deno write an empty view here.',
    fix: 'Make a new view after the buffer was resized.',
    source: 'seen on Bun 1.2.20, 1.3.14 and 1.4.5',
  },
  'jsc/shared-copied': {
    ...SHARED_COPIED,
    scope: { runtimes: { bun: '<1.4.0' }, channels: ['structured-clone'] },
    why: 'Up to Bun 1.3 structuredClone turns a SharedArrayBuffer into an ordinary ArrayBuffer; posting it to a Worker shares it.',
    source: 'seen on Bun 1.2.20-1.3.14 (copied) and 1.4.0-1.4.5 (shared)',
  },
  'jsc/platform-over-ipc': {
    ...OVER_IPC,
    when: { kind: 'platform', notTag: ['DOMException', 'Memory'] },
    loses: 'class',
    title: 'web object to another process',
    why: 'Between processes Bun does not clone blobs, files and the like: they arrive as empty objects, without an error.',
    fix: 'Send its data: await blob.arrayBuffer().',
    remedies: ['plain'],
    source: 'seen on Bun 1.3.14 and 1.4.5',
  },
  'jsc/node-buffer-over-ipc': {
    ...ANYWHERE.losesClass,
    when: { kind: 'typedarray', all: ['node-buffer'] },
    scope: { runtimes: { bun: '<1.4.0' }, channels: ['ipc-advanced'] },
    title: 'Buffer to another process',
    why: 'Up to Bun 1.3 a Buffer arrives as a Uint8Array; Node, Deno and Bun 1.4 give the other process a Buffer.',
    fix: 'Wrap it again on the receiver: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).',
    source: 'seen on Bun 1.3.14 (Uint8Array) and 1.4.5 (Buffer)',
  },
  'jsc/platform-props-over-ipc': {
    ...EXTRA_PROPS,
    ...OVER_IPC,
    when: { kind: 'platform', all: ['extra-props'] },
    source: 'seen on Bun 1.3.14 and 1.4.5',
  },
  'jsc/shared-over-ipc': {
    ...OVER_IPC,
    when: SHARED_MEMORY,
    loses: 'value',
    title: 'SharedArrayBuffer to another process',
    why: 'Memory cannot be shared between processes: an ordinary ArrayBuffer with a copy of the bytes arrives.',
    fix: 'Use a Worker where the memory must be shared.',
    source: 'seen on Bun 1.3.9 and 1.4.5',
  },
  'jsc/sparse-length': {
    ...SPARSE_LENGTH,
    on: ['serializer'],
    source: 'oven-sh/bun#33512; SerializedScriptValue.cpp CloneSerializer::serialize',
  },
  'jsc/repeated-string': {
    ...ANYWHERE.note,
    when: { kind: 'string', all: ['repeated'] },
    on: ['serializer'],
    title: 'repeated string, written once',
    why: 'The serializer writes equal strings once per message and references them after that, so repeating one costs little here.',
    source: 'SerializedScriptValue.cpp m_constantPool; seen on Bun 1.4.5',
  },
  'jsc/map-extra-props': {
    ...ANYWHERE.note,
    when: { kind: ['map', 'set'], all: ['extra-props'] },
    title: 'own properties of a Map or Set are kept',
    why: 'Bun and WebKit also send own properties of a Map or Set, unlike other engines; code that relies on it works only there.',
    fix: 'Send such properties as separate values.',
    remedies: ['plain'],
    source: 'seen on Bun 1.3.9 and 1.4.5, WebKitGTK 2.50',
  },
  'jsc/identity': {
    ...POOL,
    when: { kind: ['date', 'regexp', 'error', 'platform'], all: ['repeated'] },
    loses: 'value',
    title: 'shared Date, RegExp, Error or Blob',
    why: 'Up to Bun 1.3 each reference to it arrives as an object of its own.',
    fix: 'Use Bun 1.4, or send it once and refer to it by a key.',
  },
  'jsc/reference-after-bigint': {
    ...POOL,
    when: [
      { any: ['repeated', 'cycle'], all: ['after-bigint'] },
      { kind: 'arraybuffer', all: ['after-bigint'] },
    ],
    loses: 'value',
    title: 'reference to an object behind a BigInt',
    why: 'Up to Bun 1.3 the receiver counts each BigInt as an object and the sender does not, so a second reference to an object behind one arrives as another value: [1n, o, o] ends with 1n.',
    fix: 'Use Bun 1.4, send copies, or put the BigInts last.',
  },
  'jsc/memory-after-bigint': {
    ...POOL,
    level: 'rejected',
    when: { kind: ['typedarray', 'dataview'], all: ['after-bigint'], none: ['repeated', 'cycle'] },
    title: 'shared buffer behind a BigInt',
    why: 'Up to Bun 1.3 the second view of a buffer behind a BigInt refers to another object, and the message never arrives.',
    fix: 'Use Bun 1.4, send copies, or put the BigInts last.',
  },
  'jsc/error-cause': {
    ...ANYWHERE.lossy,
    when: { kind: 'error', all: ['has-cause'] },
    loses: 'property',
    title: 'cause of an error',
    why: 'Bun drops the cause of an error; Node and Deno keep it.',
    fix: 'Send message, stack and cause as a plain object.',
    remedies: ['plain'],
    source: 'seen on Bun 1.3.9 and 1.4.5',
  },
});

const INTO_FILE = {
  ...ANYWHERE.lossy,
  scope: { channels: ['storage'] },
  source: 'seen on Bun 1.3.14 and 1.4.5',
} as const satisfies Partial<Rule>;

/** Rules for `v8.serialize` of Bun, which writes into files: it uses the serializer of JavaScriptCore. */
export const storage = ruleTable(INTO_FILE, {
  'jsc/to-file': {
    ...AT_ROOT.slow,
    when: { kind: ['string', 'object', 'array'] },
    blocks: EVERY_FAST_PATH,
    scope: { channels: ['storage'] },
    title: 'value in a file',
    why: 'A file holds no memory of the program. What v8.serialize of Bun writes is the format of JavaScriptCore, which Node and Deno cannot read.',
    fix: 'Write JSON text where the payload is JSON.',
    remedies: ['json-text', 'compiled'],
    source: 'SerializedScriptValue.cpp, for storage; seen on Bun 1.2.20 to 1.4.5',
  },
  'jsc/shared-to-file': {
    when: SHARED_MEMORY,
    loses: 'value',
    title: 'SharedArrayBuffer into a file',
    why: 'An ordinary ArrayBuffer with a copy of the bytes is read back. Node and Deno refuse it.',
    fix: 'Share it with the Worker that needs it.',
  },
  'jsc/platform-props-to-file': {
    ...EXTRA_PROPS,
    when: { kind: 'platform', all: ['extra-props'] },
  },
  'jsc/node-buffer-to-file': {
    when: { kind: 'typedarray', all: ['node-buffer'] },
    loses: 'class',
    scope: { runtimes: { bun: '<1.4.0' }, channels: ['storage'] },
    title: 'Buffer into a file',
    why: 'Up to Bun 1.3 a Uint8Array is read back; Node, Deno and Bun 1.4 give a Buffer.',
    fix: 'Wrap it again: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).',
    source: 'seen on Bun 1.3.14 (Uint8Array) and 1.4.5 (Buffer)',
  },
});
