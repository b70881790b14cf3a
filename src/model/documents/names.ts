import * as z from 'zod';
import { BRANDS, CHANNELS, COST_CLASSES, ENGINE_NAMES, PATH_NAMES, RUNTIME_NAMES } from '../names.ts';

export const engineSchema = z.enum(ENGINE_NAMES);

export const runtimeNameSchema = z.enum(RUNTIME_NAMES);

export type RuntimeId = z.infer<typeof runtimeIdSchema>;
export const runtimeIdSchema = z
  .object({
    name: runtimeNameSchema,
    brand: z.exactOptional(
      z
        .enum(BRANDS)
        .describe('What a browser that was not started by this program calls itself, beside its family.'),
    ),
    version: z.string().describe('Exact, without a leading "v": "24.21.0".'),
    engine: engineSchema,
  })
  .meta({ id: 'Runtime', description: 'A program that runs JavaScript.' });

/** Earlier versions had one channel between processes, and called it 'ipc'. */
export const channelSchema = z
  .enum([...CHANNELS, 'ipc'])
  .transform((name) => (name === 'ipc' ? 'ipc-advanced' : name))
  .pipe(z.enum(CHANNELS));

export const pathNameSchema = z
  .enum(PATH_NAMES)
  .meta({ id: 'Path', description: 'Which way the engine takes with the message as a whole.' });

export const costClassSchema = z
  .enum(COST_CLASSES)
  .meta({ id: 'CostClass', description: 'What a payload costs, best first: as much as its worst part.' });
