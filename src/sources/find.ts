/** An argument of the command line -> files. */
import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { ToolError } from '../model/errors.ts';

/** A readable file that is not empty, or what is wrong with the argument. */
export type Found =
  | { path: string; shown: string; pipe: boolean; error: null }
  | { path: string; shown: string; error: ToolError };

/** The files that one argument (not `-`) means: itself, or what it matches as a glob, sorted. At least one. */
export async function filesOf(input: string, cwd: string): Promise<Found[]> {
  const path = resolve(cwd, input);
  const there = await stats(path);
  const matches = there instanceof Error ? await matchesOf(input, cwd) : null;
  if (matches === null) return [await examined(path, input, cwd, there)];
  if (matches.length === 0) {
    return [{ path, shown: input, error: new ToolError('file-missing', { file: input }) }];
  }
  return Promise.all(matches.map(async (match) => examined(match, match, cwd, await stats(match))));
}

/** Null when the argument is no glob. The matcher loads only then: most runs name their files. */
async function matchesOf(pattern: string, cwd: string): Promise<string[] | null> {
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(pattern)) return null;
  const matches = await glob(sep === '\\' ? pattern.replaceAll('\\', '/') : pattern, {
    cwd,
    absolute: true,
    expandDirectories: false,
    ignore: pattern.includes('node_modules') ? [] : ['**/node_modules/**'],
  });
  return matches.map((match) => resolve(match)).sort();
}

async function stats(path: string): Promise<Stats | NodeJS.ErrnoException> {
  try {
    return await stat(path);
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

async function examined(
  path: string,
  input: string,
  cwd: string,
  there: Stats | NodeJS.ErrnoException,
): Promise<Found> {
  const shown = shownPath(path, input, cwd);
  const error = await problemOf(path, shown, there);
  return error
    ? { path, shown, error }
    : { path, shown, pipe: 'isFIFO' in there && there.isFIFO(), error: null };
}

async function problemOf(
  path: string,
  shown: string,
  there: Stats | NodeJS.ErrnoException,
): Promise<ToolError | null> {
  if (there instanceof Error) {
    const missing = there.code === 'ENOENT' || there.code === 'ENOTDIR';
    return missing
      ? new ToolError('file-missing', { file: shown })
      : new ToolError('file-unreadable', { file: shown, detail: there.code ?? there.message });
  }
  if (there.isDirectory()) return new ToolError('not-a-file', { file: shown });
  if (there.isFIFO()) return null;
  if (!there.isFile()) return new ToolError('file-unreadable', { file: shown, detail: 'not a regular file' });
  if (there.size === 0) return new ToolError('file-empty', { file: shown });
  return access(path, constants.R_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) =>
      new ToolError('file-unreadable', { file: shown, detail: error.code ?? error.message }),
  );
}

/** Relative to the user's folder where that is shorter to read and the same on each machine, else as typed. */
function shownPath(path: string, input: string, cwd: string): string {
  const inside = relative(cwd, path);
  const outside = inside === '' || inside.startsWith('..') || isAbsolute(inside);
  return (outside ? input : inside).replaceAll(sep, '/').replace(/(?<=.)\/+$/, '');
}
