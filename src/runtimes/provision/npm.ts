/**
 * Runs the user's own npm client, which knows proxies and credentials, and checks the integrity of packages. It runs in an empty
 * folder: an untrusted `.npmrc` could name a registry, and send it the secrets that `${VARIABLE}` stands for.
 */
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectFolders } from '../../machine/folders.ts';
import { startOf } from '../../machine/given-file.ts';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import { installedFolders } from '../process/binaries.ts';
import type { Environment } from '../process/kinds.ts';
import { runToEnd } from '../process/supervisor.ts';

export interface NpmOptions {
  cwd: string;
  env: Environment;
  /** The project's `.npmrc`, which npm reads too; null: the user's own settings alone. */
  projectNpmrc: { file: string; text: string } | null;
  signal?: AbortSignal | undefined;
}

/** npm ended with an error: its code ("E404", "ENOTFOUND", "ENOSPC") and first sentence. */
const npmError = (code: string, summary: string) => Object.assign(new Error(summary), { code });

/** npm's default of two retries with 10 s and 60 s between them makes a lost network look like a hang. */
const RETRY_ARGS = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
const COMMON_ARGS = [
  '--json',
  // Some errors of unpacking are warnings to npm.
  '--loglevel=warn',
  '--update-notifier=false',
  // Logs take a third of npm's time, and are not used.
  '--logs-max=0',
  '--workspaces=false',
];
const INSTALL_ARGS = [
  ...['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund'],
  // The user's settings may say otherwise.
  ...['--global=false', '--dry-run=false', '--package-lock-only=false', '--install-strategy=hoisted'],
];

const VIEW_MS = 2 * 60_000;
const INSTALL_MS = 15 * 60_000;

/** Returns the JSON that `npm view` prints. @param folder empty: npm works in it @throws Error with the code of npm, ToolError */
export const npmView = (
  packageName: string,
  fields: readonly string[],
  folder: string,
  npm: NpmOptions,
  timeoutMs = VIEW_MS,
): Promise<unknown> => npmJson(['view', packageName, ...fields], folder, npm, timeoutMs);

/** Installs the package into the `node_modules` of an empty folder. @throws Error with the code of npm, ToolError */
export const npmInstall = (packageName: string, version: string, folder: string, npm: NpmOptions) =>
  npmJson(['install', `${packageName}@${version}`, ...INSTALL_ARGS], folder, npm, INSTALL_MS);

/** Runs npm by its argv, without a shell, and returns the JSON that it prints. */
async function npmJson(
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
  const npm = await runToEnd(file, [...first, ...args, ...COMMON_ARGS, ...RETRY_ARGS], options);
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
  const [, unpackCode, unpackError] = /TAR_ENTRY_ERROR (E[A-Z]+): (.*)/.exec(stderr) ?? [];
  const code = error?.code ?? unpackCode ?? /^npm (?:error|ERR!) code (\S+)/m.exec(stderr)?.[1] ?? 'UNKNOWN';
  const lastLine = unpackError ?? stderr.trim().split('\n').at(-1);
  const summary =
    error?.summary ||
    lastLine ||
    `npm ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}`;
  return npmError(code, summary.split('\n')[0] ?? summary);
}

const NETWORK_CODES = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH'],
  ...['ENOTCACHED', 'ERR_SOCKET_TIMEOUT', 'EIDLETIMEOUT'],
]);

/** The ToolError for an error of npm or of the file system; a ToolError is returned unchanged. */
export function provisionError(error: unknown, spec: string): ToolError {
  if (error instanceof ToolError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const facts = { value: spec, detail: message };
  const because = { cause: error };
  if (NETWORK_CODES.has(code)) return new ToolError('offline', facts, because);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ToolError('disk-full', facts, because);
  return new ToolError('provision-failed', facts, because);
}

/** The nearest `.npmrc` of the project of `cwd`; null if there is none. */
export function projectNpmrcOf(cwd: string): NpmOptions['projectNpmrc'] {
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
