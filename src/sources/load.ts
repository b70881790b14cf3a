/** Turns arguments into recipes. Reads paths, runs no user code, holds no payload in memory. */

import { createHash } from 'node:crypto';
import { basename, extname, join } from 'node:path';
import type { Chunks, Waiting } from '../machine/given-file.ts';
import { limitReached } from '../machine/limits.ts';
import { ToolError } from '../model/errors.ts';
import type { Recipe, Source } from '../model/report/recipe.ts';
import { bundleModule } from './bundle.ts';
import { type FileKind, fileKindOf, filesOf, type InputFile, type ReadAs } from './find.ts';
import { idsOf } from './ids.ts';
import { importedFiles } from './imported-files.ts';
import type { RecordingChoice } from './recording.ts';
import { spool, spoolPipe } from './spool.ts';

export interface SourceOptions {
  cwd: string;
  /** How to read the files, instead of by their extension. */
  as: ReadAs | null;
  stdin: () => Chunks;
  /** A folder that lives as long as the run; the caller removes it. */
  workdir: string;
  /** Ends the wait for a pipe, a glob or a build. */
  signal?: AbortSignal;
  /** The longest wait for what comes through a pipe, and for a build. */
  timeoutMs?: number;
  /** Told of each file before it is read, and of what modules import. */
  onRead?: (path: string) => void;
  /** What of recordings is analyzed; by default the sites that make 95 % of the cost. */
  recordings?: Partial<RecordingChoice>;
}

const STDIN = 'stdin';

/**
 * One source per file, in the order of the arguments; of a recording one for each site. An input that cannot be used becomes a `failed` source and does
 * not affect the others.
 * @throws ToolError `no-input` without arguments, `usage` when a recording has no site that was asked for
 */
export async function loadSources(inputs: readonly string[], options: SourceOptions): Promise<Source[]> {
  if (inputs.length === 0) throw new ToolError('no-input');
  const found = await findInputs(inputs, options);
  const given = found.flatMap(({ shown, globId }): [string, string][] => (globId ? [[shown, globId]] : []));
  const ids = idsOf(
    found.map(({ shown }) => shown),
    new Map(given),
  );
  const isAlone = found.filter(isRecording).length < 2;
  const sources = found.map((file, index) => {
    const id = ids[index] ?? file.shown;
    return isRecording(file) && options.as === null
      ? sitesOf(file, id, isAlone ? '' : `${id}/`, options)
      : readSource(file, id, options);
  });
  return (await Promise.all(sources)).flat();
}

const isRecording = ({ path }: InputFile): boolean => fileKindOf(path, null) === 'recording';

async function sitesOf(
  found: InputFile,
  id: string,
  prefix: string,
  options: SourceOptions,
): Promise<Source[]> {
  const { shown, part } = found;
  const { workdir, recordings } = options;
  try {
    if (found.error) throw found.error;
    // The schemas of recordings take longer to load than a small payload to describe.
    const { ALL_SITES, recordingSources } = await import('./recording.ts');
    const path = found.pipe ? await spooled(found.path, shown, options) : found.path;
    const waiting = waitingOf(options);
    const place = { path, shown, prefix, waiting, folder: join(workdir, nameFor(path)) };
    return await recordingSources(place, { ...ALL_SITES, ...recordings, ...(part && { site: part }) });
  } catch (error) {
    if (error instanceof ToolError && error.code === 'usage') throw error;
    return [{ kind: 'failed', id, file: shown, error: asToolError(error, shown) }];
  }
}

/** In the order of the arguments; a file that is named twice is returned once. */
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
  // The whole file has its parts.
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

async function readSource(found: InputFile, id: string, options: SourceOptions): Promise<Source> {
  const { shown, globId, part } = found;
  const glob = globId === undefined ? {} : { glob: true as const };
  try {
    if (found.error) throw found.error;
    const kind = fileKindOf(found.path, options.as);
    if (kind === null || kind === 'recording') throw new ToolError('unknown-input', { file: shown });
    const path = found.pipe ? await spooled(found.path, shown, options) : found.path;
    if (options.onRead && (kind === 'module' || kind === 'script')) await tellImports(path, options);
    const source = await recipeFor(kind, path, { id, shown }, options);
    return { ...source, ...glob, ...(part !== undefined && { part }) };
  } catch (error) {
    return { kind: 'failed', id, file: shown, error: asToolError(error, shown), ...glob };
  }
}

/** A name in the work folder, the same for the same file and different for others in every call of a run. */
export function nameFor(path: string): string {
  return `${basename(path, extname(path))}-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`;
}

const waitingOf = ({ timeoutMs, signal }: SourceOptions): Waiting => ({
  ...(timeoutMs !== undefined && { timeoutMs }),
  ...(signal && { signal }),
});

async function spooled(path: string, shown: string, options: SourceOptions): Promise<string> {
  const into = join(options.workdir, `${nameFor(path)}${extname(path)}`);
  await spoolPipe(path, into, shown, waitingOf(options));
  return into;
}

async function tellImports(path: string, options: SourceOptions): Promise<void> {
  for (const file of await importedFiles(path, options.cwd, waitingOf(options))) options.onRead?.(file);
}

async function recipeFor(
  kind: Exclude<FileKind, 'recording'>,
  file: string,
  { id, shown }: { id: string; shown: string },
  options: SourceOptions,
): Promise<Exclude<Source, { kind: 'failed' }>> {
  const { cwd, workdir } = options;
  const recipe = (build: Recipe['build'], name: string | null = null): Recipe => ({
    id,
    source: { file: shown, export: name },
    build,
  });
  const moduleRecipe = (file: string, source?: string) =>
    recipe({ form: 'module', file, ...(source && { source }), original: shown, export: '*' });
  switch (kind) {
    case 'json':
    case 'text':
    case 'bytes':
      return { kind: 'ready', recipe: recipe({ form: kind, file }) };
    case 'ndjson':
      return { kind: 'open', recipe: recipe({ form: 'ndjson', file, line: 0, offset: 0, length: 0 }) };
    case 'module':
      return { kind: 'open', recipe: moduleRecipe(file) };
    case 'script': {
      const bundle = await bundleModule(file, join(workdir, nameFor(file)), cwd, waitingOf(options));
      return { kind: 'open', recipe: moduleRecipe(bundle, file) };
    }
  }
}

function asToolError(error: unknown, file: string): ToolError {
  const expected = error instanceof ToolError ? error : limitReached(error);
  if (expected !== null) return expected;
  const detail = error instanceof Error ? error.message : String(error);
  return new ToolError('file-unreadable', { file, detail }, { cause: error });
}
