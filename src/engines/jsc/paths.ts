import type { PathRow, When } from '../../model/rule.ts';

const FAST_STRINGS = { bun: '>=1.2.21' } as const;

/** Storage that decides nothing by itself: what the elements are says which path the array would have had. */
const LOST_STORAGE: When[] = [
  { kind: 'array', any: ['undecided', 'array-storage', 'slow-put'] },
  { kind: 'array', none: ['int32-storage', 'double-storage', 'contiguous'] },
];

const SHARED: When[] = [
  { kind: 'sharedarraybuffer' },
  { kind: ['typedarray', 'dataview'], all: ['shared-backing'] },
];

const ARRAYS = 'SerializedScriptValue.cpp, array block (oven-sh/bun#26814, #26818); seen on Bun 1.3.10-1.4.5';

export const paths = [
  {
    path: 'string-shared',
    costs: 'shared',
    root: { kind: 'string', all: ['units-from-256'] },
    otherwise: 'string-copied',
    title: 'string, shared',
    why: 'Sender and receiver use the same characters in memory: nothing is copied, whatever the length.',
    source: 'BunString.cpp toCrossThreadShareable (oven-sh/bun#21926, #22006); seen on Bun 1.2.21-1.4.5',
  },
  {
    path: 'string-copied',
    costs: 'bulk',
    root: { kind: 'string' },
    title: 'string, one copy',
    why: 'The characters are copied once, without the serializer.',
    source: 'BunString.cpp toCrossThreadShareable (oven-sh/bun#21926, #22006); seen on Bun 1.2.21-1.4.5',
  },
  {
    path: 'int32-array',
    costs: 'bulk',
    root: { kind: 'array', all: ['int32-storage'] },
    title: 'array of 32-bit integers',
    why: 'The elements travel as one block of memory, 8 bytes each.',
    source: ARRAYS,
  },
  {
    path: 'double-array',
    costs: 'bulk',
    root: { kind: 'array', all: ['double-storage'] },
    title: 'array of doubles',
    why: 'The elements travel as one block of memory, 8 bytes each.',
    source: ARRAYS,
  },
  {
    path: 'dense-array',
    costs: 'in-memory',
    root: { kind: 'array' },
    having: { at: 'element', when: { kind: 'object' } },
    title: 'array of flat objects',
    why: 'Flat objects, strings and other primitives directly inside the array are handed over in memory, without the serializer.',
    source: ARRAYS,
  },
  {
    path: 'int32-array',
    costs: 'bulk',
    root: LOST_STORAGE,
    every: { at: 'element', when: { kind: 'number', all: ['int32'] } },
    title: 'array of 32-bit integers',
    why: 'The elements travel as one block of memory, 8 bytes each.',
    source: ARRAYS,
  },
  {
    path: 'double-array',
    costs: 'bulk',
    root: LOST_STORAGE,
    every: { at: 'element', when: { kind: 'number', none: ['nan'] } },
    title: 'array of doubles',
    why: 'The elements travel as one block of memory, 8 bytes each.',
    source: ARRAYS,
  },
  {
    path: 'simple-array',
    costs: 'in-memory',
    root: { kind: 'array' },
    title: 'array of primitives',
    why: 'Strings and other primitives are handed over in memory, without the serializer; strings from 256 code units are shared.',
    source: ARRAYS,
  },
  {
    path: 'simple-object',
    costs: 'in-memory',
    root: { kind: 'object' },
    title: 'flat object',
    why: 'Keys and primitive values are handed over in memory, without the serializer; strings from 256 code units are shared.',
    source:
      'SerializedScriptValue.cpp isObjectFastPathCandidate (oven-sh/bun#22279); seen on Bun 1.2.22-1.4.5',
  },
  {
    path: 'serializer',
    costs: 'moved',
    root: [
      { kind: 'arraybuffer' },
      { kind: ['typedarray', 'dataview'], none: ['shared-backing'] },
      { kind: 'platform', tag: ['MessagePort'] },
    ],
    scope: { transferring: true },
    title: 'transferred buffer',
    why: 'The memory of a listed buffer changes its owner; nothing is copied and the sender loses it.',
    source: 'SerializedScriptValue.cpp transferArrayBuffers; HTML StructuredSerializeWithTransfer',
  },
  {
    path: 'serializer',
    costs: 'shared',
    root: SHARED,
    scope: { channels: ['worker', 'message-port', 'broadcast'] },
    title: 'shared memory',
    why: 'Both sides get the same memory; only a reference travels.',
    source: 'SerializedScriptValue.cpp dumpSharedArrayBuffer; seen on Bun 1.2.20-1.4.5',
  },
  {
    path: 'serializer',
    costs: 'shared',
    root: SHARED,
    scope: { channels: ['structured-clone'], runtimes: { bun: '>=1.4.0' } },
    title: 'shared memory',
    why: 'The clone has the same memory; before Bun 1.4 it was a copy.',
    source: 'SerializedScriptValue.cpp dumpSharedArrayBuffer; seen on Bun 1.3.14 and 1.4.0',
  },
  {
    path: 'serializer',
    costs: 'serialized',
    root: {},
    title: 'serializer',
    why: 'The whole value is written into a byte stream and read back on the other side.',
    source: 'SerializedScriptValue.cpp CloneSerializer',
  },
] as const satisfies readonly PathRow[];

/** Versions from which a kind of root has a fast path at all. */
export const SINCE = {
  strings: FAST_STRINGS,
  objects: { bun: '>=1.2.22' },
  arrays: { bun: '>=1.3.10' },
} as const;
