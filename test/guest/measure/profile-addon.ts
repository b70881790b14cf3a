/** v8-profiler-next, installed the way a user does, once for each Node that runs the tests. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../../src/runtimes/provision/cache.ts';

const VERSION = '1.10.0';
const INSTALL_MS = 150_000;

/** By its readme; from Node 22 on V8's interface has changed and it does not compile (its issue 73). */
export const IS_SUPPORTED = Number(process.versions.node.split('.')[0]) < 22;

/**
 * A folder in whose node_modules it lies, built; in the tool's cache, because compiling takes some 15 s. Its install
 * script fetches a build or compiles one, so the scripts have to run.
 *
 * @throws what npm printed when it cannot be had
 */
export async function folderWithAddon(): Promise<string> {
  const name = `v8-profiler-next-${VERSION}-abi${process.versions.modules}-${process.platform}-${process.arch}`;
  const folder = join(cacheFolder(process.env), 'tests', name);
  if (existsSync(folder)) return folder;
  const made = `${folder}.${process.pid}`;
  await mkdir(made, { recursive: true });
  try {
    await writeFile(join(made, 'package.json'), '{ "private": true }');
    await promisify(execFile)('npm', ['install', `v8-profiler-next@${VERSION}`, '--no-audit', '--no-fund'], {
      cwd: made,
      timeout: INSTALL_MS,
      shell: process.platform === 'win32',
    });
    await rename(made, folder);
    return folder;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
