/** The program: its command line by commander, the action of each command, its exit code, and uncaught errors. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError, Help, Option } from 'commander';
import { realServices, type Services } from '../app/world/services.ts';
import { toolVersion } from '../machine/folders.ts';
import { limitReached } from '../machine/machine.ts';
import { EXIT, exitCodeOfError, guessText, ToolError, usage } from '../model/errors.ts';
import { orElse } from '../model/or-else.ts';
import * as specs from './options/all.ts';
import {
  type CommandSpec,
  type Given,
  isOpen,
  isPayloadWord,
  type Option as OptionRow,
  type Options,
  type SettingsOf,
  settingsOf,
  type Typed,
  takesWord,
} from './options/option.ts';
import { write } from './session/output.ts';
import type { Action, Session } from './session/session.ts';
import {
  type EscapedLines,
  eachLine,
  escapedLines,
  type ProcessLike,
  sayError,
  sayReasons,
  type World,
} from './session/world.ts';

/** Its action is loaded when it runs. */
interface Runnable extends CommandSpec {
  load(settings: Record<string, unknown>): Promise<Action<Record<string, unknown>>>;
}

const command = <Rows extends Options, Argument extends string>(
  spec: CommandSpec<Rows, Argument>,
  load: (
    settings: SettingsOf<CommandSpec<Rows, Argument>>,
  ) => Promise<Action<SettingsOf<CommandSpec<Rows, Argument>>>>,
): Runnable => ({ ...spec, load }) as Runnable;

const inSession = async <Settings>(
  work: (settings: Settings, session: Session) => Promise<number>,
  watch = false,
): Promise<Action<Settings>> => {
  const session = await import('./session/session.ts');
  const action = session.inSession(work);
  return watch ? session.watching(action) : action;
};

export const COMMANDS: readonly Runnable[] = [
  command(specs.ANALYZE, async ({ watch }) => {
    const { analyzeInSession } = await import('./actions/reports.ts');
    return inSession(analyzeInSession, watch);
  }),
  command(specs.CODEC, async () => inSession((await import('../codec/command/codec.ts')).runCodec)),
  command(specs.RECORD, async () => (await import('../record/command/record.ts')).runRecord),
  command(specs.CHECK, async ({ init, accept, merge, watch }) => {
    if (init) return (await import('../gate/init/init.ts')).runInit;
    if (accept) return inSession((await import('../gate/command/baseline.ts')).runBaseline);
    const { runCheck, runMerge } = await import('../gate/command/check.ts');
    return inSession(merge.length > 0 ? runMerge : runCheck, watch);
  }),
  command(specs.BASELINE, async () => inSession((await import('../gate/command/baseline.ts')).runBaseline)),
  command(specs.SWEEP, async () => inSession((await import('./actions/reports.ts')).runSweep)),
  command(specs.REPORT, async () => (await import('./actions/reports.ts')).runReport),
  command(specs.VERIFY, async () => inSession((await import('./actions/rules.ts')).runVerify)),
  command(specs.RULES, async () => (await import('./actions/rules.ts')).runRules),
  command(specs.EXPLAIN, async () => (await import('./actions/rules.ts')).runExplain),
  command(specs.RUNTIMES, async () => inSession((await import('./actions/rules.ts')).runRuntimes)),
  command(specs.COMPLETION, async () => (await import('./actions/completion.ts')).runCompletion),
];

/** More options than these are shown in groups. */
const MAX_UNGROUPED = 10;

/** Names of settings by the heading that their options have, in the order of the help. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  What: [
    ...['exports', 'as', 'one', 'transfer', 'via', 'top', 'site', 'preset', 'scale', 'steps', 'by'],
    ...['config', 'samples', 'mask'],
  ],
  Where: ['runtimes', 'channels', 'sender', 'listen'],
  Measuring: ['budgetMs', 'totalMs', 'measure', 'watch', 'byPath', 'profile', 'seed', 'timeoutMs'],
  'Baseline and commits': ['baseline', 'base', 'allowRemoved', 'accept', 'fixCodec'],
  'In CI': ['init', 'shards', 'shard', 'merge', 'expect'],
  Output: ['formats', 'output', 'quiet', 'details', 'keys'],
  Rewrites: ['tries', 'emit', 'assumeIntegers', 'withView'],
  'Fetching runtimes': ['offline', 'projectNpmrc'],
};

export const LAST_GROUP = 'Other:';

/** Options of a command by their heading; one group without a heading if they are few. */
export function grouped<Row>(
  options: readonly (readonly [setting: string, row: Row])[],
): { title: string | null; options: (readonly [setting: string, row: Row])[] }[] {
  if (options.length <= MAX_UNGROUPED) return [{ title: null, options: [...options] }];
  const known = Object.entries(GROUPS).map(([title, settings]) => ({
    title: `${title}:`,
    options: options.filter(([setting]) => settings.includes(setting)),
  }));
  const named = new Set(known.flatMap((group) => group.options));
  const others = options.filter((option) => !named.has(option));
  return [...known, { title: LAST_GROUP, options: others }];
}

