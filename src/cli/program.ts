import { Command, CommanderError, Option } from 'commander';
import { CHANNELS, LIBRARIES } from '../model/words.ts';
import { EXIT } from './main.ts';
import {
  ANALYZE_FORMATS,
  type AnalyzeOptions,
  channelOf,
  formatOf,
  inputKindOf,
  libraryOf,
  milliseconds,
  seedOf,
  splitRuntimes,
} from './options.ts';
import type { Services } from './services.ts';
import { toolVersion } from './tool-version.ts';
import type { World } from './world.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

/** Options and help only: what a command does is in its own file, loaded when it runs. */
function analyzeCommand(
  onRun: (run: (services: Services, world: World) => Promise<number>) => void,
): Command {
  return new Command('analyze')
    .description('classify, measure and recommend (the main job)')
    .argument('<payload...>', 'files, globs, or - for JSON on stdin')
    .option('-r, --runtime <spec...>', 'node, bun@1.4, deno, a path to a binary (default: what is here)')
    .option('-c, --channel <name...>', `how the value travels: ${CHANNELS.join(', ')} (default: worker)`)
    .option('-e, --export <name...>', 'only these exports of a module')
    .addOption(
      new Option('--via <library...>', 'wrap in the envelope of a library first').choices([...LIBRARIES]),
    )
    .addOption(
      new Option('-f, --format <format>', 'how to print').choices([...ANALYZE_FORMATS]).default('terminal'),
    )
    .option('-o, --output <file>', 'write the result to a file')
    .option('-b, --budget <time>', 'measuring time per payload and runtime', '5s')
    .option('--no-measure', 'classify only')
    .option('--as <kind>', 'read files as text, bytes or json whatever their ending')
    .option('--seed <n>', 'seed of every random choice', '1')
    .option('--timeout <time>', 'how long a guest may take to answer beyond its budget', '30s')
    .option('--offline', 'never fetch a runtime')
    .action((payloads: string[], flags: Record<string, unknown>) => {
      onRun(async (services, world) => {
        const { analyzeCommandRun } = await import('./analyze.ts');
        return analyzeCommandRun(analyzeOptions(payloads, flags), services, world);
      });
    });
}

function analyzeOptions(payloads: string[], flags: Record<string, unknown>): AnalyzeOptions {
  const { runtimes, payloads: strays } = splitRuntimes((flags.runtime as string[] | undefined) ?? []);
  const channels = ((flags.channel as string[] | undefined) ?? ['worker']).map(channelOf);
  return {
    payloads: [...payloads, ...strays],
    runtimes,
    channels: [...new Set(channels)],
    exports: (flags.export as string[] | undefined) ?? null,
    via: ((flags.via as string[] | undefined) ?? []).map(libraryOf),
    format: formatOf(String(flags.format)),
    output: (flags.output as string | undefined) ?? null,
    budgetMs: milliseconds(String(flags.budget), '--budget'),
    measure: flags.measure !== false,
    timeoutMs:
      flags.timeout === undefined ? DEFAULT_TIMEOUT_MS : milliseconds(String(flags.timeout), '--timeout'),
    seed: seedOf(String(flags.seed)),
    as: flags.as === undefined ? null : inputKindOf(String(flags.as)),
    offline: flags.offline === true,
  };
}

function program(world: World, onRun: (run: (s: Services, w: World) => Promise<number>) => void): Command {
  const root = new Command('clone-prof')
    .description('The profiler for postMessage payloads.')
    .version(toolVersion(), '-v, --version')
    .showHelpAfterError('(clone-prof --help lists the options)')
    .addCommand(analyzeCommand(onRun))
    .addHelpText('after', '\nExample:\n  $ clone-prof analyze payload.json\n');
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

/** Parses the command line and runs the command; the exit code is the answer. */
export async function run(world: World, stand?: Services): Promise<number> {
  let chosen: ((services: Services, world: World) => Promise<number>) | null = null;
  try {
    await program(world, (command) => {
      chosen = command;
    }).parseAsync(world.argv);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    throw error;
  }
  if (!chosen) return EXIT.ok;
  const command: (services: Services, world: World) => Promise<number> = chosen;
  const services = stand ?? (await import('./services.ts')).realServices(world);
  return command(services, world);
}
