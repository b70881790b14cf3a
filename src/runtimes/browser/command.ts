import { ProcessGroup } from '../process/process-group.ts';
import type { BrowserKind } from './kinds/kind.ts';

const TIMEOUT_MS = 15_000;

/** What is started for a binary of this kind. */
export const commandOf = (
  { command }: BrowserKind,
  binary: string,
  args: readonly string[],
): [binary: string, args: readonly string[]] => command?.(binary, args) ?? [binary, args];

/** The last lines that a program prints; '' when it cannot be run. Nothing of it runs on afterwards. */
export async function printedBy(binary: string, args: readonly string[]): Promise<string> {
  const { XAUTHORITY: _, ...given } = process.env;
  const env = Object.fromEntries(
    Object.entries(given).filter((e): e is [string, string] => e[1] !== undefined),
  );
  const group = new ProcessGroup(binary, args, { cwd: '/', env }, null);
  const timer = setTimeout(() => group.kill(), TIMEOUT_MS);
  await group.exited;
  clearTimeout(timer);
  return group.excerpt();
}
