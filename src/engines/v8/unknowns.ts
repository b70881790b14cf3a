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
    title: 'whether V8 marks the array as holey',
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
    title: 'whether V8 marks the array as holey',
    source: 'V8 src/objects/elements-kind.h',
  },
  {
    what: 'string-width',
    at: 'root',
    when: { kind: 'string', none: ['one-byte', 'two-byte'] },
    on: ['one-byte-string'],
    otherwise: { path: 'two-byte-string', class: 'bulk', rule: null },
    title: 'whether the string is stored as UTF-16',
    source: 'V8 src/objects/string.h',
  },
] as const satisfies readonly UnknownRow[];
