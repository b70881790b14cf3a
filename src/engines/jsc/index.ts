import type { Engine, When } from '../../model/rules/rule.ts';
import { GETS, JSC_SERIALIZER, ROW, UNCHANGEABLE } from '../standard/row-parts.ts';
import { ARRAY_BLOCK, ARRAY_PATHS, CARRIED, CARRIERS, FAST, OBJECT_TEST, rules, SHARE } from './rules.ts';

const OWN_STRING = { kind: 'string', all: ['units-from-256'], none: ['atom', 'substring'] } as const;

/** Arrays whose storage does not decide the path: their elements show the path that other storage would have taken. */
const LOST_STORAGE: When[] = [
  { kind: 'array', any: ['undecided', 'array-storage', 'slow-put'] },
  { kind: 'array', none: ['int32-storage', 'double-storage', 'contiguous'] },
];

const FAST_ARRAY = { since: FAST.arrays.runtimes, source: ARRAY_BLOCK } as const;
const CELLS = { ...FAST_ARRAY, costs: 'in-memory', root: { kind: 'array' } } as const;
const NUMBER_BLOCK = {
  ...FAST_ARRAY,
  costs: 'bulk',
  why: 'The elements are sent as one block of memory, 8 bytes each.',
} as const;
const INT32_ARRAY = { ...NUMBER_BLOCK, path: 'int32-array', title: 'array of 32-bit integers' } as const;
const DOUBLE_ARRAY = { ...NUMBER_BLOCK, path: 'double-array', title: 'array of doubles' } as const;

const ARRAY_STORAGE = {
  what: 'array-storage',
  at: 'root',
  scope: FAST.arrays,
  source: 'runtime/JSArray.cpp, runtime/ArrayProfile.cpp; seen on Bun 1.3.10 and 1.4.5',
} as const;

const SHARE_OR_COPY = {
  what: 'share-or-copy',
  when: { kind: 'string', all: ['units-from-256', 'share-unknown'] },
  otherwise: { path: 'string-copied', class: 'bulk', rule: 'jsc/string-copied' },
  source: SHARE,
} as const;

/** JavaScriptCore as Bun builds it, with Bun's own fast paths. */
export const jsc: Engine = {
  name: 'jsc',
  paths: [
    ROW.jsonText,
    {
      path: 'string-shared',
      since: FAST.strings.runtimes,
      costs: 'shared',
      root: { kind: 'string', all: ['units-from-256'] },
      otherwise: 'string-copied',
      title: 'string, shared',
      why: 'Sender and receiver use the same characters in memory: nothing is copied, whatever the length.',
      source: 'BunString.cpp toCrossThreadShareable (oven-sh/bun#21926, #22006); seen on Bun 1.2.21-1.4.5',
    },
    {
      path: 'string-copied',
      since: FAST.strings.runtimes,
      costs: 'bulk',
      root: { kind: 'string' },
      title: 'string, one copy',
      why: 'The characters are copied once, without the serializer.',
      source: 'BunString.cpp toCrossThreadShareable (oven-sh/bun#21926, #22006); seen on Bun 1.2.21-1.4.5',
    },
    { ...INT32_ARRAY, root: { kind: 'array', all: ['int32-storage'] } },
    { ...DOUBLE_ARRAY, root: { kind: 'array', all: ['double-storage'] } },
    {
      ...CELLS,
      path: 'dense-array',
      someElement: { kind: 'object' },
      title: 'array of flat objects',
      why: 'Flat objects, strings and other primitives directly inside the array are handed over in memory, without the serializer.',
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
      ...CELLS,
      path: 'simple-array',
      title: 'array of primitives',
      why: 'Strings and other primitives are handed over in memory, without the serializer; strings from 256 code units are shared.',
    },
    {
      path: 'simple-object',
      since: FAST.objects.runtimes,
      costs: 'in-memory',
      root: { kind: 'object' },
      title: 'flat object',
      why: 'Keys and primitive values are handed over in memory, without the serializer; strings from 256 code units are shared.',
      source: OBJECT_TEST,
    },
    {
      ...ROW.transferred,
      root: [
        { kind: 'arraybuffer' },
        { kind: ['typedarray', 'dataview'], none: ['shared-backing'] },
        { kind: 'platform', tag: ['MessagePort'] },
      ],
      source: `${JSC_SERIALIZER} transferArrayBuffers; HTML StructuredSerializeWithTransfer`,
    },
    {
      ...ROW.shared,
      scope: { channels: ['worker', 'message-port', 'broadcast'] },
      source: `${JSC_SERIALIZER} dumpSharedArrayBuffer; seen on Bun 1.2.20-1.4.5`,
    },
    {
      ...ROW.shared,
      scope: { channels: ['structured-clone'], runtimes: { bun: '>=1.4.0' } },
      why: 'The clone has the same memory; before Bun 1.4 it was a copy.',
      source: `${JSC_SERIALIZER} dumpSharedArrayBuffer; seen on Bun 1.3.14 and 1.4.0`,
    },
    {
      ...ROW.serializer,
      why: 'The whole value is written into a byte stream and read back on the receiver.',
      source: `${JSC_SERIALIZER} CloneSerializer`,
    },
  ],
  rules,
  // Facts that only a clone can show.
  unknowns: [
    { ...SHARE_OR_COPY, at: 'root', scope: FAST.strings, on: ['string-shared'] },
    { ...SHARE_OR_COPY, at: CARRIED, scope: FAST.objects, on: CARRIERS },
    {
      what: 'delete-history',
      at: ['root', 'element'],
      when: { kind: 'object', all: ['history-unknown'], none: ['hidden-state'] },
      scope: FAST.objects,
      on: ['simple-object', 'dense-array'],
      otherwise: { path: 'serializer', class: 'serialized', rule: 'jsc/hidden-state' },
      source: `${JSC_SERIALIZER} isObjectFastPathCandidate, structure flags; seen on Bun 1.2.22-1.4.5`,
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
    { ...ROW.getterResult, source: `${JSC_SERIALIZER} CloneSerializer::getProperty; ${GETS}` },
  ],
  shares: [
    { at: 'root', when: OWN_STRING, scope: FAST.strings, on: ['string-shared'], source: SHARE },
    { at: CARRIED, when: OWN_STRING, scope: FAST.objects, on: CARRIERS, source: SHARE },
    { ...ROW.memory, scope: { channels: ['worker', 'message-port', 'broadcast'] } },
    { ...ROW.memory, scope: { channels: ['structured-clone'], runtimes: { bun: '>=1.4.0' } } },
  ],
};
