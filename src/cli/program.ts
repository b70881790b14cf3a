import { Command, CommanderError, Option } from 'commander';
import { toolVersion } from '../machine/tool-version.ts';
import { ToolError } from '../model/errors.ts';
import type { Services } from '../services/services.ts';
import type { ArgumentSpec, CommandSpec } from './commands/command-spec.ts';
import { COMMANDS } from './commands/index.ts';
import type { Typed } from './options/typed.ts';
import { eachLine } from './session/escaped-lines.ts';
import { EXIT } from './session/exit-code.ts';
import { write } from './session/output.ts';
import { sayReasons } from './session/reasons.ts';
import type { World } from './session/world.ts';

interface Chosen {
  spec: CommandSpec;
  typed: Typed;
}

function addArgument(command: Command, argument: ArgumentSpec): void {
  const { form, help, checkedByCommand, isCommand } = argument;
  command.usage(`[options] ${isCommand ? '-- ' : ''}${form}`);
  command.argument(checkedByCommand || isCommand ? form.replace(/^<(.*)>$/, '[$1]') : form, help);
}

/** The commander Command of a spec. What the command does is loaded when it runs. */
function commandOf(spec: CommandSpec, onChosen: (chosen: Chosen) => void): Command {
  const command = new Command(spec.name).description(spec.help);
  if (spec.argument) addArgument(command, spec.argument);
  for (const { flags, help, choices, preset, repeatable } of spec.options) {
    const option = new Option(flags, help);
    if (choices) option.choices([...choices]);
    if (preset !== undefined) option.default(preset);
    if (repeatable) option.argParser((value: string, before: string[] = []) => [...before, value]);
    command.addOption(option);
  }
  if (spec.example) command.addHelpText('after', `\nExample:\n  $ ${spec.example}\n`);
  return command.action((...given: unknown[]) => {
    const args = spec.argument ? [given[0] ?? []].flat().map(String) : [];
    onChosen({ spec, typed: { args, flags: command.opts() } });
  });
}

interface Heard {
  onChosen(chosen: Chosen): void;
  /** Help and the version: for stdout, or for stderr when nobody asked for it. */
  onText(text: string): void;
}

function programFor(world: World, { onChosen, onText }: Heard): Command {
  const root = new Command('clone-prof')
    .description('The profiler for postMessage payloads.')
    .version(toolVersion(), '-v, --version')
    .addHelpText('after', '\nExample:\n  $ clone-prof analyze payload.json\n');
  for (const spec of COMMANDS) root.addCommand(commandOf(spec, onChosen));
  const named = COMMANDS.findIndex(({ name }) => name === world.argv[2]);
  if (COMMANDS[named]?.argument?.isCommand) {
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
    const detail = message.replace(/^error: /, '').replace(/\n\((Did you mean [^\n]*)\)$/, '. $1');
    throw new ToolError('usage', { detail: `${detail} (--help lists the options)` });
  }
  await sayReasons([world.argv.length > 2 ? 'unknown command' : 'no command given'], world);
  await eachLine(world.stderr, help.trimEnd());
  return EXIT.usage;
}

/** Everything starts from the working folder, which another program may have removed. */
function refuseGoneFolder(world: World): void {
  try {
    world.cwd();
  } catch {
    throw new ToolError('folder-gone');
  }
}

/** Parses the command line, runs the command and returns its exit code. */
export async function run(world: World, services?: Services): Promise<number> {
  const chosen: Chosen[] = [];
  const help: string[] = [];
  const heard: Heard = { onChosen: (one) => chosen.push(one), onText: (text) => help.push(text) };
  try {
    await programFor(world, heard).parseAsync(world.argv);
  } catch (error) {
    if (error instanceof CommanderError) return ended(error, help.join(''), world);
    throw error;
  }
  const [command] = chosen;
  if (!command) return EXIT.ok;
  refuseGoneFolder(world);
  const real = async () => (await import('../services/services.ts')).realServices(world);
  return command.spec.run(command.typed, services ?? (await real()), world);
}
