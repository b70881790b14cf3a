/** Packages that some tests need and the project does not depend on: in the cache of the tool, fetched once. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/runtimes/provision/provision.ts';
import { NETWORK_ENV } from './network.ts';

const INSTALL_MS = 300_000;
const NPM_FLAGS = [
  ...['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'],
];

/** Of what `name` stands for on this kind of machine. */
export const cachedFolder = (name: string): string =>
  join(cacheFolder(process.env), 'tests', `${name}-${process.platform}-${process.arch}`);

/**
 * Installs packages with npm into a folder, which is complete or absent. `finish` gets it before it has its name.
 * @throws what npm printed when the installation fails
 */
export const installOnce = (
  target: string,
  specs: string | readonly string[],
  finish: (folder: string) => Promise<void> = async () => undefined,
): Promise<void> =>
  madeOnce(target, async (folder) => {
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const options = {
      cwd: folder,
      env: NETWORK_ENV,
      timeout: INSTALL_MS,
      shell: process.platform === 'win32',
    };
    await promisify(execFile)('npm', ['install', ...[specs].flat(), ...NPM_FLAGS], options);
    await finish(folder);
  });

/** What this process is making: two programs of one package ask for its folder at once. */
const making = new Map<string, Promise<void>>();

export function madeOnce(target: string, make: (folder: string) => Promise<void>): Promise<void> {
  if (existsSync(target)) return Promise.resolve();
  const made = making.get(target) ?? makeIn(target, make);
  making.set(target, made);
  return made;
}

async function makeIn(target: string, make: (folder: string) => Promise<void>): Promise<void> {
  const folder = `${target}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  try {
    await make(folder);
    await rename(folder, target).catch((error) => {
      // Another run may have been faster.
      if (!existsSync(target)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
