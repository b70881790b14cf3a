/** Settings that a command line gives to the action of its command, which does not run. */
import { COMMANDS } from '../../src/cli/main.ts';
import { type CliRun, runCli } from './run-cli.ts';

/** `settings`: null if the line is refused. */
export async function settingsFor(
  args: string[],
): Promise<CliRun & { settings: Record<string, unknown> | null }> {
  const seen: Record<string, unknown>[] = [];
  const before = COMMANDS.map(({ load }) => load);
  for (const command of COMMANDS)
    command.load = async (settings) => {
      seen.push(settings);
      return async () => 0;
    };
  try {
    return { ...(await runCli(args)), settings: seen[0] ?? null };
  } finally {
    for (const [i, command] of COMMANDS.entries()) command.load = before[i]!;
  }
}
