import { accessSync, constants, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { compareVersions } from '../../core/versions.ts';
import { isInside, projectFolders, projectRoot, realFolder } from '../../machine/folders.ts';
import { ToolError } from '../../model/errors.ts';
import { ENGINE_OF, PROGRAM_RUNTIMES, type ProgramRuntime } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import {
  type FoundRuntime,
  type FoundRuntimes,
  FROM_LINK,
  type MissingRuntime,
} from '../../model/run/runtime.ts';
import { runningRuntime } from '../../probe/running-runtime.ts';
import { type Environment, RUNTIME_KINDS, type RuntimeKind } from './kinds.ts';
import { runToEnd } from './supervisor.ts';

const onWindows = process.platform === 'win32';

export function isBinary(file: string): boolean {
  return orElse(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  }, false);
}

/** Absolute folders of PATH, in its order. */
const pathFolders = (env: Environment): string[] =>
  (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));

/** npx and `npm run` put `node_modules/.bin` of the working folder and of every folder above it on PATH. */
const IN_NODE_MODULES = /(^|[\\/])node_modules([\\/]|$)/;

/**
 * Selects folders whose programs run without a request: not a node_modules, nor the project that `cwd` is in. If the
 * user works in the home folder, the project holds it: programs that are installed there belong to the user.
 */
function installedIn(cwd: string): (folder: string) => boolean {
  const root = realFolder(projectRoot(cwd));
  const holdsHome = isInside(realFolder(homedir()), root);
  return (folder) => {
    const real = realFolder(folder);
    const ofPackages = [folder, real].some((path) => IN_NODE_MODULES.test(path));
    return !ofPackages && (holdsHome || !isInside(real, root));
  };
}

/** True for a folder in the node_modules of a folder above the project, which is never used. */
function isBeyondProject(folder: string, cwd: string): boolean {
  const real = realFolder(folder);
  const owner = real.slice(0, IN_NODE_MODULES.exec(real)?.index ?? real.length) || sep;
  const root = realFolder(projectRoot(cwd));
  return owner !== real && owner !== root && isInside(root, owner);
}

/** Folders of PATH with programs that the user, or the system, installed. */
export const installedFolders = (env: Environment, cwd: string): string[] =>
  pathFolders(env).filter(installedIn(cwd));

const binariesIn = (folders: readonly string[], name: string) =>
  folders.map((folder) => join(folder, onWindows ? `${name}.exe` : name)).filter(isBinary);

/** Every installed binary of this name on PATH, in its order. On Windows only binaries that start without a shell. */
export const onPath = (name: string, env: Environment, cwd: string): string[] =>
  binariesIn(installedFolders(env, cwd), name);

/**
 * Binaries that belong to the project of `cwd`, used only when the user asks for the runtime: what npm installed for
 * it, the nearest node_modules first, and other binaries on PATH (of `npx -p bun`).
 */
export function inProject(name: string, kind: RuntimeKind, env: Environment, cwd: string): string[] {
  const installed = projectFolders(cwd).flatMap((folder) =>
    kind.inNodeModules.flatMap((pattern) => matchingFiles(folder, ['node_modules', ...pattern.split('/')])),
  );
  const isInstalled = installedIn(cwd);
  const others = pathFolders(env).filter((folder) => !isInstalled(folder) && !isBeyondProject(folder, cwd));
  return [...new Set([...installed.filter(isBinary), ...binariesIn(others, name)])];
}

function matchingEntries(folder: string, pattern: string): string[] {
  if (!pattern.includes('*')) return [pattern];
  const [before = '', after = ''] = pattern.split('*');
  return orElse(
    () =>
      readdirSync(folder)
        .filter((entry) => entry.startsWith(before) && entry.endsWith(after))
        .sort(),
    [],
  );
}

/** Files below `folder` that match a path with at most one `*` per part. */
function matchingFiles(folder: string, parts: readonly string[]): string[] {
  const [part, ...rest] = parts;
  if (part === undefined) return [folder];
  return matchingEntries(folder, part).flatMap((entry) => matchingFiles(join(folder, entry), rest));
}

