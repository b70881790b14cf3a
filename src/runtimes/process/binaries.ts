import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import { runningRuntime } from '../../engines/probe/process.ts';
import { compareVersions } from '../../engines/versions/versions.ts';
import { isInside, projectFolders, projectRoot, realFolder } from '../../machine/folders.ts';
import { ENGINE_OF, type ProgramRuntime } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { type FoundRuntime, FROM_LINK } from '../../model/run/runtime.ts';
import { type Ask, type Environment, RUNTIME_KINDS } from './kinds.ts';
import { runToEnd } from './supervisor.ts';

const onWindows = process.platform === 'win32';

export function isBinary(file: string): boolean {
  return orElse(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  }, false);
}

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
export function inProject(name: ProgramRuntime, env: Environment, cwd: string): string[] {
  const installed = projectFolders(cwd).flatMap((folder) =>
    RUNTIME_KINDS[name].inNodeModules.flatMap((pattern) => filesAt(`node_modules/${pattern}`, folder)),
  );
  const isInstalled = installedIn(cwd);
  const others = pathFolders(env).filter((folder) => !isInstalled(folder) && !isBeyondProject(folder, cwd));
  return [...new Set([...installed, ...binariesIn(others, name)])];
}

/** Programs at an absolute path, or below `folder`. One part may have a `*`, which a name in that folder fills in. */
export function filesAt(path: string, folder = '/'): string[] {
  const [, above = '', before, after = '', below = ''] =
    /^(.*\/)?([^/*]*)\*([^/*]*)(\/.*)?$/.exec(path) ?? [];
  if (before === undefined) return [resolve(folder, path)].filter(isBinary);
  return orElse(() => readdirSync(resolve(folder, above)), [])
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .sort()
    .map((name) => resolve(folder, `${above}${name}${below}`))
    .filter(isBinary);
}

const ASK_MS = 15_000;

export const ask: Ask = (file, args, env = {}) =>
  runToEnd(file, args, { cwd: process.cwd(), env: { ...process.env, ...env }, timeoutMs: ASK_MS })
    .then(({ stdout, stderr }) => `${stdout}\n${stderr}`)
    // It is not a program of this system (UNKNOWN on Windows).
    .catch(() => '');

/** @param program name for `-r` @param oldest version that works */
export const foundProgram = (
  program: string,
  found: Pick<FoundRuntime, 'name' | 'version' | 'binary' | 'from'>,
  oldest: string,
): FoundRuntime => ({
  ...{ ...found, engine: ENGINE_OF[found.name], spec: `${program}@${found.version}` },
  ...(compareVersions(found.version, oldest) < 0 && { needs: oldest }),
});

export const foundRuntime = (
  { name, version }: { name: ProgramRuntime; version: string },
  binary: string,
  from: string,
): FoundRuntime => foundProgram(name, { name, version, binary, from }, RUNTIME_KINDS[name].oldest);

export const running = (): FoundRuntime => foundRuntime(runningRuntime(), process.execPath, 'running');

/** Several links may lead to one binary. */
export function uniqueBinaries(runtimes: FoundRuntime[]): FoundRuntime[] {
  const files = runtimes.map(({ binary, from }) => (from === FROM_LINK ? binary : realpathSync(binary)));
  return runtimes.filter((_, i) => files.indexOf(files[i]!) === i);
}
