import { relative, resolve } from 'node:path';
import { ToolError } from '../../model/errors.ts';
import { EXIT, exitCodeOfError } from '../../model/exit-codes.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import { usage } from '../options/option.ts';
import type { Output } from '../options/outputs.ts';
import { type CommandFiles, fileIdentity } from './command-files.ts';
import { sayError } from './exit.ts';
import { openOutputFile } from './output-file.ts';
import type { Sink, World } from './world.ts';

/** Capabilities of a terminal, from the stream and the environment (no-color.org, force-color.org). */
function renderOptionsOf(sink: Pick<Sink, 'isTTY' | 'columns'>, env: World['env']): RenderOptions {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  const refused = (env.NO_COLOR ?? '') !== '' || env.FORCE_COLOR === '0' || env.TERM === 'dumb';
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  const asksForAscii = /^(C|POSIX)$/.test(locale) && sink.isTTY === true;
  return {
    color: forced || (!refused && sink.isTTY === true),
    // 0 columns: the width is unknown.
    columns: Math.min(200, Math.max(40, sink.columns || Number(env.COLUMNS) || 80)),
    unicode: env.TERM !== 'linux' && !asksForAscii,
  };
}

/** Writes, and waits until the stream took it. A reader that left (EPIPE) is not an error: `| head` is fine. */
export function write(sink: Sink, text: string): Promise<void> {
  return new Promise((done, fail) => {
    sink.write(text, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') {
        fail(new ToolError('output-unwritable', { file: 'stdout', detail: error.message }));
      } else done();
    });
  });
}

/** Options for files, which may be read on any terminal. */
export const FILE_OPTIONS: RenderOptions = { color: false, columns: 100, unicode: true };

/** Path from the root of the repository, since readers of some formats resolve files from there. */
export const fromRepository = ({ env, cwd }: World, folder: string): string =>
  relative(env.GITHUB_WORKSPACE ?? cwd(), folder);

type Draw = (options: RenderOptions) => string;

/** Destination of a result, in one format. */
export interface Destination<Format extends string> {
  format: Format;
  isStdout: boolean;
  /** @throws ToolError 'output-unwritable' */
  write(draw: Draw): Promise<void>;
}

export const printResult = (draw: Draw, { stdout, env }: World): Promise<void> =>
  write(stdout, draw(renderOptionsOf(stdout, env)));

/** Prints on stderr line by line. Its lines are escaped, so colours are off. */
export async function sayResult(draw: Draw, { stderr, env }: World): Promise<void> {
  const lines = draw({ ...renderOptionsOf(stderr, env), color: false })
    .trimEnd()
    .split('\n');
  for (const line of lines) await stderr.line(line);
}

/**
 * Opens all outputs before anything is measured.
 *
 * @param files files of the command, which include its known inputs
 * @throws ToolError 'usage', 'output-unwritable'
 */
export function openDestinations<Format extends string>(
  outputs: readonly Output<Format>[],
  files: CommandFiles,
  world: World,
): Destination<Format>[] {
  const cwd = world.cwd();
  const taken = new Set<string>();
  return outputs.map(({ format, file }) => {
    if (file === null) return { format, isStdout: true, write: (draw) => printResult(draw, world) };
    files.writes(file, '--output');
    const identity = fileIdentity(resolve(cwd, file));
    if (taken.has(identity)) throw usage(`--output: ${file} is named twice. Name another file`);
    taken.add(identity);
    const opened = openOutputFile(file, cwd);
    const write = async (draw: Draw) => {
      await opened.write(draw(FILE_OPTIONS));
      await world.stderr.line(`wrote ${file}`);
    };
    return { format, isStdout: false, write };
  });
}

/**
 * Writes all destinations. A failure of one does not stop the others.
 *
 * @returns the exit code of the last error, or 0
 */
export async function writeEach<Format extends string>(
  destinations: readonly Destination<Format>[],
  textOf: (destination: Destination<Format>, options: RenderOptions) => string,
  world: World,
): Promise<number> {
  let code: number = EXIT.ok;
  for (const destination of destinations) {
    try {
      await destination.write((options) => textOf(destination, options));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      await sayError(error, world);
      code = exitCodeOfError(error);
    }
  }
  return code;
}
