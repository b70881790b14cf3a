import { ToolError, USAGE_CODES } from '../model/errors.ts';
import { write } from './output.ts';
import type { World } from './world.ts';

/** 0 ok · 1 the gate failed · 2 usage · 3 something could not be measured · 130 interrupted (128 + SIGINT). */
export const EXIT = { ok: 0, gate: 1, usage: 2, failure: 3, interrupted: 130 } as const;

/** Runs the program in `world` and returns its exit code. Never calls process.exit. */
export async function main(world: World, stand?: import('./services.ts').Services): Promise<number> {
  // A reader of stdout that went away is no crash of ours.
  world.stdout.on?.('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    const { run } = await import('./program.ts');
    return await run(world, stand);
  } catch (error) {
    await write(world.stderr, `${explain(error)}\n`);
    return codeOf(error);
  }
}

export function codeOf(error: unknown): number {
  if (!(error instanceof ToolError)) return EXIT.failure;
  if (error.code === 'interrupted') return EXIT.interrupted;
  return USAGE_CODES.has(error.code) ? EXIT.usage : EXIT.failure;
}

/** Expected errors print a sentence, unexpected ones a stack. */
function explain(error: unknown): string {
  if (error instanceof ToolError) return `clone-prof: ${error.message}`;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `clone-prof: an unexpected error, a defect of the tool:\n${text}`;
}
