/** The file that a runtime starts as a guest. */
import { cpSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageFile } from '../../machine/package-file.ts';
import { ownedFolder } from '../../machine/temp-folders.ts';
import type { ProcessRuntime } from '../../model/names.ts';

let copy: string | null = null;

/** Bun takes a question mark in a path for the start of a query, and finds no such file: it gets a copy elsewhere. */
export function guestFile(runtime: ProcessRuntime): string {
  const own = packageFile('dist/guest/main.mjs');
  if (runtime !== 'bun' || !own.includes('?')) return own;
  copy ??= copied(dirname(own));
  return join(copy, basename(own));
}

/** Removed when this process ends, or by a later run. */
function copied(folder: string): string {
  const into = ownedFolder('clone-prof-guest-');
  process.once('exit', () => rmSync(into, { recursive: true, force: true }));
  cpSync(folder, into, { recursive: true, filter: (path) => path !== join(folder, 'page') });
  return into;
}
