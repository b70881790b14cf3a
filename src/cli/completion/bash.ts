import type { CommandWords, Completed } from './command-words.ts';

/** Words of tables; in others a shell could see more than a word. */
const PLAIN = /^[\w@./-]+$/;

const list = (words: readonly string[]) => `'${words.filter((word) => PLAIN.test(word)).join(' ')}'`;

const set = ({ values, files }: Completed) => `words=${list(values)} files=${files ? 'yes' : "''"}`;

function commandCase({ name, options, argument }: CommandWords): string {
  const values = options.flatMap(({ flags, takes }) => {
    if (takes === null) return [];
    const at = flags.map((flag) => `${takes.several ? '[1-9]*' : '1'}${flag}`).join(' | ');
    return [`        ${at}) ${set(takes)} ;;`];
  });
  const flags = list(options.flatMap((option) => option.flags));
  return `    ${name})
      flags=${flags} ${set(argument)}
      case "$behind$option" in
${values.join('\n')}
      esac
      ;;`;
}

/**
 * For bash 3.2 and later. Nothing is run while it completes: not the command, and no word of the line.
 *
 * Packages were looked at: @bomb.sh/tab has no licence text and never completes files, tabtab puts the line through `eval` in
 * fish, omelette into a command.
 */
export const bashCompletion = (commands: readonly CommandWords[]): string => `_clone_prof() {
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

/** Bash's function, in the way that zsh has for it. */
export const zshCompletion = (commands: readonly CommandWords[]): string =>
  `autoload -U +X bashcompinit && bashcompinit\n${bashCompletion(commands)}`;
