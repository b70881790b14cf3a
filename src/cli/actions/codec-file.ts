import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { foldersUpFrom } from '../../machine/folders.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import { type OutputFile, openOutputFile } from '../session/output-file.ts';
import { packageManagerOf } from './init/package-manager.ts';

/** First words of every file that this writes, and that it may write over. */
const MARKER = '// clone-prof codec';

export interface CodecFileTerms {
  /** That names the file. */
  option: string;
  /** Files that must not be written over. */
  inputs: readonly string[];
  cwd: string;
}

/** A codec, or its test. @throws ToolError 'usage', 'output-unwritable' */
export function openCodecFile(shown: string, { option, inputs, cwd }: CodecFileTerms): OutputFile {
  if (inputs.some((input) => resolve(cwd, input) === resolve(cwd, shown)))
    throw new ToolError('usage', { detail: `${option}: ${shown} is also an input. Name another file` });
  refuseForeign(shown, cwd);
  return openOutputFile(shown, cwd);
}

/** A file that somebody wrote by hand is not lost without a word. */
function refuseForeign(file: string, cwd: string): void {
  const path = resolve(cwd, file);
  if (!existsSync(path) || readStart(path).startsWith(MARKER)) return;
  const detail = `it is there, and clone-prof did not write it: its first line does not start with "${MARKER}"`;
  throw new ToolError('output-unwritable', { file, detail });
}

function readStart(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return MARKER;
  }
}

/** "../trades.ts", for a file at this path. */
export const importedFrom = (path: string, sample: string): string =>
  relative(dirname(path), sample).replaceAll('\\', '/');

/**
 * Where all samples are one export of a TypeScript file: a codec of several has types of its own.
 *
 * @param path of the module
 * @param folder of the files
 */
export function exportedBy(
  path: string,
  sources: readonly Recipe['source'][],
  folder: string,
): { file: string; export: string } | null {
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0 || source.export === null) return null;
  const file = resolve(folder, source.file);
  if (!/\.[mc]?tsx?$/.test(file) || !existsSync(file)) return null;
  return { file: importedFrom(path, file), export: source.export };
}

/** Test runner that the nearest package.json above a test names. */
export function runnerFor(test: string): 'node' | 'vitest' | 'jest' | 'bun' {
  const folder = foldersUpFrom(dirname(test)).find((one) => existsSync(join(one, 'package.json')));
  if (folder === undefined) return 'node';
  const text = readStart(join(folder, 'package.json'));
  for (const name of ['vitest', 'jest'] as const) if (text.includes(`"${name}"`)) return name;
  const isBun = text.includes('bun test') || packageManagerOf([folder])?.name === 'bun';
  return isBun ? 'bun' : 'node';
}
