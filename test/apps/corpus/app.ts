/** Programs that are run plain and recorded, and compared. */
import type { LibraryName } from '../../../src/model/names.ts';
import type { RuntimeSpec } from '../../support/runtimes.ts';

export interface App {
  name: string;
  /** With their versions, for npm; none where the project's own are used. */
  packages?: readonly string[];
  /** Text by path, made anew for each run. */
  files: Readonly<Record<string, string>>;
  command: readonly string[];
  /** Found by its name before any other; Chromium opens `index.html`. */
  runtime?: RuntimeSpec;
  /** It imports the empty `counter.js` first: that of the web takes its place in a run of its own, and tells calls alone. */
  importsCounter?: true;
  env?: Readonly<Record<string, string>>;
  /** What differs from run to run in what it prints. */
  varying?: RegExp;
  /** Lines are printed in any order. */
  isUnordered?: true;
  /** Messages of a library's envelope that it posts, in both directions. */
  envelopes?: { library: LibraryName; requests: number; replies: number };
}

export const numbered = (count: number, file: (i: number) => [path: string, text: string]) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => file(i)));
