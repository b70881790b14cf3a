/** The programs of fixtures/apps that post through a worker library of the project's own development. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TASKS } from '../../../fixtures/apps/tasks.mjs';
import { LIBRARIES, type LibraryName } from '../../../src/model/names.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import type { App } from './app.ts';

export const isInstalled = (library: LibraryName): boolean =>
  (createRequire(import.meta.url).resolve.paths(library) ?? []).some((one) => existsSync(join(one, library)));

/** Files of fixtures/apps, by their names. */
export const fixtures = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(ROOT, 'fixtures/apps', name), 'utf8')]));

export const libraryApp = (library: LibraryName): App => ({
  name: library,
  files: fixtures('tasks.mjs', `${library}.mjs`),
  command: ['node', `${library}.mjs`],
  envelopes: { library, requests: TASKS, replies: TASKS },
});

export const LIBRARY_APPS = LIBRARIES.filter(isInstalled).map(libraryApp);
