/** Files of codecs: their language, and what stands beside them. */
import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Exported } from '../app/schema-codec.ts';
import { ToolError } from '../model/errors.ts';
import { fileNameOf } from '../model/report/file-name.ts';
import type { Recipe } from '../model/report/recipe.ts';

const ENDINGS = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'commonjs',
} as const;

/** Stands for the id of the payload in the name of the file. */
export const ID = '{id}';

const endingOf = (file: string) => /\.[a-z]+$/.exec(file)?.[0] ?? '';

export const languageOf = (file: string) => ENDINGS[endingOf(file) as keyof typeof ENDINGS];

/** @throws ToolError 'usage' for an ending that is not of a module */
export function emitFileOf(file: string, option = '--emit'): string {
  if (endingOf(file) in ENDINGS) return file;
  const known = Object.keys(ENDINGS).join(', ');
  throw new ToolError('usage', {
    detail: `${option}: '${file}' is not a module. Known extensions: ${known}`,
  });
}

/** @throws ToolError 'usage' for two payloads and one file, or the test of the other */
export function refuseOneFileFor(payloads: readonly { id: string }[], file: string): void {
  const hint = file.includes(ID) ? '' : `. Put ${ID} into its name`;
  const idsOf = new Map<string, string>();
  for (const { id } of payloads) {
    const to = fileFor(file, id);
    for (const one of [to, testFileOf(to)]) {
      const detail = `--emit: ${idsOf.get(one)} and ${id} would both be written to ${one}${hint}`;
      if (idsOf.has(one)) throw new ToolError('usage', { detail });
      idsOf.set(one, id);
    }
  }
}

/** "orders.codec.ts" -> "orders.codec.test.ts" */
export const testFileOf = (file: string) => file.replace(/(\.[a-z]+)$/, '.test$1');

/** What codecs of one folder and language share: "src/orders.codec.ts" -> "src/codec-helpers.ts" */
export const helpersFileOf = (file: string) =>
  `${file.replace(/[^\\/]*$/, '')}codec-helpers${endingOf(file)}`;

/** What types are called after: "orders.codec.ts" -> "orders". */
export const codecName = (file: string) => file.replace(/(\.codec)?\.[cm]?[jt]s$/, '') || 'payload';

/** The file for one payload. */
export const fileFor = (file: string, id: string) => file.replaceAll(ID, () => fileNameOf(id));

/** "../trades.ts", for a file at this path. */
export const importedFrom = (path: string, sample: string): string =>
  relative(dirname(path), sample).replaceAll('\\', '/');

/**
 * Where the type of the payload comes from: what is named, or the export that all samples are, if it is of a TypeScript file. A
 * codec of several has types of its own.
 *
 * @param path of the module
 * @param folder of the files
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
    if (name === '')
      throw new ToolError('usage', { detail: `'${type}' names no type. Write src/types.ts#Page` });
    if (!existsSync(resolve(folder, file))) throw new ToolError('file-missing', { file });
    return { file: importedFrom(path, resolve(folder, file)), export: name, isType: true };
  }
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0 || source.export === null) return null;
  const file = resolve(folder, source.file);
  if (!/\.[mc]?tsx?$/.test(file) || !existsSync(file)) return null;
  return { file: importedFrom(path, file), export: source.export };
}
