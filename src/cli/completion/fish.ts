import type { CommandWords, OptionWords } from './command-words.ts';

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

const offered = (values: readonly string[]) => (values.length === 0 ? '' : ` -a ${quoted(values.join(' '))}`);

function optionLine({ flags, help, takes }: OptionWords): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = takes === null ? '' : ` -${takes.files ? 'rF' : 'x'}${offered(takes.values)}`;
  return `${names.join(' ')}${value} -d ${quoted(help)}`;
}

export const fishCompletion = (commands: readonly CommandWords[]): string =>
  commands
    .flatMap(({ name, help, options, argument }) => {
      const here = `complete -c clone-prof -n '__fish_seen_subcommand_from ${name}'`;
      return [
        `complete -c clone-prof -n __fish_use_subcommand -f -a ${name} -d ${quoted(help)}`,
        ...(argument.files ? [] : [`${here} -f${offered(argument.values)}`]),
        ...options.map((option) => `${here} ${optionLine(option)}`),
      ];
    })
    .map((line) => `${line}\n`)
    .join('');
