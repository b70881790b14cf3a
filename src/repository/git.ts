/** Runs git in a repository that is not trusted. */
import { type ChildProcess, spawn } from 'node:child_process';
import { ToolError } from '../model/errors.ts';
import { onPath } from '../runtimes/process/binaries.ts';
import type { Environment } from '../runtimes/process/kinds.ts';

export interface GitOptions {
  cwd: string;
  env: Environment;
  signal?: AbortSignal | undefined;
}

/** Variables that git sets for its hooks: they would redirect git to that repository in any folder. */
const OF_A_HOOK = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR'];

/**
 * Prevents fetches for any config of the repository: a partial clone fetches missing objects by a program that this
 * config names. GIT_NO_LAZY_FETCH needs git 2.45, GIT_ALLOW_PROTOCOL works in older ones too.
 */
const NO_FETCH = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' };

/** `refs/replace` would show a different tree under the id of a commit. */
const NO_REPLACING = { GIT_NO_REPLACE_OBJECTS: '1' };

/** Ambiguous names are refused, so git must warn about them. */
const CONFIG = ['-c', 'core.warnAmbiguousRefs=true'];

/**
 * Starts git. Callers use only commands that read objects (`rev-parse`, `ls-tree`, `cat-file`): unlike a checkout they
 * run no hook, filter or monitor, and write nothing. @throws ToolError 'git-missing', 'interrupted'
 */
export function startGit(args: readonly string[], { cwd, env, signal }: GitOptions): ChildProcess {
  if (signal?.aborted) throw new ToolError('interrupted');
  const [binary] = onPath('git', env, cwd);
  if (binary === undefined) throw new ToolError('git-missing');
  const inherited = Object.entries(env).filter(([name]) => !OF_A_HOOK.includes(name));
  return spawn(binary, [...CONFIG, ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...NO_FETCH, ...NO_REPLACING, LC_ALL: 'C' },
    ...(signal ? { signal, killSignal: 'SIGKILL' as const } : {}),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

interface GitRun {
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

/** Runs git and returns its whole output. @throws ToolError 'git-missing', 'interrupted' */
export async function git(args: readonly string[], options: GitOptions): Promise<GitRun> {
  const child = startGit(args, options);
  child.stdin?.end();
  const pieces: Buffer[] = [];
  child.stdout?.on('data', (piece: Buffer) => pieces.push(piece));
  const { code, stderr } = await endOf(child, options);
  return { code, stdout: Buffer.concat(pieces), stderr };
}

const MAX_STDERR = 4000;

/** Waits until git ends. @throws ToolError 'git-missing' if it could not be started, 'interrupted' */
export function endOf(
  child: ChildProcess,
  { signal }: Pick<GitOptions, 'signal'>,
): Promise<Pick<GitRun, 'code' | 'stderr'>> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, MAX_STDERR);
    });
    // Git may end before it has read its whole input.
    child.stdin?.on('error', () => undefined);
    child.on('error', () => reject(new ToolError(signal?.aborted ? 'interrupted' : 'git-missing')));
    child.on('close', (code, by) => {
      // Ctrl-C reaches git too, possibly before this process.
      if (by === 'SIGINT') reject(new ToolError('interrupted'));
      else resolve({ code, stderr: by === null ? stderr : `fatal: git was ended by ${by}\n` });
    });
  });
}
