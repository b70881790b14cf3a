import type { Services } from '../app/world/services.ts';
import { limitReached } from '../machine/machine.ts';
import { EXIT, exitCodeOfError, ToolError } from '../model/errors.ts';
import { run } from './program.ts';
import {
  type EscapedLines,
  eachLine,
  escapedLines,
  type ProcessLike,
  sayError,
  type World,
} from './session/world.ts';

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
