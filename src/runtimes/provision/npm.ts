/**
 * Runs the user's own npm client, which knows proxies and credentials, and checks the integrity of packages. It runs in an empty
 * folder: an untrusted `.npmrc` could name a registry, and send it the secrets that `${VARIABLE}` stands for.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import { killTree } from '../process/supervisor.ts';
import { type NpmOptions, npmCommand } from './npm-program.ts';
import { npmEnvironment, projectSettingsFile } from './registry.ts';

/** One run of npm. */
interface NpmRun extends NpmOptions {
  /** An empty folder, which npm works in. */
  folder: string;
  packageName: string;
  timeoutMs?: number;
}

type TimedRun = NpmRun & { timeoutMs: number };

/** npm ended with an error: its code ("E404", "ENOTFOUND", "ENOSPC") and first sentence. */
class NpmFailure extends Error {
  override name = 'NpmFailure';
  readonly code: string;
  constructor(code: string, summary: string) {
    super(summary);
    this.code = code;
  }
}

/** npm's default of two retries with 10 s and 60 s between them makes a lost network look like a hang. */
const RETRY_ARGS = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
const COMMON_ARGS = [
  '--json',
  // Some errors of unpacking are warnings to npm.
  '--loglevel=warn',
  '--update-notifier=false',
  '--workspaces=false',
];
const INSTALL_ARGS = [
  ...['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund'],
  // The user's settings may say otherwise.
  ...['--global=false', '--dry-run=false', '--package-lock-only=false', '--install-strategy=hoisted'],
];
const STDERR_CHARS = 8_000;

const VIEW_MS = 2 * 60_000;
const INSTALL_MS = 15 * 60_000;

/** Returns the JSON that `npm view` prints. @throws NpmFailure, ToolError */
export const npmView = (fields: readonly string[], run: NpmRun): Promise<unknown> =>
  npmJson(['view', run.packageName, ...fields], { timeoutMs: VIEW_MS, ...run });

/** Installs the package into the `node_modules` of `run.folder`. @throws NpmFailure, ToolError */
export const npmInstall = (version: string, run: NpmRun): Promise<unknown> =>
  npmJson(['install', `${run.packageName}@${version}`, ...INSTALL_ARGS], { timeoutMs: INSTALL_MS, ...run });

/** Runs npm by its argv, without a shell, and returns the JSON that it prints. */
async function npmJson(args: readonly string[], run: TimedRun): Promise<unknown> {
  const command = npmCommand(run.env, run.cwd);
  if (command.length === 0) throw new ToolError('npm-missing');
  // A folder with a package.json is a project to npm: it looks no further up for a `.npmrc`.
  writeFileSync(join(run.folder, 'package.json'), '{}');
  const settings = run.projectNpmrc ? projectSettingsFile(run.cwd) : null;
  if (settings !== null) copyFileSync(settings, join(run.folder, '.npmrc'));
  const { code, stdout, stderr } = await execute([...command, ...args, ...COMMON_ARGS, ...RETRY_ARGS], run);
  const printed: unknown = orElse(() => JSON.parse(stdout), undefined);
  // npm ends without an error where a file could not be written whole.
  const isWhole = !stderr.includes('TAR_ENTRY_ERROR');
  if (code === 0 && isWhole && printed !== undefined) return printed;
  throw npmFailure(printed, stderr, code);
}

function npmFailure(printed: unknown, stderr: string, exitCode: number | null): NpmFailure {
  const { error } = (printed ?? {}) as { error?: { code?: string; summary?: string } };
  const [, unpackCode, unpackError] = /TAR_ENTRY_ERROR (E[A-Z]+): (.*)/.exec(stderr) ?? [];
  const code = error?.code ?? unpackCode ?? /^npm (?:error|ERR!) code (\S+)/m.exec(stderr)?.[1] ?? 'UNKNOWN';
  const lastLine = unpackError ?? stderr.trim().split('\n').at(-1);
  const summary =
    error?.summary ||
    lastLine ||
    `npm ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}`;
  return new NpmFailure(code, summary.split('\n')[0] ?? summary);
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
  if (error instanceof NpmFailure && NETWORK_CODES.has(code)) return new ToolError('offline', facts, because);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ToolError('disk-full', facts, because);
  return new ToolError('provision-failed', facts, because);
}

interface NpmExit {
  code: number | null;
  stdout: string;
  stderr: string;
}

function execute([file = '', ...args]: string[], run: TimedRun): Promise<NpmExit> {
  return new Promise((resolve, reject) => {
    const { folder, signal, timeoutMs } = run;
    if (signal?.aborted) return reject(new ToolError('interrupted'));
    // It leads a process group, so that all that npm starts ends with it.
    const child = spawn(file, args, {
      ...{ cwd: folder, env: npmEnvironment(run.packageName, run), stdio: ['pipe', 'pipe', 'pipe'] },
      ...{ detached: process.platform !== 'win32', windowsHide: true },
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
}
