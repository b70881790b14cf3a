/** Scripts that complete commands, options and their values in a shell, generated from the table of commands. */

import { EXIT, knownName } from '../../model/errors.ts';
import { explainedWords } from '../../report/meanings/meanings.ts';
import { ALL_COMMANDS, SHELLS } from '../options/all.ts';
import { type CommandSpec, isOpen, type Option } from '../options/option.ts';
import { write } from '../session/output.ts';
import type { World } from '../session/world.ts';

interface Completed {
  /** Known values; empty if only the user knows them. */
  values: readonly string[];
  files: boolean;
}

const FILE = /file|config|report|dir/;

/** "-f, --format <format...>" */
const FLAGS = /^((?:-\w, )?--[\w-]+)(?: ([<[].*?)(?:\.\.\.)?[>\]])?$/;

const namesOf = ({ flags }: Option<unknown>): string[] => (FLAGS.exec(flags)?.[1] ?? flags).split(', ');

function valuesOf(option: Option<unknown>): Completed | null {
  const [, , value] = FLAGS.exec(option.flags) ?? [];
  if (value === undefined) return null;
  // Words behind an open option may be payloads, so files fit too.
  return { values: option.choices ?? option.values ?? [], files: FILE.test(value) || isOpen(option) };
}

/** Words of `explain` are added here: the table of options should not hold all of them. */
const argumentOf = ({ name, argument: { values } }: CommandSpec): Completed =>
  name === 'explain'
    ? { values: explainedWords(), files: false }
    : { values: values ?? [], files: values === undefined };

/** A shell could interpret other characters. */
const PLAIN = /^[\w@./-]+$/;

const list = (words: readonly string[]) => `'${words.filter((word) => PLAIN.test(word)).join(' ')}'`;

const set = ({ values, files }: Completed) => `words=${list(values)} files=${files ? 'yes' : "''"}`;

function commandCase(command: CommandSpec): string {
  const options = Object.values(command.options);
  const values = options.flatMap((option) => {
    const completed = valuesOf(option);
    if (completed === null) return [];
    const place = option.flags.includes('...') ? '[1-9]*' : '1';
    const at = namesOf(option).map((name) => `${place}${name}`);
    return [`        ${at.join(' | ')}) ${set(completed)} ;;`];
  });
  const flags = list(options.flatMap(namesOf));
  return `    ${command.name})
      flags=${flags} ${set(argumentOf(command))}
      case "$behind$option" in
${values.join('\n')}
      esac
      ;;`;
}

/**
 * Function for bash 3.2 and later. Completing does not run anything: neither the command nor a word of the line.
 * Packages were considered: @bomb.sh/tab lacks a licence text and never completes files, tabtab passes the line through
 * `eval` in fish, and omelette passes it into a command.
 */
const bashCompletion = (commands: readonly CommandSpec[]): string => `_clone_prof() {
  local word="\${COMP_WORDS[COMP_CWORD]}" option='' behind='' words='' files='' flags='' i
  # The option whose value may stand here, and how far it is.
  for (( i = COMP_CWORD - 1; i > 1; i-- )); do
    case "\${COMP_WORDS[i]}" in -*) option="\${COMP_WORDS[i]}" behind=$(( COMP_CWORD - i )); break ;; esac
  done
  case "\${COMP_WORDS[1]}" in
${commands.map(commandCase).join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words=${list(commands.map(({ name }) => name))} flags='--version' files=''; fi
  case "$word" in -*) words="$flags --help" files='' ;; esac
  COMPREPLY=( $(compgen -W "$words" -- "$word") )
  # Where no word fits, bash completes names of files.
  if [ -z "$files" ] && type compopt >/dev/null 2>&1; then compopt +o default; fi
}
complete -o default -F _clone_prof clone-prof
`;

/** Bash's function, loaded by zsh's emulation of bash completion. */
const zshCompletion = (commands: readonly CommandSpec[]): string =>
  `autoload -U +X bashcompinit && bashcompinit\n${bashCompletion(commands)}`;

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

const offered = (values: readonly string[]) => (values.length === 0 ? '' : ` -a ${quoted(values.join(' '))}`);

function optionLine(option: Option<unknown>): string {
  const completed = valuesOf(option);
  const names = namesOf(option).map((flag) =>
    flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
  );
  const value = completed === null ? '' : ` -${completed.files ? 'rF' : 'x'}${offered(completed.values)}`;
  return `${names.join(' ')}${value} -d ${quoted(option.help)}`;
}

const fishCompletion = (commands: readonly CommandSpec[]): string =>
  commands
    .flatMap((command) => {
      const { name, help, options } = command;
      const argument = argumentOf(command);
      const here = `complete -c clone-prof -n '__fish_seen_subcommand_from ${name}'`;
      return [
        `complete -c clone-prof -n __fish_use_subcommand -f -a ${name} -d ${quoted(help)}`,
        ...(argument.files ? [] : [`${here} -f${offered(argument.values)}`]),
        ...Object.values(options).map((option) => `${here} ${optionLine(option)}`),
      ];
    })
    .map((line) => `${line}\n`)
    .join('');

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export async function runCompletion(
  { shells: [word = ''] }: { shells: string[] },
  world: World,
): Promise<number> {
  await write(world.stdout, SCRIPTS[knownName(SHELLS, word, 'completion')](ALL_COMMANDS));
  return EXIT.ok;
}
