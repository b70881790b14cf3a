/** The user's own npm client: registry, proxy, mirror, credentials and integrity are its business, never ours. */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { ToolError } from '../../model/errors.ts';

export type Env = Record<string, string | undefined>;

export interface NpmOptions {
  /** The user's folder: an .npmrc of the project counts. */
  cwd: string;
  env: Env;
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
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
const QUIET = [
  '--json',
  '--loglevel=error',
  '--update-notifier=false',
  '--ignore-scripts',
  '--dry-run=false',
];
const KEPT_STDERR = 8_000;

/** Runs npm by its argv, without a shell, and gives the JSON it printed. @throws NpmFailure, ToolError */
export async function npmJson(args: readonly string[], options: NpmOptions): Promise<unknown> {
  const [file, ...first] = npmCommand(options.env);
  if (file === undefined) throw new ToolError('npm-missing');
  const { code, stdout, stderr } = await run(file, [...first, ...args, ...QUIET, ...PATIENCE], options);
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
  const lastWord = stderr.trim().split('\n').at(-1);
  const summary = error?.summary || lastWord || `npm ended with exit code ${exitCode}`;
  return new NpmFailure(code, summary.split('\n')[0] ?? summary);
}

/**
 * Run in front of npm: when this program dies, even of SIGKILL, the pipe to npm's stdin closes and npm ends too.
 * Else it would go on with a download that nobody waits for.
 */
const LIFELINE = `const { pathToFileURL } = require('node:url');
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume().unref();
import(pathToFileURL(process.argv[1]).href);`;

/**
 * How to start npm: its JavaScript run by this node (a `.cmd` file needs a shell), else the `npm` on PATH.
 * Empty when there is none.
 */
export function npmCommand(env: Env, node: string = process.execPath): string[] {
  const besideNode = dirname(node);
  const scripts = [
    npmScriptNamedBy(env.npm_execpath),
    join(besideNode, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(besideNode, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...pathFolders(env).map((folder) => join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js')),
  ];
  const script = scripts.find((file) => file !== null && existsSync(file));
  if (script) return [node, '--input-type=commonjs', '-e', LIFELINE, '--', realpathSync(script)];
  const shim = process.platform === 'win32' ? 'npm.exe' : 'npm';
  const command = pathFolders(env).map((folder) => join(folder, shim));
  return command.filter((file) => existsSync(file)).slice(0, 1);
}

/** `npm_execpath` is also set by yarn and pnpm, and by npx to its own script, which lies beside npm's. */
function npmScriptNamedBy(path: string | undefined): string | null {
  if (!path || !/^(npm|npx)-cli\.[cm]?js$/.test(basename(path))) return null;
  return join(dirname(path), basename(path).replace('npx', 'npm'));
}

function pathFolders(env: Env): string[] {
  return (env.PATH ?? env.Path ?? '').split(delimiter).filter(Boolean);
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(file: string, args: string[], options: NpmOptions): Promise<Ended> {
  return new Promise((done, fail) => {
    const { cwd, env, signal, timeoutMs } = options;
    if (signal?.aborted) return fail(new ToolError('interrupted'));
    // A group of its own, so that whatever npm starts ends with it.
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
      killGroup(child.pid);
    };
    const onAbort = () => stop(new ToolError('interrupted'));
    const onTimeout = () => stop(new NpmFailure('ETIMEDOUT', `npm gave no answer within ${timeoutMs} ms`));
    const timer = setTimeout(onTimeout, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr = (stderr + text).slice(-KEPT_STDERR);
    });
    child.on('error', (error) => (reason ??= new NpmFailure('ESPAWN', error.message)));
    child.on('close', (code) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (reason) fail(reason);
      else done({ code, stdout, stderr });
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
