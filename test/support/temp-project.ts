import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSources, type SourceOptions } from '../../src/app/sources/load.ts';
import type { Source } from '../../src/model/report/recipe.ts';
import { putFiles } from './git-repository.ts';
import { tempFolder } from './temp-folder.ts';

/** A user's folder with `files` in it and a work folder of the tool. */
export function project(files: Record<string, string> = {}) {
  const root = tempFolder('sources');
  const [cwd, workdir] = [join(root, 'user'), join(root, 'work')];
  for (const folder of [cwd, workdir]) mkdirSync(folder);
  putFiles(cwd, files);
  const load = (inputs: string[], options: Partial<SourceOptions> = {}): Promise<Source[]> =>
    loadSources(inputs, { cwd, workdir, as: null, stdin: () => chunks(), ...options });
  return { cwd, workdir, load };
}

export async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

/** A source in one line: "ready orders json orders.json" or "failed x file-missing". */
export function line(source: Source): string {
  if (source.kind === 'failed') return `failed ${source.id} ${source.error.code}`;
  const { id, build, source: from } = source.recipe;
  const part = source.part === undefined ? '' : `, of it ${source.part}`;
  return `${source.kind} ${id} ${build.form} ${from.file}${part}`;
}

/** "# name: what is told", then files: "name: text", which goes on in lines that name no file. */
export const casesOfFiles = (text: string) =>
  text
    .split(/^# /m)
    .slice(1)
    .map((one) => {
      const [head = '', ...parts] = one.trimEnd().split(/\n(?=[\w./-]+\.\w+:)/);
      const [, name = '', told = ''] = /^(.+?): (.+)$/.exec(head) ?? [];
      const files = parts.map((part) => /^(.+?): ?(.*)$/s.exec(part)!.slice(1, 3));
      return { name, told, files: Object.fromEntries(files) as Record<string, string> };
    });
