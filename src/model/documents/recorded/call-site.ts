/** Call sites in the source of a recorded program. */
import * as s from '../../schema.ts';

/** Names of files, functions, packages, threads. */
export const name = s.string().check(s.maxLength(4096));

export type Frame = s.TypeOf<typeof frameSchema>;
export const frameSchema = s.named(
  'Frame',
  'A place in the source of a program, from line 1 on, by its source map.',
  {
    file: s.described(name, 'Relative to the folder of the command where it is below it.'),
    line: s.whole(),
    column: s.whole(),
    name: s.nullable(name, 'Of the function, where it has one.'),
  },
);

export type Site = s.TypeOf<typeof siteSchema>;
export const siteSchema = s.named('Site', {
  user: s.nullable(
    frameSchema,
    "First frame of the program's own; null where a library posts from its queue.",
  ),
  library: s.nullable(
    s.object({ name, version: s.nullable(name), frame: frameSchema }),
    'The package that posts: first frame below node_modules.',
  ),
});
