/** File names of codecs, their language, and the names of the files next to them. */
import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { startOf } from '../../machine/given-file.ts';
import { ToolError, usage } from '../../model/errors.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { Exported } from '../module/module.ts';

const ENDINGS = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'commonjs',
} as const;

/** Stands in the name of a file for the id of the payload: `--emit 'codecs/{id}.ts'`. */
export const ID = '{id}';

const endingOf = (file: string) => /\.[a-z]+$/.exec(file)?.[0] ?? '';

export const languageOf = (file: string) => ENDINGS[endingOf(file) as keyof typeof ENDINGS];

/** @throws ToolError 'usage' if the extension is not that of a module */
export function emitFileOf(file: string, option = '--emit'): string {
  if (endingOf(file) in ENDINGS) return file;
  const known = Object.keys(ENDINGS).join(', ');
  throw usage(`${option}: '${file}' is not a module. Known extensions: ${known}`);
}

/** Helpers that the codecs of one folder and language share: "src/orders.codec.ts" -> "src/codec-helpers.ts" */
export const helpersFileOf = (file: string) =>
  `${file.replace(/[^\\/]*$/, '')}codec-helpers${endingOf(file)}`;

/** Base name of the types: "orders.codec.ts" -> "orders". */
export const codecName = (file: string) => file.replace(/(\.codec)?\.[cm]?[jt]s$/, '') || 'payload';

/** Import path of a sample, as "../trades.ts", relative to the folder of `path`. */
export const importedFrom = (path: string, sample: string): string =>
  relative(dirname(path), sample).replaceAll('\\', '/');

/** Text that exports the type, or all of another file, which may have it. */
const exportOf = (name: string) =>
  new RegExp(
    `\\bexport\\s+(?:(?:declare|abstract|default|const(?=\\s+enum)|interface|type|class|enum|namespace)\\s+)*${name.replaceAll('$', '\\$')}(?![\\w$])|\\bexport\\s+(?:type\\s*)?(?:\\*|\\{[^}]*\\b${name}\\s*[,}])`,
  );

/**
 * Origin of the payload's type: the named type, or the export of the only sample if its file is TypeScript. A codec of
 * several samples declares its types itself.
 *
 * @param type "src/types.ts#Page"
 * @throws ToolError 'usage', 'file-missing'
 */
export function exportedBy(
  path: string,
  sources: readonly Recipe['source'][],
  folder: string,
  type: string | null = null,
): Exported | null {
  if (type !== null) {
    const [, file = '', name = ''] = /^(.+)#([A-Za-z_$][\w$]*)$/s.exec(type) ?? [];
    if (name === '') throw usage(`'${type}' names no type. Write src/types.ts#Page`);
    if (!existsSync(resolve(folder, file))) throw new ToolError('file-missing', { file });
    const text = /\.[mc]?tsx?$/.test(file) ? startOf(resolve(folder, file)) : null;
    if (text !== null && !exportOf(name).test(text))
      throw usage(`'${type}' names no type: ${file} does not export ${name}`);
    return { file: importedFrom(path, resolve(folder, file)), export: name, isType: true };
  }
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0 || source.export === null) return null;
  const file = resolve(folder, source.file);
  if (!/\.[mc]?tsx?$/.test(file) || !existsSync(file)) return null;
  return { file: importedFrom(path, file), export: source.export };
}
