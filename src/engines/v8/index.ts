import type { Engine, UnknownRow } from '../../model/rules/rule.ts';
import type { Flag } from '../../model/vocabulary/shape.ts';
import { GETTER_RESULT } from '../standard/common.ts';
import { deno } from './hosts/deno.ts';
import { electron, electronBridge } from './hosts/electron-bridge.ts';
import { extension } from './hosts/extension.ts';
import { ipc } from './hosts/ipc.ts';
import { storage } from './hosts/storage.ts';
import { workerd } from './hosts/workerd.ts';
import { arrays, buffers, objects, strings } from './objects.ts';
import { paths, shares } from './paths.ts';
import { platform } from './platform.ts';

/** Flags that show, or make irrelevant, whether V8 marks the array as holey. */
const SETTLED: readonly Flag[] = [
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
];
const ELEMENTS_KIND = {
  what: 'elements-kind',
  otherwise: { path: 'holey-array', class: 'degraded', rule: 'v8/holey-array' },
  source: 'V8 src/objects/elements-kind.h',
} as const;

const STRING_WIDTH = {
  what: 'string-width',
  otherwise: { path: 'two-byte-string', class: 'bulk', rule: 'v8/ascii-in-two-byte' },
  source: 'V8 src/objects/string.h',
} as const;

/** What only V8 itself can answer, where it was not asked. */
const unknowns = [
  {
    ...ELEMENTS_KIND,
    at: 'root',
    when: { kind: 'array', none: SETTLED },
    on: ['packed-array'],
  },
  {
    ...ELEMENTS_KIND,
    at: 'nested',
    when: { kind: 'array', none: [...SETTLED, 'empty'] },
    on: ['packed-array', 'fast-object', 'serializer'],
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
    ...GETTER_RESULT,
    on: ['packed-array', 'holey-array', 'fast-object', 'dictionary-object', 'serializer'],
    source: 'V8 src/objects/value-serializer.cc WriteJSObjectSlow; HTML StructuredSerializeInternal, [[Get]]',
  },
  {
    ...STRING_WIDTH,
    at: 'root',
    when: { kind: 'string', none: ['one-byte', 'two-byte'] },
    on: ['one-byte-string'],
  },
  {
    ...STRING_WIDTH,
    at: 'nested',
    when: [
      { kind: 'string', none: ['one-byte', 'two-byte'], sizeFrom: 64 },
      { kind: 'string', none: ['one-byte', 'two-byte'], countFrom: 1000 },
    ],
    on: ['packed-array', 'holey-array', 'fast-object', 'dictionary-object', 'serializer'],
  },
] as const satisfies readonly UnknownRow[];

/** V8 as Node, Deno, workerd, Electron and Chromium use it. */
export const v8: Engine = {
  name: 'v8',
  paths,
  rules: [
    ...[...strings, ...arrays, ...objects, ...buffers, ...platform],
    ...[...deno, ...workerd, ...ipc, ...storage, ...electron, ...electronBridge, ...extension],
  ],
  unknowns,
  shares,
};
