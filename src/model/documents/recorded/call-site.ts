/** Places in the source of a program that was recorded. */
import * as z from 'zod';

/** Names of files, functions, packages, threads. */
export const name = z.string().max(4096);
export const whole = z.int().min(0);
export const amount = z.number().min(0);

export type Frame = z.infer<typeof frameSchema>;
export const frameSchema = z
  .object({
    file: name.describe('Relative to the folder of the command where it is below it.'),
    line: whole,
    column: whole,
    name: name.nullable().describe('Of the function, where it has one.'),
  })
  .meta({
    id: 'Frame',
    description: 'A place in the source of a program, from line 1 on, by its source map.',
  });

export type Site = z.infer<typeof siteSchema>;
export const siteSchema = z
  .object({
    user: frameSchema
      .nullable()
      .describe("First frame of the program's own; null where a library posts from its queue."),
    library: z
      .object({ name, version: name.nullable(), frame: frameSchema })
      .nullable()
      .describe('The package that posts: first frame below node_modules.'),
  })
  .meta({ id: 'Site' });
