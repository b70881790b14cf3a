/**
 * Finds the files that arguments name, decides how each is read, and turns them into recipes. It reads paths, runs no user
 * code, and holds no payload in memory.
 */

import { createHash } from 'node:crypto';
import { constants, createWriteStream, existsSync, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, extname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bounded, type Chunks, mib, streamOf, type Waiting } from '../../machine/given-file.ts';
import { isNoSpace, limitReached, noSpaceLeft } from '../../machine/machine.ts';
import { cutName } from '../../model/cut.ts';
import { ToolError } from '../../model/errors.ts';
import { type Source, STDIN } from '../../model/report/recipe.ts';
import type { RecordingChoice } from '../../record/files/recipes.ts';
import { bundleModule, failedFiles, importedFiles } from './bundle.ts';

/** The wait is for a pipe, a glob or a build. */
export interface SourceOptions extends Waiting {
  cwd: string;
  /** Form to read the files in, in place of their extension's form. */
  as: ReadAs | null;
  stdin: () => Chunks;
  /** Folder that exists as long as the run; the caller removes it. */
  workdir: string;
  /** Called with the path of each file before it is read, and of the files that modules import. */
  onRead?: (path: string) => void;
  /** Selection of the sites of recordings; default: the sites that make 95 % of the cost. */
  recordings?: Partial<RecordingChoice>;
}

/** In the order of the arguments. @throws ToolError `no-input`; `usage` if a recording lacks the requested site */
export async function loadSources(inputs: readonly string[], options: SourceOptions): Promise<Source[]> {
  if (inputs.length === 0) throw new ToolError('no-input');
  const found = await findInputs(inputs, options);
  const ids = idsOf(found);
  const kinds = found.map(({ path }) => fileKindOf(path, options.as));
  const isAlone = kinds.filter((kind) => kind === 'recording').length < 2;
  const sources = found.map(async (file, index): Promise<Source[]> => {
    const { shown, globId } = file;
    const id = ids[index] ?? shown;
    const kind = kinds[index] ?? null;
    const glob = globId === undefined || kind === 'recording' ? {} : { glob: true as const };
    try {
      if (file.error) throw file.error;
      if (kind === null) throw new ToolError('unknown-input', { file: shown });
      const path = file.pipe ? await spooled(file.path, shown, options) : file.path;
      if (kind === 'recording') return await sitesOf(path, file, isAlone ? '' : `${id}/`, options);
      return [{ ...(await sourceOf(kind, path, { ...file, id }, options)), ...glob }];
    } catch (error) {
      if (kind === 'recording' && error instanceof ToolError && error.code === 'usage') throw error;
      return [{ kind: 'failed', id, file: shown, error: asToolError(error, shown), ...glob }];
    }
  });
  return (await Promise.all(sources)).flat();
}

async function sitesOf(
  path: string,
  { shown, part }: InputFile,
  prefix: string,
  { workdir, recordings, timeoutMs, signal }: SourceOptions,
): Promise<Source[]> {
  // Loading the schemas of recordings takes longer than describing a small payload.
  const { ALL_SITES, recordingSources } = await import('../../record/files/recipes.ts');
  const place = { path, shown, prefix, timeoutMs, signal, folder: join(workdir, nameFor(path)) };
  return recordingSources(place, { ...ALL_SITES, ...recordings, ...(part && { site: part }) });
}

/** Finds the files in the order of the arguments, without duplicates. */
async function findInputs(inputs: readonly string[], options: SourceOptions): Promise<InputFile[]> {
  const groups = await Promise.all(
    [...new Set(inputs)].map((input) =>
      input === '-' ? stdinFile(options) : filesOf(input, options.cwd, options.signal),
    ),
  );
  for (const one of groups.flat()) if (one.error || !one.pipe) options.onRead?.(one.path);
  const byPlace = new Map<string, InputFile>();
  const placeOf = (path: string, part = '') => `${path}\0${part}`;
  for (const found of groups.flat()) {
    const place = placeOf(found.path, found.part);
    if (!byPlace.has(place)) byPlace.set(place, found);
  }
  // A part is dropped if its whole file is named too.
  return [...byPlace.values()].filter(({ path, part }) => part === undefined || !byPlace.has(placeOf(path)));
}

async function stdinFile({ stdin, workdir, as, signal }: SourceOptions): Promise<InputFile> {
  const path = join(workdir, as === 'text' || as === 'bytes' ? STDIN : `${STDIN}.json`);
  try {
    await spool(stdin(), path, STDIN, signal);
    return { path, shown: STDIN, pipe: false, error: null };
  } catch (error) {
    return { path, shown: STDIN, error: asToolError(error, STDIN) };
  }
}

/** Name for files in the work folder: the same for the same path, and different for others, in all calls of a run. */
export function nameFor(path: string): string {
  return `${basename(path, extname(path))}-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`;
}

async function spooled(path: string, shown: string, options: SourceOptions): Promise<string> {
  const into = join(options.workdir, `${nameFor(path)}${extname(path)}`);
  // The writer of a named pipe may never come.
  await spool(streamOf(path, options), into, shown, options.signal);
  return into;
}

