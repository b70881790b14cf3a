import { z } from 'zod';
import { engineSchema } from './words.ts';

const KINDS = [
  'undefined',
  'null',
  'boolean',
  'number',
  'bigint',
  'string',
  'symbol',
  'function',
  'proxy',
  'promise',
  'weakmap',
  'weakset',
  'weakref',
  'generator',
  'iterator',
  'module-namespace',
  'not-cloneable',
  'object',
  'arguments',
  'array',
  'date',
  'regexp',
  'map',
  'set',
  'error',
  'boxed',
  'arraybuffer',
  'sharedarraybuffer',
  'typedarray',
  'dataview',
  'platform',
] as const;

const STRING_FLAGS = [
  'one-byte',
  'two-byte',
  'ascii-in-two-byte',
  'rope',
  'substring',
  'atom',
  'lone-surrogate',
  'units-over-128',
  'units-from-256',
  'bytes-from-514',
  'share-unknown',
  'repeated',
] as const;

const NUMBER_FLAGS = ['int32', 'double', 'nan', 'negative-zero', 'infinite', 'beyond-smi31'] as const;

const OBJECT_FLAGS = [
  'class-instance',
  'null-prototype',
  'other-realm',
  'accessor',
  'enumerable-accessor',
  'non-enumerable',
  'non-configurable',
  'read-only',
  'symbol-key',
  'indexed-key',
  'proto-key',
  'to-json',
  'non-extensible',
  'sealed',
  'frozen',
  'empty',
  'repeated',
  'cycle',
  'dictionary',
  'dictionary-unknown',
  'uncacheable-dictionary',
  'indexed-storage',
  'vacuously-frozen',
  'hidden-state',
  'too-many-keys',
] as const;

const ARRAY_FLAGS = [
  'holes',
  'empty',
  'named-props',
  'symbol-key',
  'accessor',
  'enumerable-accessor',
  'subclass',
  'null-prototype',
  'other-realm',
  'non-extensible',
  'sealed',
  'frozen',
  'read-only',
  'repeated',
  'cycle',
  'packed-smi',
  'packed-double',
  'packed-elements',
  'holey-kind',
  'dictionary-elements',
  'not-fast-elements',
  'undecided',
  'int32-storage',
  'double-storage',
  'contiguous',
  'array-storage',
  'slow-put',
  'named-props-history',
  'prototype-indexed',
  'too-many-items',
] as const;

const BUFFER_FLAGS = [
  'view-of-larger',
  'pooled',
  'node-buffer',
  'detached',
  'resizable',
  'length-tracking',
  'shared-backing',
  'wasm-memory',
  'repeated',
  'cycle',
] as const;

const OTHER_FLAGS = ['transferable', 'extra-props', 'aggregate', 'has-cause'] as const;

const kindSchema = z.enum(KINDS).meta({ id: 'Kind' });

/** Some flags belong to several kinds; each is named once. */
const FLAGS = [
  ...STRING_FLAGS,
  ...NUMBER_FLAGS,
  ...OBJECT_FLAGS,
  ...ARRAY_FLAGS,
  ...BUFFER_FLAGS,
  ...OTHER_FLAGS,
] as const;

const factsSchema = z
  .object({
    pattern: z.string(),
    depth: z.number(),
    parent: kindSchema.nullable(),
    kind: kindSchema,
    flags: z.array(z.enum(FLAGS).meta({ id: 'Flag' })),
    count: z.number(),
    example: z.string(),
    tag: z.exactOptional(z.string()),
    size: z.exactOptional(z.object({ min: z.number(), max: z.number(), total: z.number() })),
    bytes: z.exactOptional(
      z.object({ total: z.number(), max: z.number(), backing: z.exactOptional(z.number()) }),
    ),
  })
  .meta({ id: 'Facts', description: 'Values at one pattern, of one kind, with the same flags.' });

export const shapeSchema = z
  .object({
    nodes: z.number(),
    depth: z.number(),
    jsonBytes: z.number().nullable(),
    jsonSafe: z.boolean(),
    patterns: z.array(factsSchema),
    truncated: z.object({ patterns: z.boolean(), depth: z.boolean(), items: z.boolean() }),
    representation: z.object({
      by: z.enum(['v8-natives', 'v8-tags', 'bun-jsc', 'assumed']),
      engine: engineSchema,
    }),
  })
  .meta({ id: 'Shape' });
