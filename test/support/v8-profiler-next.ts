/** v8-profiler-next, installed as a user would install it. It is not a dependency of this project. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/runtimes/provision/cache.ts';

const VERSION = '1.10.0';
const INSTALL_MS = 300_000;
const NPM_FLAGS = [
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
];

/** By its readme; from Node 22 on V8's interface has changed and it does not compile (its issue 73). */
const isSupported = Number(process.versions.node.split('.')[0]) < 22;

/** The folder whose node_modules it is in; in the cache of the tool, because compiling takes some 15 s. */
export const ADDON_FOLDER = join(
  cacheFolder(process.env),
  'tests',
  `v8-profiler-next-${VERSION}-abi${process.versions.modules}-${process.platform}-${process.arch}`,
);

/** For the `skip` option of a test. When CI=true it is a reason only on a Node for which it cannot be compiled. */
export function missingAddon(): string | false {
  if (!isSupported) return 'v8-profiler-next cannot be compiled for this Node';
  if (existsSync(ADDON_FOLDER) || process.env.CI === 'true') return false;
  return 'v8-profiler-next: not here. npm test installs it, and fails without it when CI=true';
}

/**
 * Its install script fetches a build or compiles one.
 *
 * @throws what npm printed when the installation fails
 */
export async function installAddon(): Promise<void> {
  if (!isSupported || existsSync(ADDON_FOLDER)) return;
  const folder = `${ADDON_FOLDER}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const options = { cwd: folder, timeout: INSTALL_MS, shell: process.platform === 'win32' };
    await promisify(execFile)('npm', ['install', `v8-profiler-next@${VERSION}`, ...NPM_FLAGS], options);
    await rename(folder, ADDON_FOLDER);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