async function sourceOf(
  kind: Exclude<FileKind, 'recording'>,
  path: string,
  { id, shown, part }: Pick<InputFile, 'shown' | 'part'> & { id: string },
  options: SourceOptions,
): Promise<Source> {
  const isScript = kind === 'script';
  if (options.onRead && (kind === 'module' || isScript))
    for (const file of await projectFiles(path, options)) options.onRead(file);
  const target = join(options.workdir, nameFor(path));
  const file = isScript ? await bundleModule(path, target, options.cwd, options) : path;
  const module = { file, ...(isScript && { source: path }), original: shown, export: '*' };
  const source = { file: shown, export: null };
  const open = part === undefined ? { kind: 'open' as const } : { kind: 'open' as const, part };
  if (isScript || kind === 'module')
    return { ...open, recipe: { id, source, build: { form: 'module', ...module } } };
  if (kind === 'ndjson')
    return { ...open, recipe: { id, source, build: { form: kind, file, line: 0, offset: 0, length: 0 } } };
  return { kind: 'ready', recipe: { id, source, build: { form: kind, file } } };
}

function asToolError(error: unknown, file: string): ToolError {
  const expected = error instanceof ToolError ? error : limitReached(error);
  if (expected !== null) return expected;
  const detail = error instanceof Error ? error.message : String(error);
  return new ToolError('file-unreadable', { file, detail }, { cause: error });
}

/** A backslash is a part of a name on POSIX. */
const stem = (file: string) => basename(file, extname(file));

/** The first name of each file that no other has: the stem or that of its glob, the path without the ending, the path. */
export function idsOf(files: readonly Pick<InputFile, 'shown' | 'globId'>[]): string[] {
  const namesOf = ({ shown, globId = stem(shown) }: (typeof files)[number]) =>
    new Set([globId, shown.slice(0, shown.length - extname(shown).length), shown]);
  const named = new Map(files.map((file) => [file.shown, [...namesOf(file)]]));
  const uses = new Map<string, number>();
  for (const name of [...named.values()].flat()) uses.set(name, (uses.get(name) ?? 0) + 1);
  return files.map(({ shown }) => {
    const free = named.get(shown)!.find((name) => uses.get(name) === 1);
    return cutName(free ?? shown);
  });
}

/** Files of the project that a module imports, without packages. If the build fails: the files with the errors. */
async function projectFiles(entry: string, { cwd, ...waiting }: SourceOptions): Promise<string[]> {
  const names = await importedFiles(entry, cwd, waiting, { packages: 'external' }).catch(failedFiles);
  return names.map((file) => resolve(cwd, file)).filter((file) => existsSync(file));
}

// Copies a stream into a file in the work folder: a guest is a separate process and cannot read stdin or pipes.

/** Maximum input size: no engine holds a longer text. */
const MOST_BYTES = 2 ** 29;

/** Copies in chunks. @throws ToolError file-empty, file-unreadable, interrupted, temp-unwritable */
export async function spool(
  chunks: Chunks,
  into: string,
  shown: string,
  signal?: AbortSignal,
  mostBytes = MOST_BYTES,
): Promise<void> {
  const target = createWriteStream(into);
  const tooLarge = () => new Error(`more than ${mib(mostBytes)} come in: write them into a file`);
  try {
    // It ends the chunks themselves when it is aborted: a generator could not, while it waits for the next.
    await pipeline(chunks, (given: Chunks) => bounded(given, mostBytes, tooLarge), target, { signal });
  } catch (error) {
    if (signal?.aborted) throw new ToolError('interrupted');
    if (isNoSpace(error)) throw noSpaceLeft(error);
    throw new ToolError(
      'file-unreadable',
      { file: shown, detail: (error as Error).message },
      { cause: error },
    );
  }
  if (target.bytesWritten === 0) throw new ToolError('file-empty', { file: shown });
}

/** A readable file that is not empty, or the error of the argument. */
export type InputFile = {
  path: string;
  shown: string;
  /** Id of the file, if a glob matched it. */
  globId?: string;
  /** The only payload to take: the export, kind of lines or site behind `#`, written as in ids. */
  part?: string;
} & ({ pipe: boolean; error: null } | { error: ToolError });

/** Files of one argument (not `-`): itself, or the sorted matches of a glob. @throws ToolError 'interrupted' */
export async function filesOf(input: string, cwd: string, signal?: AbortSignal): Promise<InputFile[]> {
  const path = resolve(cwd, input);
  const stats = await statsOf(path);
  if (stats instanceof Error) {
    const part = await partOf(input, cwd);
    if (part !== null) return [part];
  }
  const matches = stats instanceof Error ? await glob(input, cwd, signal) : null;
  if (matches === null) return [await inputFile(path, input, cwd, stats)];
  if (matches.length === 0) {
    return [{ path, shown: input, error: new ToolError('file-missing', { file: input }) }];
  }
  return Promise.all(
    matches.map(async (match) => {
      const file = await inputFile(match, match, cwd, await statsOf(match));
      return { ...file, globId: globIdOf(input, match, cwd) };
    }),
  );
}