type Run = (command: Runnable, typed: Typed) => Promise<void>;

function commandFor(runnable: Runnable, run: Run): Command {
  const { name, help, argument, options, example } = runnable;
  const { form, isCommand } = argument;
  /** Words typed behind options that do not take them. */
  const givenBack: string[] = [];
  const command = new Command(name)
    .description(help)
    .usage(`[options] ${isCommand ? '-- ' : ''}${form}`)
    // An option before it may return the argument, so only `settingsOf` knows if it is missing.
    .argument(form.replace(/^<(.*)>$/, '[$1]'), argument.help)
    .addHelpText('after', `\nExample:\n  $ ${example}\n`);
  const rows = Object.entries(options).map(([setting, row]) => [setting, optionFor(row, givenBack)] as const);
  for (const { title, options: inGroup } of grouped(rows))
    for (const [, option] of inGroup) command.addOption(title === null ? option : option.helpGroup(title));
  if (grouped(rows).length > 1)
    command.addHelpOption(new Option('-h, --help', 'display help for command').helpGroup(LAST_GROUP));
  return command.action(async (operands: unknown) => {
    const given = rows.flatMap(([setting, option]): [string, Given][] => {
      const value = givenFor(command, option);
      return value === null ? [] : [[setting, value]];
    });
    const args = [...[operands ?? []].flat().map(String), ...givenBack];
    await run(runnable, { args, given: new Map(given) });
  });
}

/** Restores a required argument in the help's list: commander is given all arguments as optional. */
const subcommandTerm = (command: Command): string => {
  const line = `${command.name()} ${command.usage()}`;
  return command.options.length === 0 ? line.replace('[options] ', '') : line;
};

/** Columns of a terminal that is too narrow for descriptions next to their terms. */
const NARROW = 60;
const BELOW_TERM = ' '.repeat(6);

/** A line of the help's lists. On a narrow terminal, its description is below. */
function formatItem(
  this: Help,
  ...[term, termWidth, description, help]: Parameters<Help['formatItem']>
): string {
  const columns = help.helpWidth ?? NARROW;
  if (columns >= NARROW) return Help.prototype.formatItem.call(this, term, termWidth, description, help);
  const below = help.boxWrap(description, columns - BELOW_TERM.length);
  return `  ${term}\n${below.replace(/^/gm, BELOW_TERM)}`;
}

/** Commander's option. Words that it does not take go to `givenBack`, in the order of the command line. */
function optionFor(row: OptionRow<unknown>, givenBack: string[]): Option {
  const { flags, help, choices, preset, repeatable } = row;
  const option = new Option(flags, help);
  if (choices) option.choices([...choices]);
  if (preset !== undefined) option.default(preset, preset);
  if (!isOpen(row) && !repeatable) return option;
  return option.argParser((word: string, before: string[] = []) => {
    if (isOpen(row) && !takesWord(row, word)) {
      givenBack.push(word);
      return before;
    }
    return [...before, word];
  });
}

/** Value of an option; null if it was not typed, or if all words behind it belong to the argument of the command. */
function givenFor(command: Command, option: Option): Given | null {
  const name = option.attributeName();
  if (command.getOptionValueSource(name) !== 'cli') return null;
  const value: unknown = command.getOptionValue(name);
  if (!Array.isArray(value)) return typeof value === 'string' ? value : true;
  if (option.optional) return value[0] ?? true;
  return value.length === 0 ? null : value;
}

const ROOT_OPTIONS: ReadonlySet<string> = new Set(['-h', '--help', '-v', '--version']);

/** The command line with `analyze` before its first word, if that can only be a payload or an option of `analyze`. */
function withCommand({ argv, cwd }: World): readonly string[] {
  const [node = '', script = '', first, ...others] = argv;
  if (first === undefined || first === 'help' || COMMANDS.some(({ name }) => name === first)) return argv;
  const isPayload = (word: string) => isPayloadWord(word) || (!word.startsWith('-') && isFile(word, cwd));
  const isShort =
    isPayload(first) || (first.startsWith('-') && !ROOT_OPTIONS.has(first) && others.some(isPayload));
  return isShort ? [node, script, 'analyze', first, ...others] : argv;
}

