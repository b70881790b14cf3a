/** What a shell may complete, out of the command table. */
import { type CommandSpec, isOpen } from '../options/option.ts';

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
  { name, help, argument, options }: CommandSpec,
  words: readonly string[],
): CommandWords => ({
  ...{ name, help },
  options: Object.values(options).map((option) => {
    const [, flags = option.flags, value, several] = FLAGS.exec(option.flags) ?? [];
    const takes = {
      values: option.choices ?? option.values ?? [],
      // Words behind it may be payloads.
      files: FILE.test(value ?? '') || isOpen(option),
      several: several !== undefined,
    };
    return { flags: flags.split(', '), help: option.help, takes: value === undefined ? null : takes };
  }),
  argument:
    name === 'explain'
      ? { values: words, files: false }
      : { values: argument.values ?? [], files: argument.values === undefined },
});
