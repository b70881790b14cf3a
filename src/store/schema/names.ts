import { z } from 'zod';
import { BRANDS, ENGINE_NAMES, PATH_NAMES, RUNTIME_NAMES } from '../../model/names.ts';

export const engineSchema = z.enum(ENGINE_NAMES);

export const runtimeNameSchema = z.enum(RUNTIME_NAMES);

export const runtimeIdSchema = z
  .object({
    name: runtimeNameSchema,
    brand: z.exactOptional(z.enum(BRANDS).describe('What a browser calls itself, beside its family.')),
    version: z.string(),
    engine: engineSchema,
  })
  .meta({ id: 'Runtime' });

export const pathNameSchema = z
  .enum(PATH_NAMES)
  .meta({ id: 'Path', description: 'Which way the engine takes with the message as a whole.' });
