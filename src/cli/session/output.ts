/** Results on stdout and in files. Files are opened before anything is measured, and no input is overwritten. */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../app/world/services.ts';
import { makeFolder } from '../../machine/folders.ts';
import { EXIT, exitCodeOfError, ToolError, usage } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import type { RenderOptions } from '../../model/report/formats.ts';
import { sourceFile } from '../../model/report/recipe.ts';
import type { Output } from '../options/shared.ts';
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
  relative(env.GITHUB_WORKSPACE ?? env.CI_PROJECT_DIR ?? cwd(), folder);

export type Draw = (options: RenderOptions) => string;

export const printResult = (draw: Draw, { stdout, env }: World): Promise<void> =>
  write(stdout, draw(renderOptionsOf(stdout, env)));

/** Prints on stderr line by line. Its lines are escaped, so colours are off. */
export async function sayResult(draw: Draw, { stderr, env }: World): Promise<void> {
  const text = draw({ ...renderOptionsOf(stderr, env), color: false }).trimEnd();
  for (const line of text.split('\n')) await stderr.line(line);
}

/**
 * Opens all outputs. The returned function writes them all, and returns the exit code of the last error, or 0.
 * @param inputs files that are read, none of which may be an output
 */
export function openOutputs<Of extends Output<string>>(
  outputs: readonly Of[],
  inputs: readonly string[],
  { files, world }: { files: CommandFiles; world: World },
): (textOf: (output: Of, options: RenderOptions) => string) => Promise<number> {
  files.reads(inputs);
  const cwd = world.cwd();
  const opened = outputs.map((output) => {
    const { file } = output;
    if (file === null) return { output, write: (draw: Draw) => printResult(draw, world) };
    files.writes(file, '--output');
    const opened = openOutputFile(file, cwd);
    const write = async (draw: Draw) => {
      await opened.write(draw(FILE_OPTIONS));
      await world.stderr.line(`wrote ${file}`);
    };
    return { output, write };
  });
  return async (textOf) => {
    let code: number = EXIT.ok;
    for (const { output, write } of opened) {
      try {
        await write((options) => textOf(output, options));
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        await sayError(error, world);
        code = exitCodeOfError(error);
      }
    }
    return code;
  };
}

/** Equal for all names of a file, including links. A path that cannot be examined is reported when it is opened. */
function fileIdentity(path: string): string {
  const stats = orElse(() => statSync(path, { bigint: true }), null);
  return stats?.isFile() ? `${stats.dev}:${stats.ino}` : path;
}

/** Files that one command reads and writes. An input is never overwritten, even if the output has a different name. */
export class CommandFiles {
  readonly #cwd: string;
  readonly #inputs = new Set<string>();
  /** Error messages, by the identity of the output. */
  readonly #outputs = new Map<string, string>();

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
    if (this.#outputs.has(identity)) throw usage(`${option}: ${file} is named twice. Name another file`);
    this.#outputs.set(identity, message);
  }

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

/** A file that can be written, as far as can be known in advance. */
export interface OutputFile {
  /** @param mode mode of the file; default: the mode of the old file @throws ToolError 'output-unwritable' */
  write(text: string, mode?: number): Promise<void>;
}

/** Makes the folders of the file too. @throws ToolError 'output-unwritable' */
export function openOutputFile(file: string, cwd: string): OutputFile {
  const path = resolve(cwd, file);
  const fail = (error: unknown) => {
    throw new ToolError('output-unwritable', { file, detail: (error as Error).message });
  };
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory() || /[\\/]$/.test(file)) throw new Error('it is a directory');
    const write = there && !there.isFile() ? writerOfStream(path) : writerOfFile(path, there);
    return { write: (text, mode) => write(text, mode).catch(fail) };
  } catch (error) {
    return fail(error);
  }
}

/** Makes a folder if it is missing. @returns its absolute path, and its name as given. @throws ToolError 'output-unwritable' */
export function openFolder(folder: string, cwd: string): { folder: string; shown: string } {
  const path = resolve(cwd, folder);
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK);
    return { folder: path, shown: folder.replace(/[\\/]+$/, '') || folder };
  } catch (error) {
    throw new ToolError('output-unwritable', { file: folder, detail: (error as Error).message });
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

type Write = OutputFile['write'];

/** Writes pipes and devices. A pipe without a reader is refused: opening it would wait forever. */
function writerOfStream(path: string): Write {
  const file = orOn(
    'ENXIO',
    () => openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0)),
    () => {
      throw new Error('no program reads this pipe');
    },
  );
  return async (text) => {
    try {
      for (let rest = Buffer.from(text); rest.length > 0; ) {
        // The pipe is full if its reader is slower than the writer.
        const written = orOn(
          'EAGAIN',
          () => writeSync(file, rest),
          () => 0,
        );
        rest = rest.subarray(written);
        if (written === 0) await sleep(5);
      }
    } finally {
      closeSync(file);
    }
  };
}

/** Result of `attempt`, or of `otherwise` if it fails with this code. */
function orOn<T>(code: string, attempt: () => T, otherwise: () => T): T {
  try {
    return attempt();
  } catch (error) {
    if (codeOf(error) === code) return otherwise();
    throw error;
  }
}

function writerOfFile(path: string, there: Stats | undefined): Write {
  makeFolder(dirname(path));
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (there) accessSync(path, constants.W_OK);
  else {
    closeSync(openSync(path, isLink ? 'a' : 'wx'));
    if (!isLink) rmSync(path);
  }
  // A rename would lose the link, other names of the file, or its owner.
  const own = there === undefined || (there.nlink === 1 && there.uid === (process.getuid?.() ?? there.uid));
  return async (text, mode) => {
    if (isLink || !own) writeInPlace(path, text, mode);
    else replace(path, text, mode ?? there?.mode);
  };
}

/** Errors of `rename` for a file that itself can be written: its folder is read-only, or the file is mounted. */
const STRAIGHT = new Set<string | undefined>(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV']);

/** Replaces a file atomically: a run that is killed leaves the old file. */
function replace(path: string, text: string, mode: number | undefined): void {
  const temporary = join(dirname(path), `.clone-prof-${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(temporary, '', { flag: 'wx' });
    writeInPlace(temporary, text, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (!STRAIGHT.has(codeOf(error))) throw error;
    writeInPlace(path, text, mode);
  }
}

/** The mode is set before the text is written: others could read it in between. */
function writeInPlace(path: string, text: string, mode: number | undefined): void {
  if (mode !== undefined && existsSync(path)) chmodSync(path, mode);
  writeFileSync(path, text, { mode });
}
