/** Finds the files that an argument of the command line names, and decides how each is read. */
import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { extname, isAbsolute, normalize, relative, resolve, sep } from 'node:path';
import { isDynamicPattern, glob as walk } from 'tinyglobby';
import { ToolError } from '../../model/errors.ts';

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
export type FileKind = 'json' | 'ndjson' | 'text' | 'bytes' | 'module' | 'script' | 'recording';

const MANY: ReadonlySet<FileKind | null> = new Set(['ndjson', 'module', 'script', 'recording']);

export type ReadAs = 'text' | 'bytes' | 'json';

const BY_EXTENSION: Record<string, FileKind> = {
  '.json': 'json',
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
