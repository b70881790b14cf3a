/** The page to play with has no files. */
import type * as real from './file-call.ts';

export const writeLines: typeof real.writeLines = () => '';
export const readLines: typeof real.readLines = () => [[], ''];
