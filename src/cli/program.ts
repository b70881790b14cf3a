import { Command, CommanderError, Option } from 'commander';
import { toolVersion } from '../machine/package-file.ts';
import { ToolError } from '../model/errors.ts';
import type { Services } from '../services/services.ts';
import { realServices } from '../services/services.ts';
import { COMMANDS, type Command as Spec } from './commands.ts';
import { removedOptionText } from './options/removed.ts';
import { type Typed, usage } from './options/values.ts';
import { EXIT } from './session/exit-code.ts';
import { write } from './session/output.ts';
import { sayReasons } from './session/reasons.ts';
import { eachLine, type World } from './session/world.ts';

interface Chosen {
  spec: Spec;
  typed: Typed;
}

/** The commander Command of a spec. What the command does is loaded when it runs. */
function commandOf(spec: Spec, onChosen: (chosen: Chosen) => void): Command {
  const { form, help, checkedByCommand, isCommand } = spec.argument;
  const command = new Command(spec.name)
    .description(spec.help)
    .usage(`[options] ${isCommand ? '-- ' : ''}${form}`)
    .argument(checkedByCommand || isCommand ? form.replace(/^<(.*)>$/, '[$1]') : form, help)
    .addHelpText('after', `\nExample:\n  $ ${spec.example}\n`);
  for (const [flags, about, { choices, preset, repeatable } = {}] of spec.options) {
    const option = new Option(flags, about);
    if (choices) option.choices([...choices]);
    if (preset !== undefined) option.default(preset);
    if (repeatable) option.argParser((value: string, before: string[] = []) => [...before, value]);
    command.addOption(option);
  }
  return command.action((given: unknown) =>
    onChosen({ spec, typed: { args: [given ?? []].flat().map(String), flags: command.opts() } }),
  );
}

/** @param onText takes help and the version: for stdout, or for stderr when nobody asked for it */
function programFor(
  world: World,
  onChosen: (chosen: Chosen) => void,
  onText: (text: string) => void,
): Command {
  const root = new Command('clone-prof')
    .description('The profiler for postMessage payloads.')
    .version(toolVersion(), '-v, --version')
    .addHelpText('after', '\nExample:\n  $ clone-prof analyze payload.json\n');
  for (const spec of COMMANDS) root.addCommand(commandOf(spec, onChosen));
  const named = COMMANDS.findIndex(({ name }) => name === world.argv[2]);
  if (COMMANDS[named]?.argument.isCommand) {
    // Else `record node -v` would print our version. Other commands may have options of the program behind them.
    root.enablePositionalOptions().commands[named]?.passThroughOptions();
  }
  for (const command of [root, ...root.commands]) {
    command.exitOverride().configureOutput({
      writeOut: onText,
      writeErr: onText,
      // Errors come back as exceptions.
      outputError: () => {},
      getOutHelpWidth: () => world.stdout.columns ?? 80,
      getErrHelpWidth: () => world.stderr.columns || 80,
    });
  }
  return root;
}

/** What it parsed is not a command to run: help, the version, or an error, whose words are those of the user. */
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
    const [, option = ''] = /^error: unknown option '([^']*)'/.exec(message) ?? [];
    const removed = removedOptionText(option);
    if (removed !== null) throw usage(removed);
    const detail = message.replace(/^error: /, '').replace(/\n\((Did you mean [^\n]*)\)$/, '. $1');
    throw usage(`${detail} (--help lists the options)`);
  }
  await sayReasons([world.argv.length > 2 ? 'unknown command' : 'no command given'], world);
  await eachLine(world.stderr, help.trimEnd());
  return EXIT.usage;
}

/** Parses the command line, runs the command and returns its exit code. */
export async function run(world: World, services?: Services): Promise<number> {
  const chosen: Chosen[] = [];
  const help: string[] = [];
  const program = programFor(
    world,
    (one) => chosen.push(one),
    (text) => help.push(text),
  );
  try {
    await program.parseAsync(world.argv);
  } catch (error) {
    if (error instanceof CommanderError) return ended(error, help.join(''), world);
    throw error;
  }
  const [command] = chosen;
  if (!command) return EXIT.ok;
  try {
    world.cwd();
  } catch {
    // Another program may have removed the working folder, from which everything starts.
    throw new ToolError('folder-gone');
  }
  return command.spec.run(command.typed, services ?? realServices(world), world);
}
