import type { UnknownRow } from '../../model/rule.ts';

/** What only V8 itself can say, and nobody asked it. */
export const unknowns = [
  {
    what: 'elements-kind',
    at: 'root',
    when: {
      kind: 'array',
      none: [
        'packed-smi',
        'packed-double',
        'packed-elements',
        'holey-kind',
        'dictionary-elements',
        'not-fast-elements',
        'holes',
        'frozen',
        'sealed',
        'non-extensible',
      ],
    },
    on: ['packed-array'],
    otherwise: { path: 'holey-array', class: 'degraded', rule: 'v8/holey-array' },
    source: 'V8 src/objects/elements-kind.h',
  },
  {
    what: 'elements-kind',
    at: 'nested',
    when: {
      kind: 'array',
      none: [
        'packed-smi',
        'packed-double',
        'packed-elements',
        'holey-kind',
        'dictionary-elements',
        'not-fast-elements',
        'holes',
        'frozen',
        'sealed',
        'non-extensible',
        'empty',
      ],
    },
    on: ['packed-array', 'fast-object', 'serializer'],
    otherwise: { path: 'holey-array', class: 'degraded', rule: 'v8/holey-array' },
    source: 'V8 src/objects/elements-kind.h',
  },
  {
    what: 'property-storage',
    at: 'any',
    when: { kind: 'object', all: ['dictionary-unknown'] },
    on: ['packed-array', 'holey-array', 'fast-object', 'serializer'],
    otherwise: { path: 'dictionary-object', class: 'degraded', rule: 'v8/dictionary-object' },
    source: 'V8 src/objects/js-objects.cc NormalizeProperties',
  },
  {
    what: 'getter-result',
    at: 'any',
    when: [
      { kind: 'object', all: ['enumerable-accessor'] },
      { kind: 'array', all: ['accessor'] },
    ],
    on: ['packed-array', 'holey-array', 'fast-object', 'dictionary-object', 'serializer'],
    otherwise: { path: 'rejected', class: 'rejected', rule: null },
    source: 'V8 src/objects/value-serializer.cc WriteJSObjectSlow; HTML StructuredSerializeInternal, [[Get]]',
  },
  {
    what: 'string-width',
    at: 'root',
    when: { kind: 'string', none: ['one-byte', 'two-byte'] },
    on: ['one-byte-string'],
    otherwise: { path: 'two-byte-string', class: 'bulk', rule: null },
    source: 'V8 src/objects/string.h',
  },
] as const satisfies readonly UnknownRow[];
