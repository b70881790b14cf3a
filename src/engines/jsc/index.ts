import type { PathName } from '../../model/names.ts';
import {
  type Engine,
  type PathRow,
  type Rule,
  type RulePosition,
  ruleTable,
  type SharedRow,
  type UnknownRow,
  type When,
} from '../../model/rules/rule.ts';
import {
  AT_ROOT,
  GETTER_RESULT,
  IN_PROCESS,
  JSON_TEXT,
  MEMORY,
  SERIALIZER,
  SHARED,
  TRANSFERRED,
  UNCHANGEABLE,
} from '../standard/common.ts';
import {
  ARRAY_BLOCK,
  ARRAY_PATHS,
  array,
  EVERY_FAST_PATH,
  FAST_ARRAYS,
  FAST_OBJECTS,
  FAST_STRINGS,
  OBJECT_TEST,
  object,
  serializer,
  values,
} from './rules.ts';

const SHARE = 'BunString.cpp toCrossThreadShareable (oven-sh/bun#22006); seen on Bun 1.2.21-1.4.5';

/** Positions of strings that are sent without the serializer if the root takes a fast path. */
const CARRIED: readonly RulePosition[] = ['root-value', 'element', 'element-value'];
const CARRIERS: readonly PathName[] = ['simple-object', 'simple-array', 'dense-array'];

const SHARED_STRING = { ...AT_ROOT.slow, scope: FAST_STRINGS, source: SHARE } as const;

const strings = ruleTable(SHARED_STRING, {
  'jsc/string-copied': {
    when: { kind: 'string', all: ['units-from-256'], any: ['atom', 'substring'] },
    blocks: ['string-shared'],
    also: [{ at: CARRIED, scope: FAST_OBJECTS, blocks: [], on: CARRIERS, costs: 'bulk' }],
    title: 'long string that is copied, not shared',
    why: 'Strings from 256 code units are shared, unless they are interned (literals, keys, strings that were serialized before) or a piece of a longer string (from slice, split or match): those are copied.',
    fix: 'Copy it into a string of its own, for example through Buffer.from(text).toString(), and do not use it as a key.',
    remedies: ['own-string'],
  },
  'jsc/string-rope': {
    level: 'note',
    at: ['root', ...CARRIED],
    when: { kind: 'string', all: ['rope'], none: ['substring'] },
    on: ['string-shared', 'string-copied', ...CARRIERS],
    title: 'concatenation, joined when sent',
    why: 'A string made with + or a template is joined once, on the sender, and shared after that.',
  },
  'jsc/long-string-serialized': {
    at: 'nested',
    when: { kind: 'string', all: ['units-from-256'] },
    on: ['serializer'],
    title: 'long string in a message that is serialized',
    why: 'The string would be shared as the message itself or in a flat one. Here it is hashed, interned and copied, and stays interned, so that sending it alone later copies it too.',
    fix: 'Send the string as the message, or flatten the object around it.',
    remedies: ['unwrap-string', 'compiled', 'json-text'],
    source: `${SHARE}; SerializedScriptValue.cpp write(const String&)`,
  },
});

const OWN_STRING = { kind: 'string', all: ['units-from-256'], none: ['atom', 'substring'] } as const;

const shares = [
  { at: 'root', when: OWN_STRING, scope: FAST_STRINGS, on: ['string-shared'], source: SHARE },
  { at: CARRIED, when: OWN_STRING, scope: FAST_OBJECTS, on: CARRIERS, source: SHARE },
  { ...MEMORY, scope: { channels: ['worker', 'message-port', 'broadcast'] } },
  { ...MEMORY, scope: { channels: ['structured-clone'], runtimes: { bun: '>=1.4.0' } } },
] as const satisfies readonly SharedRow[];

const SERIALIZED = { level: 'slow', at: 'root', blocks: EVERY_FAST_PATH } as const satisfies Partial<Rule>;

const GATE =
  'SerializedScriptValue.cpp, gate before the fast paths (oven-sh/bun#21926); seen on Bun 1.2.21-1.4.5';

