import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Waiting } from '../machine/given-file.ts';
import { built, failedFiles } from './bundle.ts';

/** Files of the project that a module is made of, packages aside; where it cannot be built, those with the errors. */
export async function importedFiles(entry: string, cwd: string, waiting: Waiting): Promise<string[]> {
  const options = {
    metafile: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  } as const;
  const names = await built(entry, cwd, options, waiting).then(
    ({ metafile }) => Object.keys(metafile?.inputs ?? {}),
    failedFiles,
  );
  return names.map((file) => resolve(cwd, file)).filter((file) => existsSync(file));
}