/** Finds `payloads.mjs#rows`, also written like its id, `payloads#rows`, in files that may hold several payloads. */
async function partOf(input: string, cwd: string): Promise<InputFile | null> {
  const [, file = '', part = ''] = /^([^#]+)#(.+)$/s.exec(input) ?? [];
  const endings = ['', ...Object.keys(BY_EXTENSION)].map((ending) => `${file}${ending}`);
  const files = endings.filter((one) => MANY.has(fileKindOf(one, null)));
  const stats = await Promise.all(files.map((one) => statsOf(resolve(cwd, one))));
  const [found, ...others] = files.filter((_, index) => !(stats[index] instanceof Error));
  if (found === undefined || others.length > 0) return null;
  const path = resolve(cwd, found);
  return { ...(await inputFile(path, found, cwd, await statsOf(path))), part };
}

const MAGIC = /[*?[\]{}()!+@|]/;
const FIXED_ENDING = /\.\w+$/;

/** Path below the pattern's folder, without an extension common to all matches; further matches do not change it. */
function globIdOf(pattern: string, path: string, cwd: string): string {
  const parts = normalize(pattern).split(sep);
  const fixed = parts.findIndex((part) => MAGIC.test(part));
  const id = relative(
    resolve(cwd, parts.slice(0, fixed).join(sep) || (isAbsolute(pattern) ? sep : '.')),
    path,
  ).replaceAll(sep, '/');
  const ending = FIXED_ENDING.exec(pattern)?.[0] ?? '';
  return ending !== '' && id.endsWith(ending) ? id.slice(0, -ending.length) : id;
}

const statsOf = (path: string): Promise<Stats | NodeJS.ErrnoException> =>
  stat(path).catch((error: NodeJS.ErrnoException) => error);

async function inputFile(
  path: string,
  input: string,
  cwd: string,
  stats: Stats | NodeJS.ErrnoException,
): Promise<InputFile> {
  const shown = shownPath(path, input, cwd);
  const file = { file: shown };
  try {
    if (stats instanceof Error) throw stats;
    if (stats.isDirectory()) throw new ToolError('not-a-file', file);
    const pipe = stats.isFIFO();
    if (!pipe && !stats.isFile())
      throw new ToolError('file-unreadable', { ...file, detail: 'not a regular file' });
    if (!pipe && stats.size === 0) throw new ToolError('file-empty', file);
    if (!pipe) await access(path, constants.R_OK);
    return { path, shown, pipe, error: null };
  } catch (error) {
    if (error instanceof ToolError) return { path, shown, error };
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const facts = { ...file, detail: code ?? message };
    return { path, shown, error: new ToolError(isMissing ? 'file-missing' : 'file-unreadable', facts) };
  }
}

/** Path relative to the user's folder for files in it, which is the same on each machine; else the path as typed. */
function shownPath(path: string, input: string, cwd: string): string {
  const inside = relative(cwd, path);
  const outside = inside === '' || inside.startsWith('..') || isAbsolute(inside);
  return (outside ? input : inside).replaceAll(sep, '/').replace(/(?<=.)\/+$/, '');
}

/** Kinds of files by the way they are read. A `script` is compiled first. */
type FileKind = 'json' | 'ndjson' | 'text' | 'bytes' | 'module' | 'script' | 'recording';

const MANY: ReadonlySet<FileKind | null> = new Set(['ndjson', 'module', 'script', 'recording']);

export type ReadAs = 'text' | 'bytes' | 'json';

const BY_EXTENSION: Record<string, FileKind> = {
  '.json': 'json',
  '.geojson': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.txt': 'text',
  '.js': 'module',
  '.mjs': 'module',
  '.cjs': 'module',
  '.ts': 'script',
  '.mts': 'script',
  '.cts': 'script',
  '.cprof': 'recording',
};

/** `as` has precedence over the extension; null if neither decides. */
export function fileKindOf(file: string, as: ReadAs | null): FileKind | null {
  return as ?? BY_EXTENSION[extname(file).toLowerCase()] ?? null;
}

/** Absolute paths of the matches; null if the argument is not a glob. @throws ToolError 'interrupted' */
async function glob(pattern: string, cwd: string, signal?: AbortSignal): Promise<string[] | null> {
  // Loading takes a twentieth of a whole start, and few payloads are named by a pattern.
  const { isDynamicPattern, glob: walk } = await import('tinyglobby');
  if (!isDynamicPattern(pattern)) return null;
  const matches = await walk(sep === '\\' ? pattern.replaceAll('\\', '/') : pattern, {
    cwd,
    absolute: true,
    expandDirectories: false,
    ignore: pattern.includes('node_modules') ? [] : ['**/node_modules/**'],
    ...(signal && { signal }),
  });
  if (signal?.aborted) throw new ToolError('interrupted');
  return matches.map((match) => resolve(match)).sort();
}
