import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Bundle of a guest in the package's dist folder; the same from the sources as from any chunk of the bundled CLI. */
export function guestFile(entry: 'main'): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'dist', 'guest', `${entry}.mjs`);
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) throw new Error(`dist/guest/${entry}.mjs is missing: run npm run build`);
  }
}
