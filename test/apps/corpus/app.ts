/** Programs that are run plain and recorded, and compared. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TASKS } from '../../../fixtures/apps/tasks.mjs';
import { LIBRARIES, type LibraryName } from '../../../src/model/names.ts';
import { cachedFolder, installOnce } from '../../support/fetched.ts';
import type { RuntimeSpec } from '../../support/runtimes.ts';
import { ROOT } from '../../support/spawn-cli.ts';

export interface App {
  name: string;
  /** With their versions, for npm; none where the project's own are used. */
  packages?: readonly string[];
  /** Text by path, made anew for each run. */
  files: Readonly<Record<string, string>>;
  command: readonly string[];
  /** Found by its name before any other; Chromium opens `index.html`. */
  runtime?: RuntimeSpec;
  /** It imports the empty `counter.js` first: that of the web takes its place in a run of its own, and tells calls alone. */
  importsCounter?: true;
  env?: Readonly<Record<string, string>>;
  /** What differs from run to run in what it prints. */
  varying?: RegExp;
  isUnordered?: true;
  /** Messages of a library's envelope that it posts, in both directions. */
  envelopes?: { library: LibraryName; requests: number; replies: number };
}

export const numbered = (count: number, file: (i: number) => [path: string, text: string]) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => file(i)));

export const isInstalled = (library: LibraryName): boolean =>
  (createRequire(import.meta.url).resolve.paths(library) ?? []).some((one) => existsSync(join(one, library)));

export const fixtures = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(ROOT, 'fixtures/apps', name), 'utf8')]));

/** A program that posts through a worker library of the project's own development. */
export const libraryApp = (library: LibraryName): App => ({
  name: library,
  files: fixtures('tasks.mjs', `${library}.mjs`),
  command: ['node', `${library}.mjs`],
  envelopes: { library, requests: TASKS, replies: TASKS },
});

export const LIBRARY_APPS = LIBRARIES.filter(isInstalled).map(libraryApp);

/** Installs its packages, once. @returns the folder that they are in @throws what npm printed */
export async function modulesOf({ packages = [] }: App): Promise<string> {
  if (packages.length === 0) return join(ROOT, 'node_modules');
  const folder = cachedFolder(`app-${packages.join('-').replaceAll(/[^\w.-]+/g, '-')}`);
  await installOnce(folder, packages);
  return join(folder, 'node_modules');
}
