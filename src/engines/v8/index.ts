import { bridgePaths } from '../../channels/electron/rules/v8.ts';
import type { Engine, When } from '../../model/rules/rule.ts';
import type { Flag } from '../../model/vocabulary/shape.ts';
import { GETS, OVER, ROW, UNCHANGEABLE } from '../standard/row-parts.ts';
import { rules, V8_SERIALIZER, WRITE_ARRAY, WRITE_STRING, WRITTEN_WITH_PARTS } from './rules.ts';

const SCALARS: When = { kind: ['undefined', 'null', 'boolean', 'number', 'bigint'] };

const LATIN1_STRING = {
  path: 'one-byte-string',
  costs: 'bulk',
  root: { kind: 'string' },
  title: 'Latin-1 string',
  why: 'The string is copied into the message and out of it again, one byte per character.',
  source: WRITE_STRING,
} as const;

/** Flags that show, or make irrelevant, whether V8 marks the array as holey. */
const SETTLED: readonly Flag[] = [
  'packed-smi',
  'packed-double',
  'packed-elements',
  'holey-kind',
  'dictionary-elements',
  'not-fast-elements',
  'holes',
  ...UNCHANGEABLE,
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

export const v8: Engine = {
  name: 'v8',
  paths: [
    ROW.jsonText,
    {
      path: 'identity',
      costs: 'shared',
      root: [SCALARS, { kind: 'string' }],
      scope: { runtimes: { deno: '>=2.8.0' }, channels: ['structured-clone'], transferring: false },
      title: 'primitive, returned unchanged',
      why: "Deno's structuredClone returns a primitive without cloning it, including strings of any length.",
      source: 'denoland/deno#33728, ext/web/13_message_port.js; seen on Deno 2.9.6',
    },
    ...bridgePaths,
    {
      path: 'scalar-codec',
      costs: 'in-memory',
      root: [
        { kind: ['undefined', 'null', 'boolean', 'number'] },
        { kind: 'string', none: ['units-over-128'] },
      ],
      scope: { runtimes: { deno: '>=2.9.1' }, channels: OVER.posted, transferring: false },
      title: 'small primitive, own codec',
      why: 'Deno writes a number, boolean, null, undefined or string of up to 128 code units, posted as the message itself, without the V8 serializer.',
      source: 'denoland/deno#35110, ext/web/13_message_port.js serializeMessageData; read in Deno 2.9.5',
    },
    {
      ...LATIN1_STRING,
      root: { kind: 'string', all: ['ascii-in-two-byte'] },
      otherwise: 'two-byte-string',
    },
    {
      path: 'two-byte-string',
      costs: 'bulk',
      root: { kind: 'string', all: ['two-byte'] },
      title: 'UTF-16 string',
      why: 'The string is copied into the message and out of it again, two bytes per code unit.',
      source: WRITE_STRING,
    },
    LATIN1_STRING,
    {
      path: 'packed-array',
      costs: 'serialized',
      root: { kind: 'array' },
      otherwise: 'holey-array',
      title: 'packed array',
      why: 'The elements are written one after the other in a tight loop.',
      source: WRITE_ARRAY,
    },
    {
      path: 'holey-array',
      costs: 'degraded',
      root: { kind: 'array' },
      title: 'array written as key-value pairs',
      why: 'Every index becomes a key that is looked up and written with its value, about six times the work of a packed array and twice the bytes.',
      source: WRITE_ARRAY,
    },
    {
      path: 'fast-object',
      costs: 'serialized',
      root: { kind: 'object' },
      otherwise: 'dictionary-object',
      title: 'object with a hidden class',
      why: 'The properties are read by the hidden class, without looking each one up.',
      source: `${V8_SERIALIZER} WriteJSObject`,
    },
    {
      path: 'dictionary-object',
      costs: 'degraded',
      root: { kind: 'object' },
      title: 'object whose keys are looked up',
      why: 'The keys are collected first and each one is looked up again for its value.',
      source: `${V8_SERIALIZER} WriteJSObject, WriteJSObjectSlow`,
    },
    {
      ...ROW.shared,
      path: 'buffer',
      scope: { channels: OVER.sharing },
      source: `${V8_SERIALIZER} WriteJSArrayBuffer; HTML StructuredSerializeInternal`,
    },
    {
      ...ROW.transferred,
      path: 'buffer',
      root: { kind: ['arraybuffer', 'typedarray', 'dataview'] },
      source: `${V8_SERIALIZER} TransferArrayBuffer; HTML StructuredSerializeWithTransfer`,
    },
    {
      path: 'buffer',
      costs: 'bulk',
      root: { kind: ['arraybuffer', 'sharedarraybuffer', 'typedarray', 'dataview'] },
      title: 'bytes',
      why: 'The whole buffer is copied into the message and out of it again.',
      source: `${V8_SERIALIZER} WriteJSArrayBuffer`,
    },
    {
      path: 'scalar',
      costs: 'in-memory',
      root: SCALARS,
      title: 'primitive',
      why: 'A few bytes; the round trip costs more than cloning.',
      source: `${V8_SERIALIZER} WriteObject`,
    },
    {
      ...ROW.transferredObject,
      source: 'HTML StructuredSerializeWithTransfer',
    },
    {
      ...ROW.serializer,
      why: 'The value is written into a byte stream, part by part, and read back on the receiver.',
      source: `${V8_SERIALIZER} WriteJSReceiver`,
    },
  ],
  rules,
  // Facts that only V8 itself knows. They stay unknown if V8 was not queried.
  unknowns: [
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
    { ...ROW.getterResult, on: WRITTEN_WITH_PARTS, source: `${V8_SERIALIZER} WriteJSObjectSlow; ${GETS}` },
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
      on: WRITTEN_WITH_PARTS,
    },
  ],
  shares: [
    {
      at: 'root',
      when: { kind: 'string' },
      on: ['identity'],
      source: 'denoland/deno#33728, ext/web/13_message_port.js',
    },
    { ...ROW.memory, scope: { channels: OVER.sharing } },
    ROW.platformShared,
  ],
};
