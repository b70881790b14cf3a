/** Options and commands as data, and how typed words become the settings that an action reads. */
import { knownName, usage } from '../../model/errors.ts';

/** Words typed for an option: true without a value, one word, or several. */
export type Given = true | string | readonly string[];

interface Terms {
  /** Listed in the help. Other words are refused. */
  choices?: readonly string[];
  /** Completed by a shell, in addition to others that the option takes. */
  values?: readonly string[];
  preset?: string;
  /** May be given several times, with one value each. */
  repeatable?: true;
  /**
   * True for a word of an option with several values or an optional value. Any other word behind the option belongs to
   * the argument of the command. Default: all words except names of payloads (`isPayloadWord`).
   */
  takes?: (word: string) => boolean;
  /** Settings whose options it cannot be combined with. */
  conflicts?: readonly string[];
  /** The setting whose option must be typed too. */
  needs?: string;
}

export interface Option<Value> extends Terms {
  /** Names and value in the syntax of commander: "-r, --runtime <spec...>". */
  flags: string;
  help: string;
  /** @throws ToolError 'usage' */
  parse(given: Given | undefined): Value;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

interface ArgumentTerms {
  /** Message if it is required and not given; default: commander's message. */
  missing?: string;
  /** True for the command line of a program: words behind its first word are not options of this program. */
  isCommand?: true;
  /** Words that a shell completes; default: files. */
  values?: readonly string[];
}

export interface CommandSpec<Rows extends Options = Options, Argument extends string = string> {
  name: string;
  help: string;
  argument: ArgumentTerms & {
    name: Argument;
    /** Form in the syntax of commander: "<payload...>" or "[runtime]". */
    form: string;
    help: string;
  };
  options: Rows;
  /** Shown below the help. */
  example: string;
  /** Message for settings that make no sense together, else null. Pairs of options are refused by their rows. */
  refuses?(settings: Settings<Rows, Argument>): string | null;
}

type Settings<Rows extends Options, Argument extends string> = {
  [Name in keyof Rows]: ReturnType<Rows[Name]['parse']>;
} & Record<Argument, string[]>;

export type SettingsOf<Spec extends Pick<CommandSpec, 'options' | 'argument'>> = Settings<
  Spec['options'],
  Spec['argument']['name']
>;

export const commandSpec = <Rows extends Options, const Argument extends string>(
  spec: CommandSpec<Rows, Argument>,
): CommandSpec<Rows, Argument> => spec;

/** "-r, --runtime <spec...>" -> "--runtime" */
export const nameOf = ({ flags }: Pick<Option<unknown>, 'flags'>): string =>
  /--[\w-]+/.exec(flags)?.[0] ?? flags;

type Parse<Value> = (word: string, option: string) => Value;

type Words<Value> = Parse<Value> | readonly (Value & string)[];

const parserOf = <Value>(words: Words<Value>): Parse<Value> =>
  typeof words === 'function' ? words : (word, option) => knownName(words, word, option);

const valuesOf = (words: Words<unknown>) => typeof words !== 'function' && { values: words };

/** "-q, --quiet  only the summary" */
function partsOf(line: string): { flags: string; help: string } {
  const [, flags = '', help = ''] = /^(.*?) {2}(.*)$/s.exec(line) ?? [];
  return { flags, help };
}

export function argument<const Name extends string>(name: Name, line: string, terms: ArgumentTerms = {}) {
  const { flags: form, help } = partsOf(line);
  return { name, form, help, ...terms };
}

/** An option without a value. The setting of `--no-measure` is true unless the option is given. */
export const flag = (line: string, terms: Terms = {}): Option<boolean> => ({
  ...{ ...partsOf(line), ...terms },
  parse: (given) => (given === undefined) === line.startsWith('--no-'),
});

/** An option with one value; null if it has no default and was not typed. */
export const single = <Value, Own extends Terms = Terms>(
  line: string,
  words: Words<Value>,
  terms?: Own,
): Option<Own extends { preset: string } ? Value : Value | null> => ({
  ...{ ...partsOf(line), ...valuesOf(words), ...terms },
  parse: (given) =>
    given === undefined ? (null as never) : parserOf(words)(String(given), nameOf(partsOf(line))),
});

export const several = <Value>(line: string, words: Words<Value>, terms: Terms = {}): Option<Value[]> => ({
  ...{ ...partsOf(line), ...valuesOf(words), ...terms },
  parse: (given) => [given ?? []].flat().map((word) => parserOf(words)(String(word), nameOf(partsOf(line)))),
});

export const asTyped = (word: string): string => word;

/** Parser of a whole number. @param what words for the message: "a number of sites," */
export const wholeNumber =
  (from: number, to: number, what = 'a whole number'): Parse<number> =>
  (word, option) => {
    const value = /^\d+$/.test(word) ? Number(word) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw usage(`${option}: '${word}' is not ${what} from ${from} to ${to}`);
  };

const DATA_FILE = /\.(json|ndjson|jsonl|txt|cprof|bin)$|^-$/i;
const MODULE_FILE = /\.[mc]?[jt]s$/i;
/** A glob, or one payload of a file: `payloads#rows`. */
const GLOB_OR_PART = /^[^\s\p{C}]*[*#][^\s\p{C}]*$/u;

/** True if a word can only name data, stdin, a glob, or one payload of a file. */
export const isDataWord = (word: string): boolean => DATA_FILE.test(word) || GLOB_OR_PART.test(word);

export const isPayloadWord = (word: string): boolean => isDataWord(word) || MODULE_FILE.test(word);

/** True if following words may belong to the argument: the option has several values or an optional value. */
export const isOpen = ({ flags }: Pick<Option<unknown>, 'flags'>): boolean => /\.\.\.[>\]]|\[/.test(flags);

export const takesWord = ({ takes }: Terms, word: string): boolean => takes?.(word) ?? !isPayloadWord(word);

/** Words after the name of a command. `args` includes words that were typed behind an option but are not its values. */
export interface Typed {
  args: string[];
  /** Values of the typed options, by the names of their settings. */
  given: ReadonlyMap<string, Given>;
}

export function settingsOf(spec: CommandSpec, { args, given }: Typed): Record<string, unknown> {
  const refused = refusedPair(spec.options, given);
  if (refused !== null) throw usage(refused);
  const settings: Record<string, unknown> = { [spec.argument.name]: args };
  for (const [name, option] of Object.entries(spec.options))
    settings[name] = option.parse(given.get(name) ?? option.preset);
  const detail = missingArgument(spec, args) ?? spec.refuses?.(settings as never) ?? null;
  if (detail !== null) throw usage(detail);
  return settings;
}

/** Message for an option that a different option excludes, or that lacks the option that it needs. */
function refusedPair(options: Options, given: Typed['given']): string | null {
  const typed = Object.entries(options).flatMap(([name, option]) => (given.has(name) ? option : []));
  for (const { conflicts } of typed) {
    const excluded = conflicts?.find((name) => given.has(name));
    if (excluded === undefined) continue;
    const names = typed.filter((option) => option.conflicts?.includes(excluded)).map(nameOf);
    return `${names.join(' and ')} cannot be combined with ${nameOf(options[excluded]!)}`;
  }
  const lacking = typed.find(({ needs }) => needs !== undefined && !given.has(needs));
  return lacking ? `${nameOf(lacking)} is for ${nameOf(options[lacking.needs!]!)}: give both` : null;
}

function missingArgument({ argument }: CommandSpec, args: readonly string[]): string | null {
  const [, name] = /^<(.*?)(?:\.\.\.)?>$/.exec(argument.form) ?? [];
  if (args.length > 0 || name === undefined || argument.isCommand) return null;
  return argument.missing ?? `missing required argument '${name}' (--help lists the options)`;
}
