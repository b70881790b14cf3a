import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersUpFrom } from './folders.ts';

/** Path of a file of this package; works in the sources and in the bundle, whose folders have different depths. */
export function packageFile(name: string): string {
  const folders = foldersUpFrom(dirname(fileURLToPath(import.meta.url)));
  return join(folders.find((folder) => existsSync(join(folder, 'package.json'))) ?? '/', name);
}

/** Version of this package. */
export function toolVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
}
