/** Turns arguments into recipes. It reads paths, runs no user code, and holds no payload in memory. */

import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bounded, type Chunks, mib, streamOf, type Waiting } from '../../machine/given-file.ts';
import { isNoSpace, limitReached, noSpaceLeft } from '../../machine/machine.ts';
import { cutName } from '../../model/cut.ts';
import { ToolError } from '../../model/errors.ts';
import { type Source, STDIN } from '../../model/report/recipe.ts';
import type { RecordingChoice } from '../../record/files/recipes.ts';
import { bundleModule, failedFiles, importedFiles } from './bundle.ts';
import { type FileKind, fileKindOf, filesOf, type InputFile, type ReadAs } from './find.ts';

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
