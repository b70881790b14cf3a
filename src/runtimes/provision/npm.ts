/** Runs the user's own npm client, which knows the registry, proxies, credentials, and checks integrity. */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../../model/errors.ts';
import { pathFolders } from '../find/binaries.ts';
import { killTree } from '../process/kill-tree.ts';
import type { Environment } from '../process/kind.ts';

export interface NpmOptions {
  /** The user's folder, where npm reads the .npmrc of the project. */
  cwd: string;
  env: Environment;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

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

/** Runs npm by its argv, without a shell, and gives the JSON it printed. @throws NpmFailure, ToolError */
export async function npmJson(args: readonly string[], options: NpmOptions): Promise<unknown> {
  const [file, ...first] = npmCommand(options.env);
  if (file === undefined) throw new ToolError('npm-missing');
  const { code, stdout, stderr } = await run(file, [...first, ...args, ...JSON_ARGS, ...RETRY_ARGS], options);
  const printed = parsed(stdout);
  if (code === 0 && printed !== undefined) return printed;
  throw failureOf(printed, stderr, code);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf(printed: unknown, stderr: string, exitCode: number | null): NpmFailure {
  const { error } = (printed ?? {}) as { error?: { code?: string; summary?: string } };
  const code = error?.code ?? /^npm (?:error|ERR!) code (\S+)/m.exec(stderr)?.[1] ?? 'UNKNOWN';
  const lastLine = stderr.trim().split('\n').at(-1);
  const summary = error?.summary || lastLine || `npm ended with exit code ${exitCode}`;
  return new NpmFailure(code, summary.split('\n')[0] ?? summary);
}

/**
 * Runs before npm. When this program ends, even by SIGKILL, the pipe to npm's stdin closes, and npm ends too instead of
 * going on with its download.
 */
const EXIT_WITH_PARENT = `const { pathToFileURL } = require('node:url');
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume().unref();
import(pathToFileURL(process.argv[1]).href);`;

/** How to start npm: its script run by this node (a `.cmd` file needs a shell), else `npm` on PATH; empty without npm. */
export function npmCommand(env: Environment, node: string = process.execPath): string[] {
  const nodeFolder = dirname(node);
  const scripts = [
    npmScriptOf(env.npm_execpath),
    join(nodeFolder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(nodeFolder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...pathFolders(env).map((folder) => join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js')),
  ];
  const script = scripts.find((file) => file !== null && existsSync(file));
  if (script) return [node, '--input-type=commonjs', '-e', EXIT_WITH_PARENT, '--', realpathSync(script)];
  const shim = process.platform === 'win32' ? 'npm.exe' : 'npm';
  const command = pathFolders(env).map((folder) => join(folder, shim));
  return command.filter((file) => existsSync(file)).slice(0, 1);
}

/** `npm_execpath` is also set by yarn and pnpm, and by npx to its own script in the same folder. */
function npmScriptOf(path: string | undefined): string | null {
  if (!path || !/^(npm|npx)-cli\.[cm]?js$/.test(basename(path))) return null;
  return join(dirname(path), basename(path).replace('npx', 'npm'));
}

interface NpmExit {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(file: string, args: string[], options: NpmOptions): Promise<NpmExit> {
  return new Promise((resolve, reject) => {
    const { cwd, env, signal, timeoutMs } = options;
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
      reason = error;
      if (child.pid !== undefined) killTree(child.pid);
    };
    const onAbort = () => stop(new ToolError('interrupted'));
    const onTimeout = () => stop(new NpmFailure('ETIMEDOUT', `npm gave no answer within ${timeoutMs} ms`));
    const timer = setTimeout(onTimeout, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
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
}
