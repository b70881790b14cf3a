/** What a shell may complete, out of the command table. */
import type { CommandFlags } from '../options/flags.ts';

/** What follows an option, or a command. */
export interface Completed {
  /** Words that fit; none where only the user knows. */
  values: readonly string[];
  /** Names of files fit too. */
  files: boolean;
}

export interface OptionWords {
  /** "-r", "--runtime". */
  flags: string[];
  help: string;
  /** null: it takes no value. */
  takes: (Completed & { several: boolean }) | null;
}

export interface CommandWords {
  name: string;
  help: string;
  options: OptionWords[];
  argument: Completed;
}

const FILE = /file|config|report|dir/;

/** "-f, --format <format...>" */
const FLAGS = /^((?:-\w, )?--[\w-]+)(?: ([<[].*?)(\.\.\.)?[>\]])?$/;

/** @param words of `explain`, which are more than a table of options should hold */
export const commandWords = (
  { name, help, argument, options }: CommandFlags,
  words: readonly string[],
): CommandWords => ({
  ...{ name, help },
  options: options.map(([written, about, { choices, values } = {}]) => {
    const [, flags = written, value, several] = FLAGS.exec(written) ?? [];
    const takes = {
      values: choices ?? values ?? [],
      // Behind several values, or in place of one that may be left out, payloads may stand.
      files: FILE.test(value ?? '') || several !== undefined || value?.startsWith('[') === true,
      several: several !== undefined,
    };
    return { flags: flags.split(', '), help: about, takes: value === undefined ? null : takes };
  }),
  argument:
    name === 'explain'
      ? { values: words, files: false }
      : { values: argument.values ?? [], files: argument.values === undefined },
});
