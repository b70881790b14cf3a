import { z } from 'zod';

export const engineSchema = z.enum(['v8', 'jsc', 'spidermonkey', 'webkit']);

export const runtimeIdSchema = z
  .object({
    name: z.enum(['node', 'bun', 'deno', 'chromium', 'firefox', 'webkit']),
    version: z.string(),
    engine: engineSchema,
  })
  .meta({ id: 'Runtime' });

export const pathNameSchema = z
  .enum([
    ...(['string-shared', 'string-copied', 'simple-object'] as const),
    ...(['int32-array', 'double-array', 'simple-array', 'dense-array'] as const),
    ...(['one-byte-string', 'two-byte-string', 'packed-array', 'holey-array'] as const),
    ...(['fast-object', 'dictionary-object', 'buffer', 'scalar', 'identity', 'scalar-codec'] as const),
    ...(['serializer', 'rejected'] as const),
  ])
  .meta({ id: 'Path', description: 'Which way the engine takes with the message as a whole.' });
