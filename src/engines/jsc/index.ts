import type { Engine, UnknownRow, When } from '../../model/rules/rule.ts';
import { GETTER_RESULT } from '../standard/common.ts';
import { context } from './context.ts';
import { ARRAY_PATHS, FAST_ARRAYS, FAST_OBJECTS, FAST_STRINGS } from './fast-paths.ts';
import { array, object, values } from './object.ts';
import { paths } from './paths.ts';
import { serializer, storage } from './serializer.ts';
import { CARRIED, CARRIERS, SHARE, shares, strings } from './strings.ts';

const DELETE_HISTORY = {
  what: 'delete-history',
  otherwise: { path: 'serializer', class: 'serialized', rule: 'jsc/hidden-state' },
  source: 'SerializedScriptValue.cpp isObjectFastPathCandidate, structure flags; seen on Bun 1.2.22-1.4.5',
} as const;

/** An object that only its nested values keep off the fast path: any other reason is answered by a copy, which has no history. */
const HOLDS_NESTED: When = {
  kind: 'object',
  all: ['history-unknown'],
  none: [
    'hidden-state',
    'accessor',
    'non-enumerable',
    'non-configurable',
    'symbol-key',
    'indexed-key',
    'indexed-storage',
    'uncacheable-dictionary',
    'poly-proto',
    'frozen',
    'sealed',
    'repeated',
    'cycle',
  ],
};

const ARRAY_STORAGE = {
  what: 'array-storage',
  at: 'root',
  scope: FAST_ARRAYS,
  source: 'runtime/JSArray.cpp, runtime/ArrayProfile.cpp; seen on Bun 1.3.10 and 1.4.5',
} as const;

/** What can only be observed by cloning. */
const unknowns = [
  {
    what: 'share-or-copy',
    at: 'root',
    when: { kind: 'string', all: ['units-from-256', 'share-unknown'] },
    scope: FAST_STRINGS,
    on: ['string-shared'],
    otherwise: { path: 'string-copied', class: 'bulk', rule: 'jsc/string-substring' },
    source: SHARE,
  },
  {
    what: 'share-or-copy',
    at: CARRIED,
    when: { kind: 'string', all: ['units-from-256', 'share-unknown'] },
    scope: FAST_OBJECTS,
    on: CARRIERS,
    otherwise: { path: 'string-copied', class: 'bulk', rule: 'jsc/string-value-copied' },
    source: SHARE,
  },
  {
    ...DELETE_HISTORY,
    at: ['root', 'element'],
    when: { kind: 'object', all: ['history-unknown'], none: ['hidden-state'] },
    scope: FAST_OBJECTS,
    on: ['simple-object', 'dense-array'],
  },
  { ...DELETE_HISTORY, at: 'root', when: HOLDS_NESTED, scope: FAST_OBJECTS, on: ['serializer'] },
  { ...DELETE_HISTORY, at: 'element', when: HOLDS_NESTED, scope: FAST_ARRAYS, on: ['serializer'] },
  {
    ...ARRAY_STORAGE,
    when: { kind: 'array', all: ['storage-unknown'] },
    on: ARRAY_PATHS,
    otherwise: { path: 'serializer', class: 'serialized', rule: 'jsc/array-storage' },
  },
  {
    ...ARRAY_STORAGE,
    // Once it held an element it has storage, and is fast.
    when: { kind: 'array', all: ['storage-unknown', 'empty'], none: ['frozen', 'sealed', 'non-extensible'] },
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
  rules: [...context, ...values, ...object, ...array, ...strings, ...serializer, ...storage],
  unknowns,
  shares,
};
