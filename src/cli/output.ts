import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ToolError } from '../model/errors.ts';
import type { RenderOptions } from '../model/render-options.ts';
import type { Sink, World } from './world.ts';

/** What a terminal can show, from the stream and the environment (no-color.org, force-color.org). */
export function renderOptionsOf(sink: Sink, env: World['env']): RenderOptions {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  const refused = (env.NO_COLOR ?? '') !== '' || env.FORCE_COLOR === '0' || env.TERM === 'dumb';
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  const asksForAscii = /^(C|POSIX)$/.test(locale) && sink.isTTY === true;
  return {
    color: forced || (!refused && sink.isTTY === true),
    columns: Math.min(200, Math.max(40, sink.columns ?? (Number(env.COLUMNS) || 80))),
    unicode: env.TERM !== 'linux' && !asksForAscii,
  };
}

/** Writes and waits until the stream took it. A reader that went away (EPIPE) is not an error: `| head` is fine. */
export function write(sink: Sink, text: string): Promise<void> {
  return new Promise((done, fail) => {
    sink.write(text, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') {
        fail(new ToolError('output-unwritable', { file: 'stdout', detail: error.message }));
      } else done();
    });
  });
}

/** A file may be read anywhere. */
export const FILE_OPTIONS: RenderOptions = { color: false, columns: 100, unicode: true };

/** Draws a result for stdout, or for a file where one is named, and writes it there. */
export async function writeResult(
  draw: (options: RenderOptions) => string,
  file: string | null,
  world: World,
): Promise<void> {
  if (file === null) await write(world.stdout, draw(renderOptionsOf(world.stdout, world.env)));
  else writeOutputFile(file, draw(FILE_OPTIONS), world.cwd());
}

export function writeOutputFile(file: string, text: string, cwd: string): void {
  const path = resolve(cwd, file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new ToolError('output-unwritable', { file, detail: (error as Error).message });
  }
}

/** Makes it where it is missing; gives its absolute path. */
export function makeFolder(folder: string, cwd: string): string {
  const path = resolve(cwd, folder);
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
    return path;
  } catch (error) {
    throw new ToolError('output-unwritable', { file: folder, detail: (error as Error).message });
  }
}
