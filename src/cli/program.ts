import { Command, CommanderError, Option } from 'commander';
import { toolVersion } from '../machine/tool-version.ts';
import { ToolError } from '../model/errors.ts';
import type { Services } from '../services.ts';
import type { ArgumentSpec, CommandSpec } from './commands/command-spec.ts';
import { COMMANDS } from './commands/index.ts';
import { EXIT } from './exit-code.ts';
import type { Typed } from './options/typed.ts';
import type { World } from './world.ts';

interface Chosen {
  spec: CommandSpec;
  typed: Typed;
}

function addArgument(command: Command, { form, help, checkedByCommand }: ArgumentSpec): void {
  command.usage(`[options] ${form}`);
  command.argument(checkedByCommand ? form.replace(/^<(.*)>$/, '[$1]') : form, help);
}

/** The commander Command of a spec. What the command does is loaded when it runs. */
function commandOf(spec: CommandSpec, onChosen: (chosen: Chosen) => void): Command {
  const command = new Command(spec.name).description(spec.help);
  if (spec.argument) addArgument(command, spec.argument);
  for (const { flags, help, choices, preset } of spec.options) {
    const option = new Option(flags, help);
    if (choices) option.choices([...choices]);
    if (preset !== undefined) option.default(preset);
    command.addOption(option);
  }
  if (spec.example) command.addHelpText('after', `\nExample:\n  $ ${spec.example}\n`);
  return command.action((...given: unknown[]) => {
    const args = spec.argument ? [given[0] ?? []].flat().map(String) : [];
    onChosen({ spec, typed: { args, flags: command.opts() } });
  });
}

function programFor(world: World, onChosen: (chosen: Chosen) => void): Command {
  const root = new Command('clone-prof')
    .description('The profiler for postMessage payloads.')
    .version(toolVersion(), '-v, --version')
    .showHelpAfterError('(clone-prof --help lists the options)')
    .addHelpText('after', '\nExample:\n  $ clone-prof analyze payload.json\n');
  for (const spec of COMMANDS) root.addCommand(commandOf(spec, onChosen));
  for (const command of [root, ...root.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      writeErr: (text) => void world.stderr.write(text),
      getOutHelpWidth: () => world.stdout.columns ?? 80,
      getErrHelpWidth: () => world.stderr.columns ?? 80,
    });
  }
  return root;
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
  try {
    await programFor(world, (one) => chosen.push(one)).parseAsync(world.argv);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    throw error;
  }
  const [command] = chosen;
  if (!command) return EXIT.ok;
  refuseGoneFolder(world);
  const real = async () => (await import('../services.ts')).realServices(world);
  return command.spec.run(command.typed, services ?? (await real()), world);
}
