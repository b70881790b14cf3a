/**
 * Real browsers for the tests. Chromium comes from npm: a headless one for Linux on x64, which brings the libraries that
 * small images lack; it loads no extensions, so that Debian's is unpacked next to it, installed or not. Firefox and WebKit,
 * and Chromium elsewhere, are those of the machine; root of Debian with CI=true installs them.
 */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
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
import { cachedFolder, installOnce, madeOnce } from './cached-package.ts';

export const TEST_BROWSERS = Object.keys(BROWSERS) as BrowserName[];

const SPEC = '@sparticuz/chromium@143.0.4';
const CHROMIUM = cachedFolder('sparticuz-chromium-143.0.4');
const npmHasChromium = process.platform === 'linux' && process.arch === 'x64';

const PACKAGES: Readonly<Record<BrowserName, readonly string[]>> = {
  chromium: ['chromium'],
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver', 'xvfb'],
};
const INSTALL_MS = 600_000;

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
  name === 'chromium' && npmHasChromium ? process.env.CI !== 'true' : !installsPackages;

export async function installedBrowser(name: BrowserName): Promise<FoundRuntime | null> {
  const env = { ...process.env, PATH: [CHROMIUM, process.env.PATH].join(delimiter) };
  const { found } = await findRuntimes([name], { cwd: tmpdir(), env });
  return found[0] ?? null;
}

/** Installs it where the tests must have it. @throws what npm or apt-get printed, or that it is missing still */
export async function fetchBrowser(name: BrowserName): Promise<FoundRuntime | null> {
  if (name === 'chromium' && npmHasChromium) await installOnce(CHROMIUM, SPEC, unpackChromium);
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
  await promisify(execFile)(APT_GET, [...flags, ...args], { env, timeout: INSTALL_MS, maxBuffer: 2 ** 24 });
}