/** Rules that keep every value off the fast paths, because of the channel, a transfer list or the version. */
const serialized = ruleTable(SERIALIZED, {
  'jsc/transfer-list': {
    when: { kind: ['string', 'object', 'array'] },
    scope: { transferring: true, channels: IN_PROCESS, runtimes: FAST_STRINGS.runtimes },
    title: 'message with a transfer list',
    why: 'A non-empty transfer list sends the whole message through the serializer, whatever the value is.',
    fix: 'Post the buffers in a separate message, and the rest without a transfer list.',
    source: GATE,
  },
  'jsc/cross-process': {
    when: { kind: ['string', 'object', 'array'] },
    scope: { channels: ['ipc-advanced', 'storage'] },
    title: 'message to another process, or into a file',
    why: 'Another process or a file has no memory of the program, so every value is serialized. What v8.serialize of Bun writes, Node and Deno cannot read.',
    fix: 'Use a Worker where the data is large; between processes send less of it.',
    fixIn: { storage: 'Write JSON text where the payload is JSON.' },
    remedies: ['compiled', 'json-text'],
    source:
      'SerializedScriptValue.cpp forCrossProcessTransfer (oven-sh/bun#21926), for storage; seen on Bun 1.2.20 to 1.4.5',
  },
  'jsc/too-early': {
    when: { kind: 'string' },
    scope: { runtimes: { bun: '<1.2.21' }, channels: IN_PROCESS },
    also: [
      { when: { kind: 'object' }, scope: { runtimes: { bun: '<1.2.22' }, channels: IN_PROCESS } },
      { when: { kind: 'array' }, scope: { runtimes: { bun: '<1.3.10' }, channels: IN_PROCESS } },
    ],
    title: 'no fast path in this version',
    why: 'Bun hands over strings without the serializer since 1.2.21, flat objects since 1.2.22, and arrays of primitives or flat objects since 1.3.10.',
    fix: 'Use Bun 1.2.21 or later for strings, 1.2.22 for flat objects, 1.3.10 for arrays.',
    remedies: ['json-text', 'unwrap-string', 'typed-array'],
    source:
      'oven-sh/bun#21926, #22279, #26814 and #26818; seen on Bun 1.2.20, 1.2.21, 1.2.22, 1.3.9 and 1.3.10',
  },
});

const slowKinds = ruleTable(AT_ROOT.note, {
  'jsc/bare-primitive': {
    when: { kind: ['undefined', 'null', 'boolean', 'number', 'bigint'] },
    also: [{ when: { kind: 'string', none: ['units-from-256'] }, scope: FAST_STRINGS }],
    title: 'bare primitive, or string below 256 code units',
    why: 'A number, boolean, null, undefined or BigInt as the message itself has no fast path, and a short string is copied; both are small, so the round trip costs more than cloning.',
    fix: 'Send several in one message.',
    source: 'oven-sh/bun#36591 (open); seen on Bun 1.2.20-1.4.5',
  },
  'jsc/exotic-root': {
    ...AT_ROOT.slow,
    when: { kind: ['map', 'set', 'date', 'regexp', 'error', 'boxed'] },
    scope: { channels: IN_PROCESS, runtimes: FAST_OBJECTS.runtimes },
    title: 'not a plain object or array',
    why: 'Map, Set, Date, RegExp, Error and boxed values have no fast path in any version.',
    fix: 'Send a flat object or an array of flat objects and rebuild on the receiver.',
    remedies: ['plain', 'json-text'],
    source: 'SerializedScriptValue.cpp isObjectFastPathCandidate; seen on Bun 1.2.20-1.4.5',
  },
  'jsc/binary-root': {
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing', 'wasm-memory'] },
    scope: { transferring: false },
    title: 'binary data, copied',
    why: 'Buffers and their views have no fast path in any version: the bytes go through the serializer.',
    fix: 'List the buffer in the transfer list when the sender no longer needs it, or use a SharedArrayBuffer.',
    remedies: ['transfer', 'share'],
    source: 'oven-sh/bun#26991 (closed, not merged); seen on Bun 1.2.20-1.4.5',
  },
});

/** Arrays whose storage does not decide the path: their elements show the path that other storage would have taken. */
const LOST_STORAGE: When[] = [
  { kind: 'array', any: ['undecided', 'array-storage', 'slow-put'] },
  { kind: 'array', none: ['int32-storage', 'double-storage', 'contiguous'] },
];

const NUMBER_BLOCK = {
  since: FAST_ARRAYS.runtimes,
  costs: 'bulk',
  why: 'The elements are sent as one block of memory, 8 bytes each.',
  source: ARRAY_BLOCK,
} as const;
const INT32_ARRAY = { ...NUMBER_BLOCK, path: 'int32-array', title: 'array of 32-bit integers' } as const;
const DOUBLE_ARRAY = { ...NUMBER_BLOCK, path: 'double-array', title: 'array of doubles' } as const;

