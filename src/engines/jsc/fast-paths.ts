/** Versions, channels and sources of Bun's fast paths. */
import type { PathName } from '../../model/names.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { IN_PROCESS } from '../standard/common.ts';

/** First version of Bun with a fast path for roots of this kind. */
export const SINCE = {
  strings: { bun: '>=1.2.21' },
  objects: { bun: '>=1.2.22' },
  arrays: { bun: '>=1.3.10' },
} as const;

/** Scopes of the fast paths: rules that block a path for strings, objects or arrays have no effect outside them. */
export const FAST_STRINGS = { runtimes: SINCE.strings, channels: IN_PROCESS, transferring: false } as const;
export const FAST_OBJECTS = { runtimes: SINCE.objects, channels: IN_PROCESS, transferring: false } as const;
export const FAST_ARRAYS = { runtimes: SINCE.arrays, channels: IN_PROCESS, transferring: false } as const;

export const ARRAY_PATHS: readonly PathName[] = [
  'int32-array',
  'double-array',
  'simple-array',
  'dense-array',
];
export const EVERY_FAST_PATH: readonly PathName[] = [
  'string-shared',
  'string-copied',
  'simple-object',
  ...ARRAY_PATHS,
];

/** Objects that are neither plain objects nor arrays. */
export const EXOTIC_KINDS: readonly Kind[] = [
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
];

export const OBJECT_TEST =
  'SerializedScriptValue.cpp isObjectFastPathCandidate (oven-sh/bun#22279); seen on Bun 1.2.22-1.4.5';
export const ARRAY_BLOCK =
  'SerializedScriptValue.cpp, array block (oven-sh/bun#26814, #26818); seen on Bun 1.3.10-1.4.5';
