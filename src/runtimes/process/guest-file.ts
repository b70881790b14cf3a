import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = join('dist', 'guest', 'main.mjs');

/** The guest's bundle in the package's dist folder; found from the sources and from any chunk of the bundled CLI. */
export function guestFile(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, FILE);
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) throw new Error(`${FILE} is missing: run npm run build`);
  }
}