/** Programs at an absolute path with at most one `*` per part. */
export const filesAt = (path: string): string[] =>
  (path.includes('*') ? matchingFiles('/', path.slice(1).split('/')) : [path]).filter(isBinary);

const TIMEOUT_MS = 15_000;

/** First line that a program prints; '' when it cannot be run. */
async function firstLine(binary: string, args: string[], env: Environment = {}): Promise<string> {
  const run = { cwd: process.cwd(), env: { ...process.env, ...env }, timeoutMs: TIMEOUT_MS };
  // An empty text stands for a file that is not a program of this system (UNKNOWN on Windows).
  const { stdout } = await runToEnd(binary, args, run).catch(() => ({ stdout: '' }));
  return stdout.split('\n', 1)[0]!.trim();
}

/** Reads the version of the package if the binary prints all but the last part. */
function exactVersion(told: string, file: string): string {
  const read = () => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  const version = orElse(read, told);
  const known = told.slice(0, told.lastIndexOf('.') + 1);
  return version.startsWith(known) && /^\d+$/.test(version.slice(known.length)) ? version : told;
}

async function askVersion(binary: string): Promise<Identity | null> {
  for (const name of PROGRAM_RUNTIMES) {
    const { askedBy, versionIn } = RUNTIME_KINDS[name];
    if (!askedBy?.name.test(basename(binary))) continue;
    const version = versionIn(await firstLine(binary, askedBy.args, askedBy.env));
    if (version !== null) return { name, version };
  }
  const printed = await firstLine(binary, ['--version']);
  for (const name of PROGRAM_RUNTIMES) {
    const { askedBy, versionIn, versionFile, confirm } = RUNTIME_KINDS[name];
    if (askedBy) continue;
    const told = versionIn(printed);
    if (told === null) continue;
    const version =
      versionFile === undefined ? told : exactVersion(told, join(dirname(realpathSync(binary)), versionFile));
    if (!confirm || confirm.matches(version, await firstLine(binary, confirm.args))) return { name, version };
  }
  return null;
}

const identities = new Map<string, Promise<Identity | null>>();

/** Which runtime a binary is; null for any other program. Runs it once as long as the file does not change. */
export function identify(binary: string): Promise<Identity | null> {
  const file = realpathSync(binary);
  const key = `${file}\0${statSync(file).mtimeMs}`;
  const identity = identities.get(key) ?? askVersion(binary);
  identities.set(key, identity);
  return identity;
}

/** Name and version of a binary. */
interface Identity {
  name: ProgramRuntime;
  version: string;
}

/** @param program its name for `-r` @param oldest version that works */
export const foundProgram = (
  program: string,
  found: Pick<FoundRuntime, 'name' | 'version' | 'binary' | 'from'>,
  oldest: string,
): FoundRuntime => ({
  ...{ ...found, engine: ENGINE_OF[found.name], spec: `${program}@${found.version}` },
  ...(compareVersions(found.version, oldest) < 0 && { needs: oldest }),
});

/** @param from see FoundRuntime */
export const foundRuntime = ({ name, version }: Identity, binary: string, from: string): FoundRuntime =>
  foundProgram(name, { name, version, binary, from }, RUNTIME_KINDS[name].oldest);

/** The runtime that this code runs in. */
export const running = (): FoundRuntime => foundRuntime(runningRuntime(), process.execPath, 'running');

/** Each binary once, also when several links lead to it. */
export function uniqueBinaries(runtimes: FoundRuntime[]): FoundRuntime[] {
  const files = runtimes.map(({ binary, from }) => (from === FROM_LINK ? binary : realpathSync(binary)));
  return runtimes.filter((_, i) => files.indexOf(files[i]!) === i);
}

/** Too old ones are missing, each under the version that was found. */
export function usable(all: FoundRuntime[], missing: readonly MissingRuntime[]): FoundRuntimes {
  const unique = uniqueBinaries(all);
  const old = unique.flatMap(({ spec, name, binary, needs }): MissingRuntime[] => {
    if (needs === undefined) return [];
    const facts = { runtime: spec, binary, oldest: `${name}@${needs}` };
    return [{ spec, error: new ToolError('runtime-too-old', facts) }];
  });
  return { found: unique.filter(({ needs }) => needs === undefined), missing: [...missing, ...old] };
}
