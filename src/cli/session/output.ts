import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { ToolError } from '../../model/errors.ts';
import { EXIT, exitCodeOfError } from '../../model/exit-codes.ts';
import { sourceFile } from '../../model/report/recipe.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import { escapedJson } from '../../reporters/text/json.ts';
import type { Services } from '../../services/services.ts';
import { usage } from '../options/option.ts';
import type { Output } from '../options/outputs.ts';
import { openOutputFile } from './output-file.ts';
import { type Sink, sayError, type World } from './world.ts';

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

/** Prints a document as JSON, or as `draw` shows it. */
export const printAs = (
  format: 'terminal' | 'json',
  document: unknown,
  draw: Draw,
  world: World,
): Promise<void> => printResult(format === 'json' ? () => escapedJson(document) : draw, world);

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

/** Text that is equal for all names of a file, including symbolic and hard links. */
function fileIdentity(path: string): string {
  try {
    const stats = statSync(path, { bigint: true });
    if (stats.isFile()) return `${stats.dev}:${stats.ino}`;
  } catch {
    // A path that cannot be examined is reported when it is opened.
  }
  return path;
}

/** Files that one command reads and writes. An input is never overwritten, even if the output has a different name. */
export class CommandFiles {
  readonly #cwd: string;
  readonly #inputs = new Set<string>();
  /** Error messages, by the identity of the output. */
  readonly #outputs = new Map<string, string>();

  /** @param inputs files that are known from the start */
  constructor(cwd: string, inputs: readonly string[] = []) {
    this.#cwd = cwd;
    this.reads(inputs);
  }

  /** @throws ToolError 'usage' if a file is also an output */
  reads(files: readonly string[], folder = this.#cwd): void {
    for (const file of files) {
      const identity = fileIdentity(resolve(folder, file));
      const message = this.#outputs.get(identity);
      if (message !== undefined) throw usage(message);
      this.#inputs.add(identity);
    }
  }

  /** @param option option that names the file. @throws ToolError 'usage' if the file is also an input */
  writes(file: string, option: string): void {
    const identity = fileIdentity(resolve(this.#cwd, file));
    const message = `${option}: ${file} is also an input. Name another file`;
    if (this.#inputs.has(identity)) throw usage(message);
    this.#outputs.set(identity, message);
  }

  /** Services that refuse to read an output, before anything is measured. */
  guarding(services: Services): Services {
    return {
      ...services,
      onRead: (path) => {
        this.reads([path]);
        services.onRead?.(path);
      },
      loadSources: async (inputs, options) => {
        const sources = await services.loadSources(inputs, options);
        this.reads(sources.map(sourceFile), options.cwd);
        return sources;
      },
    };
  }
}
