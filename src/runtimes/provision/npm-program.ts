/** The npm client of the user: a script or a program of this machine, never one of the project. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { installedFolders } from '../process/binaries.ts';
import type { Environment } from '../process/kind.ts';

export interface NpmOptions {
  /** The user's folder. */
  cwd: string;
  env: Environment;
  /** npm also reads the `.npmrc` of the project of `cwd`. */
  projectNpmrc: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Runs before npm, in its process. When this program ends, even by SIGKILL, the pipe to npm's stdin closes, and npm ends too
 * instead of going on with its download.
 */
const BEFORE_NPM = `process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume().unref();
import(require('node:url').pathToFileURL(process.argv[1]).href);`;

/** The command of npm: its script run by this node (a `.cmd` file needs a shell), else `npm` on PATH; empty without npm. */
export function npmCommand(env: Environment, cwd: string): string[] {
  const script = npmScript(env, cwd);
  if (script !== null) return [process.execPath, '--input-type=commonjs', '-e', BEFORE_NPM, '--', script];
  const shim = process.platform === 'win32' ? 'npm.exe' : 'npm';
  const files = installedFolders(env, cwd).map((folder) => join(folder, shim));
  return files.filter((file) => existsSync(file)).slice(0, 1);
}

/** Path of npm-cli.js; null if there is none. */
export function npmScript(env: Environment, cwd: string, node: string = process.execPath): string | null {
  const nodeFolder = dirname(node);
  const scripts = [
    npmScriptOf(env.npm_execpath),
    join(nodeFolder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...[nodeFolder, ...installedFolders(env, cwd)].map((folder) =>
      join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ),
  ];
  const script = scripts.find((file) => file !== null && existsSync(file));
  return script ? realpathSync(script) : null;
}

/** `npm_execpath` is also set by yarn and pnpm, and by npx to its own script in the same folder. */
function npmScriptOf(path: string | undefined): string | null {
  if (!path || !/^(npm|npx)-cli\.[cm]?js$/.test(basename(path))) return null;
  return join(dirname(path), basename(path).replace('npx', 'npm'));
}