const isFile = (name: string, cwd: () => string): boolean =>
  orElse(() => statSync(resolve(cwd(), name)).isFile(), false);

/** @param onText takes help and the version: for stdout, or for stderr if the user did not request them */
function programFor(
  { world, argv }: { world: World; argv: readonly string[] },
  run: Run,
  onText: (text: string) => void,
): Command {
  const root = new Command('clone-prof')
    .description('The profiler for postMessage payloads.')
    .version(toolVersion(), '-v, --version')
    .addHelpText(
      'after',
      '\nExample:\n  $ clone-prof payload.json       # short for clone-prof analyze payload.json\n',
    );
  for (const command of COMMANDS) root.addCommand(commandFor(command, run));
  const named = COMMANDS.findIndex(({ name }) => name === argv[2]);
  if (COMMANDS[named]?.argument.isCommand) {
    // Otherwise `record node -v` would print our version. Other commands may be followed by options of this program.
    root.enablePositionalOptions().commands[named]?.passThroughOptions();
  }
  for (const command of [root, ...root.commands]) {
    command.configureHelp({ subcommandTerm, formatItem, minWidthToWrap: 20 });
    command.exitOverride().configureOutput({
      writeOut: onText,
      writeErr: onText,
      // Commander's errors arrive as exceptions.
      outputError: () => {},
      getOutHelpWidth: () => world.stdout.columns || 80,
      getErrHelpWidth: () => world.stderr.columns || 80,
    });
  }
  return root;
}

/** Handles a parse result other than a command: help, the version, or an error, which quotes the user's words. */
async function ended(
  { exitCode, code, message }: CommanderError,
  help: string,
  world: World,
): Promise<number> {
  if (exitCode === 0) {
    await write(world.stdout, help);
    return EXIT.ok;
  }
  if (code !== 'commander.help') {
    const detail = message.replace(/^error: /, '').replace(/\n\((Did you mean [^\n]*)\)$/, '. $1');
    throw usage(`${detail} (--help lists the options)`);
  }
  const [, , first] = world.argv;
  const names = COMMANDS.map(({ name }) => name);
  const reason =
    first === undefined ? 'no command given' : `unknown command '${first}'.${guessText(first, names)}`;
  await sayReasons([reason], world);
  for (const line of help.trimEnd().split('\n')) await world.stderr.line(line);
  return EXIT.usage;
}

async function run(world: World, services?: Services): Promise<number> {
  let code: number = EXIT.ok;
  const help: string[] = [];
  const argv = withCommand(world);
  const chosen: Run = async (command, typed) => {
    // A different program may have removed the working folder, which every path starts from.
    if (orElse(world.cwd, null) === null) throw new ToolError('folder-gone');
    const settings = settingsOf(command, typed);
    const action = await command.load(settings);
    code = await action(settings, world, services ?? realServices(world));
  };
  try {
    await programFor({ world, argv }, chosen, (text) => help.push(text)).parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) return ended(error, help.join(''), world);
    throw error;
  }
  return code;
}

/** Returns the exit code. It calls `outside.exit` only after an uncaught error. @param services default: the real ones */
export async function main(outside: ProcessLike, services?: Services): Promise<number> {
  // Errors of stdout are handled by the code that writes. Errors on stderr cannot be reported anywhere.
  outside.stdout.on?.('error', () => {});
  outside.stderr.on?.('error', () => {});
  const world: World = {
    ...{ argv: outside.argv, env: outside.env, stdout: outside.stdout, stderr: escapedLines(outside.stderr) },
    // stdin is opened on first use.
    get stdin() {
      return outside.stdin;
    },
    cwd: () => outside.cwd(),
    now: outside.now ?? (() => performance.now()),
    on: (event, listener) => outside.on(event, listener),
    off: (event, listener) => outside.off(event, listener),
  };
  const crashed = (error: unknown) => void said(error, world).then(() => outside.exit?.(EXIT.failure));
  // The listener stays: later failures would be printed raw, with the exit code of a failed gate.
  outside.on('uncaughtException', crashed);
  try {
    return await run(world, services);
  } catch (error) {
    await said(error, world);
    return exitCodeOfError(error);
  }
}

async function said(error: unknown, world: World): Promise<void> {
  const expected = error instanceof ToolError ? error : limitReached(error);
  await (expected === null ? sayDefect(error, world.stderr) : sayError(expected, world));
}

async function sayDefect(error: unknown, stderr: EscapedLines): Promise<void> {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await stderr.line('clone-prof: an unexpected error, a bug in clone-prof:');
  await eachLine(stderr, text);
}
