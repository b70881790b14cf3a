/**
 * Versions of a runtime that are not installed: they come from the user's cache, or through npm into it. Nothing is
 * written to the user's project, and each fetch is announced. A path in the cache is
 * `runtimes/<settings of npm>/<npm package>/<version>/<binary>`; a binary gets its name last, when it is complete. What
 * npm fetched with the settings of a project is used only with the same settings; the name of the package keeps
 * machines apart that share a home folder.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { chmod, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import semver from 'semver';
import { parseRuntimeSpec } from '../../engines/versions/versions.ts';
import { makeFolder, projectFolders } from '../../machine/folders.ts';
import { startOf } from '../../machine/given-file.ts';
import { isNoSpace } from '../../machine/machine.ts';
import { removeStale, withTempFolder } from '../../machine/temp-folders.ts';
import { ToolError } from '../../model/errors.ts';
import { PROGRAM_RUNTIMES, type ProgramRuntime } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { BROWSER_PROGRAMS } from '../browser/kinds.ts';
import { foundRuntime, installedFolders, isBinary } from '../process/binaries.ts';
import {
  type BuildTarget,
  type Environment,
  isProgramRuntime,
  type NpmPackage,
  RUNTIME_KINDS,
} from '../process/kinds.ts';
import { runToEnd } from '../process/supervisor.ts';

/** A runtime as npm has it for this machine, the cache that it goes into, and how npm is run and announced. */
interface Source extends NpmPackage, Pick<ProvisionOptions, 'offline' | 'onNote'> {
  cache: string;
  name: ProgramRuntime;
  npm: NpmOptions;
}

/** The user's cache folder by the custom of each system; an absolute XDG_CACHE_HOME counts everywhere. */
export function cacheFolder(env: Environment, platform: string = process.platform): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  const xdg = env.XDG_CACHE_HOME ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'clone-prof');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'clone-prof');
  if (platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'clone-prof', 'cache');
  return join(home, '.cache', 'clone-prof');
}

const TEMPORARY = 'tmp';

/** Calls `use` with a temporary folder of the cache, which is for its user alone, because its files are run. */
async function withCacheFolder<T>(cache: string, use: (folder: string) => Promise<T>): Promise<T> {
  makeFolder(cache, 0o700);
  return withTempFolder(join(cache, TEMPORARY), use);
}