const paths = [
  JSON_TEXT,
  {
    path: 'string-shared',
    since: FAST_STRINGS.runtimes,
    costs: 'shared',
    root: { kind: 'string', all: ['units-from-256'] },
    otherwise: 'string-copied',
    title: 'string, shared',
    why: 'Sender and receiver use the same characters in memory: nothing is copied, whatever the length.',
    source: 'BunString.cpp toCrossThreadShareable (oven-sh/bun#21926, #22006); seen on Bun 1.2.21-1.4.5',
  },
  {
    path: 'string-copied',
    since: FAST_STRINGS.runtimes,
    costs: 'bulk',
    root: { kind: 'string' },
    title: 'string, one copy',
    why: 'The characters are copied once, without the serializer.',
    source: 'BunString.cpp toCrossThreadShareable (oven-sh/bun#21926, #22006); seen on Bun 1.2.21-1.4.5',
  },
  { ...INT32_ARRAY, root: { kind: 'array', all: ['int32-storage'] } },
  { ...DOUBLE_ARRAY, root: { kind: 'array', all: ['double-storage'] } },
  {
    path: 'dense-array',
    since: FAST_ARRAYS.runtimes,
    costs: 'in-memory',
    root: { kind: 'array' },
    someElement: { kind: 'object' },
    title: 'array of flat objects',
    why: 'Flat objects, strings and other primitives directly inside the array are handed over in memory, without the serializer.',
    source: ARRAY_BLOCK,
  },
  {
    ...INT32_ARRAY,
    root: LOST_STORAGE,
    everyElement: { kind: 'number', all: ['int32'] },
  },
  {
    ...DOUBLE_ARRAY,
    root: LOST_STORAGE,
    everyElement: { kind: 'number', none: ['nan'] },
  },
  {
    path: 'simple-array',
    since: FAST_ARRAYS.runtimes,
    costs: 'in-memory',
    root: { kind: 'array' },
    title: 'array of primitives',
    why: 'Strings and other primitives are handed over in memory, without the serializer; strings from 256 code units are shared.',
    source: ARRAY_BLOCK,
  },
  {
    path: 'simple-object',
    since: FAST_OBJECTS.runtimes,
    costs: 'in-memory',
    root: { kind: 'object' },
    title: 'flat object',
    why: 'Keys and primitive values are handed over in memory, without the serializer; strings from 256 code units are shared.',
    source: OBJECT_TEST,
  },
  {
    ...TRANSFERRED,
    root: [
      { kind: 'arraybuffer' },
      { kind: ['typedarray', 'dataview'], none: ['shared-backing'] },
      { kind: 'platform', tag: ['MessagePort'] },
    ],
    source: 'SerializedScriptValue.cpp transferArrayBuffers; HTML StructuredSerializeWithTransfer',
  },
  {
    ...SHARED,
    scope: { channels: ['worker', 'message-port', 'broadcast'] },
    source: 'SerializedScriptValue.cpp dumpSharedArrayBuffer; seen on Bun 1.2.20-1.4.5',
  },
  {
    ...SHARED,
    scope: { channels: ['structured-clone'], runtimes: { bun: '>=1.4.0' } },
    why: 'The clone has the same memory; before Bun 1.4 it was a copy.',
    source: 'SerializedScriptValue.cpp dumpSharedArrayBuffer; seen on Bun 1.3.14 and 1.4.0',
  },
  {
    ...SERIALIZER,
    why: 'The whole value is written into a byte stream and read back on the receiver.',
    source: 'SerializedScriptValue.cpp CloneSerializer',
  },
] as const satisfies readonly PathRow[];

const ARRAY_STORAGE = {
  what: 'array-storage',
  at: 'root',
  scope: FAST_ARRAYS,
  source: 'runtime/JSArray.cpp, runtime/ArrayProfile.cpp; seen on Bun 1.3.10 and 1.4.5',
} as const;

const SHARE_OR_COPY = {
  what: 'share-or-copy',
  when: { kind: 'string', all: ['units-from-256', 'share-unknown'] },
  otherwise: { path: 'string-copied', class: 'bulk', rule: 'jsc/string-copied' },
  source: SHARE,
} as const;

/** Facts that only a clone can show. */
const unknowns = [
  { ...SHARE_OR_COPY, at: 'root', scope: FAST_STRINGS, on: ['string-shared'] },
  { ...SHARE_OR_COPY, at: CARRIED, scope: FAST_OBJECTS, on: CARRIERS },
  {
    what: 'delete-history',
    at: ['root', 'element'],
    when: { kind: 'object', all: ['history-unknown'], none: ['hidden-state'] },
    scope: FAST_OBJECTS,
    on: ['simple-object', 'dense-array'],
    otherwise: { path: 'serializer', class: 'serialized', rule: 'jsc/hidden-state' },
    source: 'SerializedScriptValue.cpp isObjectFastPathCandidate, structure flags; seen on Bun 1.2.22-1.4.5',
  },
  {
    ...ARRAY_STORAGE,
    when: { kind: 'array', all: ['storage-unknown'] },
    on: ARRAY_PATHS,
    otherwise: { path: 'serializer', class: 'serialized', rule: 'jsc/array-storage' },
  },
  {
    ...ARRAY_STORAGE,
    // An array that once held an element has storage, and takes a fast path.
    when: { kind: 'array', all: ['storage-unknown', 'empty'], none: UNCHANGEABLE },
    on: ['serializer'],
    otherwise: { path: 'simple-array', class: 'in-memory', rule: null },
  },
  {
    ...GETTER_RESULT,
    on: ['serializer'],
    source:
      'SerializedScriptValue.cpp CloneSerializer::getProperty; HTML StructuredSerializeInternal, [[Get]]',
  },
] as const satisfies readonly UnknownRow[];

/** JavaScriptCore as Bun builds it, with Bun's own fast paths. */
export const jsc: Engine = {
  name: 'jsc',
  paths,
  rules: [...serialized, ...slowKinds, ...values, ...object, ...array, ...strings, ...serializer],
  unknowns,
  shares,
};
