/**
 * Runs the user's own npm client, which knows the registry, proxies, credentials, and checks integrity. It runs outside
 * the project: an untrusted `.npmrc` could name a registry, and send it what `${VARIABLE}` stands for.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withTempFolder } from '../../machine/temp-folders.ts';
import { ToolError } from '../../model/errors.ts';
import { installedFolders } from '../process/binaries.ts';
import type { Environment } from '../process/kind.ts';
import { killTree } from '../process/supervisor.ts';
import { BEFORE_NPM, limitIn, tooMuch } from './npm-limits.ts';

export interface NpmOptions {
  /** The user's folder. */
  cwd: string;
  env: Environment;
  /** npm also reads the `.npmrc` of the project: the user said so. */
  projectNpmrc: boolean;
  /** The cache, for the folder that npm runs in. */
  cache: string;
  timeoutMs: number;
  /** The most that it may get from its registry. */
  mostBytes: number;
  signal?: AbortSignal | undefined;
  /** Runs it. Default: as a process. */
  run?: RunNpm | undefined;
}

export interface NpmExit {
  code: number | null;
  stdout: string;
  stderr: string;
}

export type RunNpm = (file: string, args: string[], options: NpmOptions) => Promise<NpmExit>;

/** npm ended with an error: its code ("E404", "ENOTFOUND", "ENOSPC") and first sentence. */
export class NpmFailure extends Error {
  override name = 'NpmFailure';
  readonly code: string;
  constructor(code: string, summary: string) {
    super(summary);
    this.code = code;
  }
}

/** npm's default of two retries with 10 s and 60 s between them makes a lost network look like a hang. */
const RETRY_ARGS = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
const JSON_ARGS = [
  '--json',
  '--loglevel=error',
  '--update-notifier=false',
  '--ignore-scripts',
  '--dry-run=false',
];
const STDERR_CHARS = 8_000;
/** The versions of a package, or the facts of one version. */
const STDOUT_CHARS = 16 * 2 ** 20;

/** Runs npm by its argv, without a shell, and gives the JSON it printed. @throws NpmFailure, ToolError */
export async function npmJson(args: readonly string[], options: NpmOptions): Promise<unknown> {
  const [file, ...first] = npmCommand(options.env, options.cwd);
  if (file === undefined) throw new ToolError('npm-missing');
  const all = [...first, ...args, ...JSON_ARGS, ...RETRY_ARGS];
  const { run = asProcess } = options;
  const { code, stdout, stderr } = options.projectNpmrc
    ? await run(file, all, options)
    : await outsideProject(options, (place) => run(file, [...all, '--workspaces=false'], place));
  const printed = parsed(stdout);
  if (code === 0 && printed !== undefined) return printed;
  throw npmFailure(printed, stderr, code);
}

/** A folder with a package.json is a project of its own to npm: it looks no further up for a `.npmrc`. */
function outsideProject<T>(options: NpmOptions, use: (options: NpmOptions) => Promise<T>): Promise<T> {
  return withTempFolder(join(options.cache, 'tmp'), async (cwd) => {
    await writeFile(join(cwd, 'package.json'), '{}');
    return use({ ...options, cwd, env: ownSettings(options.env) });
  });
}

/**
 * The environment without what a package manager that started this program read from the project's `.npmrc`: it passes
 * all settings on as `npm_config_*`. What the user sets is in capitals by custom, and in the user's own `.npmrc`.
 */
export function ownSettings(env: Environment): Environment {
  if (!env.npm_execpath && !env.npm_command && !env.npm_lifecycle_event) return env;
  const passedOn = process.platform === 'win32' ? /^npm_config_/i : /^npm_config_/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !passedOn.test(name)));
}

const answers = new WeakMap<Environment, Map<string, Promise<unknown>>>();

/** The same question of the same user is asked once in a process, unless it failed. */
export function oncePerProcess<T>(
  { env, cwd, projectNpmrc }: NpmOptions,
  question: string,
  ask: () => Promise<T>,
): Promise<T> {
  const known = answers.get(env) ?? new Map<string, Promise<unknown>>();
  answers.set(env, known);
  const key = projectNpmrc ? `${question} ${cwd}` : question;
  const asked = (known.get(key) as Promise<T> | undefined) ?? ask();
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  return asked;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function npmFailure(printed: unknown, stderr: string, exitCode: number | null): NpmFailure {
  const { error } = (printed ?? {}) as { error?: { code?: string; summary?: string } };
  const code = error?.code ?? /^npm (?:error|ERR!) code (\S+)/m.exec(stderr)?.[1] ?? 'UNKNOWN';
  const lastLine = stderr.trim().split('\n').at(-1);
  const summary = error?.summary || lastLine || `npm ended with exit code ${exitCode}`;
  return new NpmFailure(code, summary.split('\n')[0] ?? summary);
}

/** How to start npm: its script run by this node (a `.cmd` file needs a shell), else `npm` on PATH; empty without npm. */
export function npmCommand(env: Environment, cwd: string, node: string = process.execPath): string[] {
  const nodeFolder = dirname(node);
  const folders = installedFolders(env, cwd);
  const scripts = [
    npmScriptOf(env.npm_execpath),
    join(nodeFolder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(nodeFolder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...folders.map((folder) => join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js')),
  ];
  const script = scripts.find((file) => file !== null && existsSync(file));
  if (script) return [node, '--input-type=commonjs', '-e', BEFORE_NPM, '--', realpathSync(script)];
  const shim = process.platform === 'win32' ? 'npm.exe' : 'npm';
  return folders
    .map((folder) => join(folder, shim))
    .filter((file) => existsSync(file))
    .slice(0, 1);
}

/** `npm_execpath` is also set by yarn and pnpm, and by npx to its own script in the same folder. */
function npmScriptOf(path: string | undefined): string | null {
  if (!path || !/^(npm|npx)-cli\.[cm]?js$/.test(basename(path))) return null;
  return join(dirname(path), basename(path).replace('npx', 'npm'));
}

const asProcess: RunNpm = (file, args, options) => {
  return new Promise((resolve, reject) => {
    const { cwd, signal, timeoutMs } = options;
    const env = { ...options.env, ...limitIn(options.mostBytes) };
    if (signal?.aborted) return reject(new ToolError('interrupted'));
    // A process group of its own, so that all that npm starts ends with it.
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    let [stdout, stderr] = ['', ''];
    let reason: Error | null = null;
    const stop = (error: Error) => {
      reason ??= error;
      if (child.pid !== undefined) killTree(child.pid);
    };
    const onAbort = () => stop(new ToolError('interrupted'));
    const onTimeout = () => stop(new NpmFailure('ETIMEDOUT', `npm gave no answer within ${timeoutMs} ms`));
    const timer = setTimeout(onTimeout, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      if (stdout.length > STDOUT_CHARS)
        stop(new NpmFailure('ETOOLARGE', tooMuch('npm prints', STDOUT_CHARS)));
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr = (stderr + text).slice(-STDERR_CHARS);
    });
    child.on('error', (error) => (reason ??= new NpmFailure('ESPAWN', error.message)));
    child.on('close', (code) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (reason) reject(reason);
      else resolve({ code, stdout, stderr });
    });
  });
};