function versionsFolder({ cache, npm: { projectNpmrc }, package: packageName }: Source): string {
  const hash = projectNpmrc && createHash('sha256').update(projectNpmrc.text).digest('hex').slice(0, 16);
  return join(cache, 'runtimes', hash ? `npmrc-${hash}` : 'npm', packageName);
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function entriesIn(folder: string, { name, binary }: Pick<Source, 'name' | 'binary'>) {
  return newestFirst(await namesIn(folder))
    .map((version) => foundRuntime({ name, version }, join(folder, version, basename(binary)), 'cache'))
    .filter((runtime) => isBinary(runtime.binary));
}

export interface ProvisionOptions {
  /** True: only the cache is used. */
  offline?: boolean;
  /** Gets a line before each fetch, and if the cache may hold an older version than npm. */
  onNote?: (text: string) => void;
  env?: Environment;
  cwd?: string;
  /** npm also reads the `.npmrc` of that folder's project. */
  projectNpmrc?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Fetches the runtime of a spec ("bun@1.3.14", "node@24", "deno@latest", "bun") if it is not in the cache. For a number or a
 * range that the cache satisfies, npm is not started. @throws ToolError runtime-unknown, version-malformed, runtime-no-build,
 * runtime-too-old, version-unknown, offline, npm-missing, disk-full, provision-failed, interrupted
 */
export async function provision(spec: string, options: ProvisionOptions = {}): Promise<FoundRuntime> {
  const wanted = parseSpec(spec);
  refuseOld(wanted, wanted.wanted);
  const source = sourceOf(wanted.name, options);
  await removeStale(join(source.cache, TEMPORARY));
  const entries = await entriesIn(versionsFolder(source), source);
  const entryOf = (version: string | null) => entries.find((entry) => entry.version === version) ?? null;
  const versions = entries.map(({ version }) => version);
  const cached = entryOf(newestSatisfying(versions, wanted.wanted));
  if (cached && isNumeric(wanted.wanted)) return cached;
  try {
    const version = await versionToUse(wanted, source, cached);
    refuseOld(wanted, version);
    return entryOf(version) ?? (await fetched(source, version));
  } catch (error) {
    throw provisionError(error, spec);
  }
}

function sourceOf(name: ProgramRuntime, options: ProvisionOptions): Source {
  const { cwd = process.cwd(), env = process.env, signal } = options;
  const npm = { cwd, env, signal, projectNpmrc: options.projectNpmrc ? projectNpmrcOf(cwd) : null };
  return { ...options, ...npmPackageOf(name, thisTarget()), name, cache: cacheFolder(env), npm };
}

/** @throws ToolError runtime-too-old for a version, or a range without one, on which guests run. Tags pass */
function refuseOld({ spec, name }: WantedRuntime, version: string): void {
  const { oldest } = RUNTIME_KINDS[name];
  if (!isNumeric(version) || !semver.gtr(oldest, version)) return;
  throw new ToolError('runtime-too-old', { runtime: spec, oldest: `${name}@${oldest}` });
}

export async function listCached(env: Environment): Promise<FoundRuntime[]> {
  return (await Promise.all(PROGRAM_RUNTIMES.map((name) => cachedOf(name, env)))).flat();
}

/** @param spec "bun": all versions */
export async function removeCached(spec: string, env: Environment): Promise<FoundRuntime[]> {
  const { name, wanted } = parseSpec(spec);
  const removed = (await cachedOf(name, env)).filter(
    ({ version }) => wanted === 'latest' || satisfies(version, wanted),
  );
  for (const { binary } of removed) await rm(dirname(binary), { recursive: true });
  return removed;
}

/** Cached versions, by all settings; empty if npm does not have a build for this machine. */
async function cachedOf(name: ProgramRuntime, env: Environment): Promise<FoundRuntime[]> {
  const found = RUNTIME_KINDS[name].npmPackage(thisTarget());
  if (found === null) return [];
  const all = join(cacheFolder(env), 'runtimes');
  const folders = (await namesIn(all)).map((settings) => join(all, settings, found.package));
  return (await Promise.all(folders.map((folder) => entriesIn(folder, { ...found, name })))).flat();
}

/** The version that npm resolves; from the cache if npm may not start (`offline`) or does not reach a network. */
async function versionToUse(wanted: WantedRuntime, source: Source, cached: FoundRuntime | null) {
  const { offline, onNote } = source;
  const instead = cached && `using ${cached.spec} from the cache`;
  if (offline && !cached) throw new ToolError('offline', { value: wanted.spec, option: '--offline' });
  if (offline && cached) {
    onNote?.(`${wanted.spec}: npm is not started with --offline; ${instead}`);
    return cached.version;
  }
  try {
    const printed = await withCacheFolder(source.cache, (folder) =>
      npmJson(['view', source.package, 'versions', 'dist-tags'], folder, source.npm, VIEW_MS),
    );
    return chooseVersion(wanted, publishedFrom(printed));
  } catch (error) {
    if (!cached || provisionError(error, wanted.spec).code !== 'offline') throw error;
    onNote?.(`${wanted.spec}: npm cannot reach its registry; ${instead}`);
    return cached.version;
  }
}

/** Keeps the binary alone: guests need nothing else of the package (headers, npm itself). */
async function fetched(source: Source, version: string): Promise<FoundRuntime> {
  const { cache, name, binary, npm, onNote, package: packageName } = source;
  const settings = npm.projectNpmrc ? `, with ${npm.projectNpmrc.file}` : '';
  onNote?.(`fetching ${name}@${version} through npm (${packageName}${settings}) into ${cache}`);
  return withCacheFolder(cache, async (folder) => {
    await npmJson(['install', `${packageName}@${version}`, ...INSTALL_ARGS], folder, npm, INSTALL_MS);
    const installed = join(folder, 'node_modules', packageName, binary);
    if (!statSync(installed, { throwIfNoEntry: false })?.isFile())
      throw new Error(`${packageName} holds no ${binary}`);
    await chmod(installed, 0o755);
    const entry = join(versionsFolder(source), version, basename(binary));
    makeFolder(dirname(entry), 0o700);
    await rename(installed, entry).catch((error: unknown) => {
      // On Windows the binary of a run that was faster cannot be replaced while it runs: it is used.
      if (!isBinary(entry)) throw error;
    });
    return foundRuntime({ name, version }, entry, 'cache');
  });
}

/** @throws ToolError `runtime-no-build` if the runtime does not publish a build for the machine. */
export function npmPackageOf(name: ProgramRuntime, target: BuildTarget): NpmPackage {
  const { npmPackage, installedBy } = RUNTIME_KINDS[name];
  if (installedBy) {
    const detail = `the project has no such version, and it is fetched by nothing but ${installedBy}`;
    throw new ToolError('runtime-missing', { value: name, detail });
  }
  const found = npmPackage(target);
  if (found === null) {
    const machine = `${target.platform}-${target.arch}${target.musl ? ' (musl)' : ''}`;
    throw new ToolError('runtime-no-build', { value: name, detail: machine });
  }
  return found;
}

export const thisTarget = (): BuildTarget => ({
  platform: process.platform,
  arch: process.arch,
  musl: isMusl(),
  avx2: hasAvx2(),
});

/** A report names the glibc that node was started with; on musl there is none. */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const { report } = process;
  // By default a report resolves the name of every network peer, which can take seconds.
  if ('excludeNetwork' in report) report.excludeNetwork = true;
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

function hasAvx2(): boolean {
  if (process.platform !== 'linux' || process.arch !== 'x64') return true;
  return orElse(() => /\bavx2\b/.test(readFileSync('/proc/cpuinfo', 'utf8')), true);
}

// Runs the user's own npm client, which knows proxies and credentials, and checks the integrity of packages. It runs in an
// empty folder: an untrusted `.npmrc` could name a registry, and send it the secrets that `${VARIABLE}` stands for.

interface NpmOptions {
  cwd: string;
  env: Environment;
  /** The project's `.npmrc`, which npm reads too; null: the user's own settings alone. */
  projectNpmrc: { file: string; text: string } | null;
  signal?: AbortSignal | undefined;
}

/** @param code "E404", "ENOTFOUND", "ENOSPC" @param summary first sentence */
const npmError = (code: string, summary: string) => Object.assign(new Error(summary), { code });

const COMMON_ARGS = [
  '--json',
  // Some errors of unpacking are warnings to npm.
  '--loglevel=warn',
  '--update-notifier=false',
  // Logs take a third of npm's time, and are not used.
  '--logs-max=0',
  '--workspaces=false',
  // The default of two retries with 10 s and 60 s between them makes a lost network look like a hang.
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'],
];
const INSTALL_ARGS = [
  ...['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund'],
  // The user's settings may say otherwise.
  ...['--global=false', '--dry-run=false', '--package-lock-only=false', '--install-strategy=hoisted'],
];

const VIEW_MS = 2 * 60_000;
const INSTALL_MS = 15 * 60_000;

/** Runs npm in an empty folder, without a shell. @returns the JSON that it prints @throws Error with npm's code, ToolError */
export async function npmJson(
  args: readonly string[],
  folder: string,
  { cwd, env, projectNpmrc, signal }: NpmOptions,
  timeoutMs: number,
): Promise<unknown> {
  const [file, ...first] = npmCommand(env, cwd);
  if (file === undefined) throw new ToolError('npm-missing');
  // A folder with a package.json is a project to npm: it looks no further up for a `.npmrc`.
  writeFileSync(join(folder, 'package.json'), '{}');
  if (projectNpmrc) writeFileSync(join(folder, '.npmrc'), projectNpmrc.text);
  const options = { cwd: folder, env: userEnvironment(env), timeoutMs, signal };
  const npm = await runToEnd(file, [...first, ...args, ...COMMON_ARGS], options);
  if (npm.notStarted !== null) throw npmError('ESPAWN', npm.notStarted);
  if (npm.isLate) throw npmError('ETIMEDOUT', `npm gave no answer within ${timeoutMs} ms`);
  const printed: unknown = orElse(() => JSON.parse(npm.stdout), undefined);
  // npm ends without an error if a file could not be written completely.
  const isWhole = !npm.stderr.includes('TAR_ENTRY_ERROR');
  if (npm.code === 0 && isWhole && printed !== undefined) return printed;
  throw npmFailure(printed, npm.stderr, npm.code);
}

function npmFailure(printed: unknown, stderr: string, exitCode: number | null): Error {
  const { error } = (printed ?? {}) as { error?: { code?: string; summary?: string } };
  const [, code = 'UNKNOWN', unpackError] =
    /TAR_ENTRY_ERROR (E[A-Z]+): (.*)|^npm (?:error|ERR!) code (\S+)/m.exec(stderr)?.filter(Boolean) ?? [];
  const lastLine = unpackError ?? stderr.trim().split('\n').at(-1);
  const summary = error?.summary || lastLine || `npm ended with exit code ${exitCode}`;
  return npmError(error?.code ?? code, summary.split('\n')[0]!);
}

const NETWORK_CODES = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH'],
  ...['ENOTCACHED', 'ERR_SOCKET_TIMEOUT', 'EIDLETIMEOUT'],
]);

