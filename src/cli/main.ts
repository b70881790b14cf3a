import { ToolError } from '../model/errors.ts';
import type { Services } from '../services.ts';
import { exitCodeOfError } from './exit-code.ts';
import { write } from './output.ts';
import type { World } from './world.ts';

/**
 * Runs the program in `world` and returns its exit code. Never calls process.exit.
 *
 * @param services default: the real ones. Tests pass fake runtimes
 */
export async function main(world: World, services?: Services): Promise<number> {
  // A reader of stdout that closed the pipe (`| head`) is not an error.
  world.stdout.on?.('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    const { run } = await import('./program.ts');
    return await run(world, services);
  } catch (error) {
    await write(world.stderr, `${messageOf(error)}\n`);
    return exitCodeOfError(error);
  }
}

/** Expected errors print a sentence, unexpected ones a stack. */
function messageOf(error: unknown): string {
  if (error instanceof ToolError) return `clone-prof: ${error.message}`;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `clone-prof: an unexpected error, a defect of the tool:\n${text}`;
}
