import type { Rule } from '../../model/rules/rule.ts';
import { ANYWHERE, SPARSE_LENGTH } from '../standard/common.ts';

const WRITE_ARRAY = 'V8 src/objects/value-serializer.cc WriteJSArray; tags seen on Node 20-26 and Deno 2.9';
/** A longer array is made as a hash table. */
const MAX_FAST_LENGTH = 33_554_432;
const SLOW_ARRAY = {
  ...ANYWHERE.slow,
  blocks: ['packed-array'],
  costs: 'degraded',
  source: WRITE_ARRAY,
} as const satisfies Partial<Rule>;

export const arrays = [
  {
    ...SLOW_ARRAY,
    id: 'v8/holey-array',
    when: {
      kind: 'array',
      any: ['holey-kind', 'holes'],
      none: ['empty', 'dictionary-elements', 'not-fast-elements', 'frozen', 'sealed', 'non-extensible'],
    },
    title: 'holey array',
    why: 'V8 marks it as an array that may have holes, even after they were filled, and writes it as pairs of key and value. new Array(n), a gap, delete and often flat, Object.values or Object.entries make one, and so does every clone and every received message.',
    fix: 'Copy it with map(x => x) or Array.from(a, x => x) before sending; slice and [...a] keep it holey.',
    remedies: ['repack', 'typed-array', 'json-text'],
  },
  {
    ...ANYWHERE.note,
    id: 'v8/holey-empty-array',
    when: { kind: 'array', all: ['holey-kind', 'empty'], none: ['not-fast-elements', 'frozen'] },
    blocks: ['packed-array'],
    title: 'empty array marked as holey',
    why: 'It is written as pairs of key and value; being empty, it costs almost nothing.',
    source: WRITE_ARRAY,
  },
  {
    ...SLOW_ARRAY,
    id: 'v8/frozen-array',
    when: {
      kind: 'array',
      any: ['frozen', 'sealed', 'non-extensible', 'not-fast-elements'],
      none: ['dictionary-elements'],
    },
    title: 'frozen, sealed or non-extensible array',
    why: 'V8 stores such arrays in a way that its serializer writes as pairs of key and value.',
    fix: 'Send a copy: array.slice(). The receiver gets an unfrozen array anyway.',
    remedies: ['repack'],
  },
  {
    ...SLOW_ARRAY,
    id: 'v8/dictionary-elements',
    when: { kind: 'array', all: ['dictionary-elements'] },
    title: 'array stored as a dictionary',
    why: 'A huge gap, or an index defined with a getter or as read-only, turns the array into a hash table that is written as pairs of key and value.',
    fix: 'Build it without gaps, or send pairs of index and value.',
    remedies: ['repack', 'plain'],
  },
  {
    ...SPARSE_LENGTH,
    id: 'v8/sparse-length',
    when: { ...SPARSE_LENGTH.when, sizeTo: MAX_FAST_LENGTH },
    why: 'The receiver allocates room for every index below the length before it reads the few elements, so the cost follows the length. Only above 33,554,432 does it use a hash table.',
    source:
      'V8 src/objects/value-serializer.cc ReadSparseJSArray, js-array.h kMaxFastArrayLength; two elements 5,000,000 apart take 24 bytes, and 44 ms to receive on Node 20.20, 29 on 24.21, 22 on 26.10, 25 on Deno 2.9.6',
  },
  {
    ...ANYWHERE.note,
    id: 'v8/array-named-props',
    when: { kind: 'array', all: ['named-props'] },
    title: 'array with named properties',
    why: 'The named properties are looked up and sent after the elements; many other ways of sending (JSON, typed arrays) lose them.',
    fix: 'Send an object with the array and the properties.',
    source: WRITE_ARRAY,
  },
  {
    ...ANYWHERE.note,
    id: 'v8/boxed-doubles',
    when: { kind: 'array', all: ['packed-double'], sizeFrom: 1000 },
    title: 'array of doubles',
    why: 'The receiver gets each double as a separate object on the heap, and an array marked holey, which is slow to send again.',
    fix: 'Use a Float64Array.',
    remedies: ['typed-array'],
    source: 'V8 src/objects/value-serializer.cc ReadDenseJSArray; seen on Node 20-26',
  },
  {
    ...ANYWHERE.note,
    id: 'v8/smi31',
    when: { kind: 'number', all: ['beyond-smi31', 'int32'] },
    scope: { runtimes: { chromium: '*' } },
    title: 'integer beyond 31 bits',
    why: 'Chromium keeps integers of 2^30 and more as doubles, so one of them turns an array of integers into one of doubles.',
    fix: 'Use an Int32Array or Uint32Array.',
    remedies: ['typed-array'],
    source: 'V8 pointer compression, 31-bit Smis; seen on Chromium 156',
  },
] as const satisfies readonly Rule[];