function provisionError(error: unknown, spec: string): ToolError {
  if (error instanceof ToolError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const kind = NETWORK_CODES.has(code) ? 'offline' : isNoSpace(error) ? 'disk-full' : 'provision-failed';
  return new ToolError(kind, { value: spec, detail: message }, { cause: error });
}

function projectNpmrcOf(cwd: string): NpmOptions['projectNpmrc'] {
  for (const folder of projectFolders(cwd)) {
    const file = join(folder, '.npmrc');
    const text = startOf(file);
    if (text !== null) return { file, text };
  }
  return null;
}

/**
 * The environment without the settings of a project: a package manager that started this program has read its `.npmrc`, and
 * passes all settings on as `npm_config_*`. Variables that the user sets are in capitals by custom.
 */
export function userEnvironment(env: Environment): Environment {
  if (!(env.npm_execpath || env.npm_command || env.npm_lifecycle_event)) return env;
  const passedOn = process.platform === 'win32' ? /^npm_config_/i : /^npm_config_/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !passedOn.test(name)));
}

/** The command of npm: its script run by this node (a `.cmd` file needs a shell), else `npm` on PATH; empty without npm. */
function npmCommand(env: Environment, cwd: string): string[] {
  const script = npmScript(env, cwd);
  if (script !== null) return [process.execPath, script];
  const shim = process.platform === 'win32' ? 'npm.exe' : 'npm';
  const files = installedFolders(env, cwd).map((folder) => join(folder, shim));
  return files.filter((file) => existsSync(file)).slice(0, 1);
}

