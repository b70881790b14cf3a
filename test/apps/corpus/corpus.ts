import { join } from 'node:path';
import { cachedFolder, installOnce } from '../../support/cached-package.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import type { App } from './app.ts';
import { LIBRARY_APPS } from './libraries.ts';
import { NODE_APPS } from './node.ts';
import { OTHER_APPS } from './runtimes.ts';
import { TOOL_APPS } from './tools.ts';

export const CORPUS: readonly App[] = [...LIBRARY_APPS, ...NODE_APPS, ...TOOL_APPS, ...OTHER_APPS];

/** Installs its packages, once. @returns the folder that they are in @throws what npm printed */
export async function modulesOf({ packages = [] }: App): Promise<string> {
  if (packages.length === 0) return join(ROOT, 'node_modules');
  const folder = cachedFolder(`app-${packages.join('-').replaceAll(/[^\w.-]+/g, '-')}`);
  await installOnce(folder, packages);
  return join(folder, 'node_modules');
}
