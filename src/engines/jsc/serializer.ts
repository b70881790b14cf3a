import { type Rule, ruleTable } from '../../model/rules/rule.ts';
import { ANYWHERE, AT_ROOT, COPIED_BYTES, IN_PROCESS, TOO_LARGE } from '../standard/common.ts';
import { EVERY_FAST_PATH } from './fast-paths.ts';

/** The receiver keeps a list of the objects that it has read; later references are indices into this list. */
const POOL = {
  ...ANYWHERE.lossy,
  scope: { runtimes: { bun: '<1.4.0' } },
  fix: 'Use Bun 1.4, send copies, or put the BigInts last.',
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
  'jsc/buffer-too-large': {
    ...TOO_LARGE,
    when: { ...COPIED_BYTES, bytesFrom: 2 ** 31 - 16 },
    title: 'buffer of 2 GiB or more, copied',
    why: 'A message has at most 2 GiB: the post throws a DataCloneError. Up to Bun 1.3 the process crashes, on 1.3 from about 1.5 GiB on.',
    source: 'seen on Bun 1.4.5 (2,147,483,616 bytes arrive, 16 more are refused), 1.2.20 and 1.3.14',
  },
  'jsc/platform-over-ipc': {
    ...ANYWHERE.lossy,
    scope: { channels: ['ipc-advanced'] },
    when: { kind: 'platform', notTag: ['DOMException', 'Memory'] },
    loses: 'class',
    title: 'web object to another process',
    why: 'Between processes Bun does not clone blobs, files and the like: they arrive as empty objects, without an error.',
    fix: 'Send its data: await blob.arrayBuffer().',
    remedies: ['plain'],
    source: 'seen on Bun 1.3.14 and 1.4.5',
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
  'jsc/reference-after-bigint': {
    ...POOL,
    when: [
      { any: ['repeated', 'cycle'], all: ['after-bigint'] },
      { kind: 'arraybuffer', all: ['after-bigint'] },
    ],
    loses: 'value',
    title: 'reference to an object behind a BigInt',
    why: 'Up to Bun 1.3 the receiver counts each BigInt as an object and the sender does not, so a second reference to an object behind one arrives as another value: [1n, o, o] ends with 1n.',
  },
  'jsc/memory-after-bigint': {
    ...POOL,
    level: 'rejected',
    when: { kind: ['typedarray', 'dataview'], all: ['after-bigint'], none: ['repeated', 'cycle'] },
    title: 'shared buffer behind a BigInt',
    why: 'Up to Bun 1.3 the second view of a buffer behind a BigInt refers to another object, and the message never arrives.',
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

/** `v8.serialize` of Bun, which writes into files, uses the serializer of JavaScriptCore. */
export const storage = ruleTable(AT_ROOT.slow, {
  'jsc/to-file': {
    when: { kind: ['string', 'object', 'array'] },
    blocks: EVERY_FAST_PATH,
    scope: { channels: ['storage'] },
    title: 'value in a file',
    why: 'A file holds no memory of the program. What v8.serialize of Bun writes is the format of JavaScriptCore, which Node and Deno cannot read.',
    fix: 'Write JSON text where the payload is JSON.',
    remedies: ['json-text', 'compiled'],
    source: 'SerializedScriptValue.cpp, for storage; seen on Bun 1.2.20 to 1.4.5',
  },
});