export function npmScript(env: Environment, cwd: string, node: string = process.execPath): string | null {
  const nodeFolder = dirname(node);
  const folders = [join(nodeFolder, '..', 'lib'), nodeFolder, ...installedFolders(env, cwd)];
  const scripts = folders.map((folder) => join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'));
  const script = scripts.find((file) => existsSync(file));
  return script ? realpathSync(script) : null;
}

// The version that a spec means: exact, range, "latest" or a different tag of the platform package.

type WantedRuntime = ReturnType<typeof parseSpec>;

const VERSIONS_SHOWN = 5;

/** A name and the wanted version, by default "latest". @throws ToolError 'runtime-unknown', 'version-malformed' */
export function parseSpec(spec: string) {
  const { name, wanted: given = '' } = parseRuntimeSpec(spec);
  if (!isProgramRuntime(name)) {
    const isBrowser = BROWSER_PROGRAMS.some((one) => one.name === name);
    const facts = isBrowser ? { detail: 'Browsers are never fetched: install it' } : {};
    throw new ToolError('runtime-unknown', { value: spec, names: PROGRAM_RUNTIMES, ...facts });
  }
  const wanted = semver.clean(given) ?? (given.trim() || 'latest');
  // Names that npm takes for a tag, except those that every object has.
  const isTag = /^[a-z][\w.-]*$/i.test(wanted) && !(wanted in Object.prototype);
  if (isNumeric(wanted) || isTag) return { spec, name, wanted };
  throw new ToolError('version-malformed', { value: spec, detail: given });
}

/** Version numbers and ranges, which the cache can answer; tags need npm. */
const isNumeric = (wanted: string): boolean => semver.validRange(wanted) !== null;

const isVersion = (one: unknown): one is string => typeof one === 'string' && semver.valid(one) === one;

export const satisfies = (version: string, wanted: string): boolean =>
  version === wanted || semver.satisfies(version, wanted);

/** Newest first; prereleases (canaries) only when named exactly. */
function newestSatisfying(versions: readonly string[], wanted: string): string | null {
  if (versions.includes(wanted)) return wanted;
  return semver.maxSatisfying(stable(versions), wanted === 'latest' ? '*' : wanted);
}

/**
 * "latest" is the highest stable version and not the tag: the tag of a platform package is what was published last,
 * which may be a fix of an old line. @throws ToolError 'version-unknown'
 */
export function chooseVersion(
  { spec, name, wanted }: WantedRuntime,
  { versions, tags }: ReturnType<typeof publishedFrom>,
): string {
  const tagged = wanted === 'latest' ? undefined : tags.get(wanted);
  const chosen = tagged ?? newestSatisfying(versions, wanted);
  if (chosen !== null) return chosen;
  const newest = newestFirst(stable(versions)).slice(0, VERSIONS_SHOWN);
  throw new ToolError('version-unknown', { value: spec, detail: name, names: newest });
}

/** Texts that are not versions are left out. */
const newestFirst = (versions: readonly string[]): string[] => semver.rsort(versions.filter(isVersion));

const stable = (versions: readonly string[]): string[] =>
  versions.filter((version) => semver.valid(version) && semver.prerelease(version) === null);

/** npm prints one version as a string and several as an array. A registry may answer anything. */
export function publishedFrom(printed: unknown) {
  const { versions, 'dist-tags': tags } = (printed ?? {}) as { versions?: unknown; 'dist-tags'?: unknown };
  const tagged = Object.entries(tags ?? {}).filter(([, version]) => isVersion(version));
  return { versions: [versions ?? []].flat().filter(isVersion), tags: new Map(tagged) };
}
