import type { PathRow, When } from '../../model/rules/rule.ts';
import { JSON_TEXT, SHARED, TRANSFERRED } from '../standard/common.ts';
import { ARRAY_BLOCK, OBJECT_TEST } from './fast-paths.ts';

/** Storage that does not decide the path: the elements show which one the array would have taken. */
const LOST_STORAGE: When[] = [
  { kind: 'array', any: ['undecided', 'array-storage', 'slow-put'] },
  { kind: 'array', none: ['int32-storage', 'double-storage', 'contiguous'] },
];

const NUMBER_BLOCK = {
  costs: 'bulk',
  why: 'The elements are sent as one block of memory, 8 bytes each.',
  source: ARRAY_BLOCK,
} as const;
const INT32_ARRAY = { ...NUMBER_BLOCK, path: 'int32-array', title: 'array of 32-bit integers' } as const;
const DOUBLE_ARRAY = { ...NUMBER_BLOCK, path: 'double-array', title: 'array of doubles' } as const;

export const paths = [
  JSON_TEXT,
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
  { ...INT32_ARRAY, root: { kind: 'array', all: ['int32-storage'] } },
  { ...DOUBLE_ARRAY, root: { kind: 'array', all: ['double-storage'] } },
  {
    path: 'dense-array',
    costs: 'in-memory',
    root: { kind: 'array' },
    having: { at: 'element', when: { kind: 'object' } },
    title: 'array of flat objects',
    why: 'Flat objects, strings and other primitives directly inside the array are handed over in memory, without the serializer.',
    source: ARRAY_BLOCK,
  },
  {
    ...INT32_ARRAY,
    root: LOST_STORAGE,
    every: { at: 'element', when: { kind: 'number', all: ['int32'] } },
  },
  {
    ...DOUBLE_ARRAY,
    root: LOST_STORAGE,
    every: { at: 'element', when: { kind: 'number', none: ['nan'] } },
  },
  {
    path: 'simple-array',
    costs: 'in-memory',
    root: { kind: 'array' },
    title: 'array of primitives',
    why: 'Strings and other primitives are handed over in memory, without the serializer; strings from 256 code units are shared.',
    source: ARRAY_BLOCK,
  },
  {
    path: 'simple-object',
    costs: 'in-memory',
    root: { kind: 'object' },
    title: 'flat object',
    why: 'Keys and primitive values are handed over in memory, without the serializer; strings from 256 code units are shared.',
    source: OBJECT_TEST,
  },
  {
    ...TRANSFERRED,
    path: 'serializer',
    root: [
      { kind: 'arraybuffer' },
      { kind: ['typedarray', 'dataview'], none: ['shared-backing'] },
      { kind: 'platform', tag: ['MessagePort'] },
    ],
    source: 'SerializedScriptValue.cpp transferArrayBuffers; HTML StructuredSerializeWithTransfer',
  },
  {
    ...SHARED,
    path: 'serializer',
    scope: { channels: ['worker', 'message-port', 'broadcast'] },
    source: 'SerializedScriptValue.cpp dumpSharedArrayBuffer; seen on Bun 1.2.20-1.4.5',
  },
  {
    ...SHARED,
    path: 'serializer',
    scope: { channels: ['structured-clone'], runtimes: { bun: '>=1.4.0' } },
    why: 'The clone has the same memory; before Bun 1.4 it was a copy.',
    source: 'SerializedScriptValue.cpp dumpSharedArrayBuffer; seen on Bun 1.3.14 and 1.4.0',
  },
  {
    path: 'serializer',
    costs: 'serialized',
    root: {},
    title: 'serializer',
    why: 'The whole value is written into a byte stream and read back on the receiver.',
    source: 'SerializedScriptValue.cpp CloneSerializer',
  },
] as const satisfies readonly PathRow[];
