/** Starts child processes, and ends each with all that it started: also when this process ends, or is killed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Duplex, Readable } from 'node:stream';
import { processIds } from '../../machine/machine.ts';
import { ownedPath } from '../../machine/temp-folders.ts';
import { ToolError } from '../../model/errors.ts';
import { attempt, orElse } from '../../model/or-else.ts';
import type { Body } from '../guests/connected-guest.ts';
import type { Environment } from './kinds.ts';

/** Set when this process has an IPC channel to its parent: the file descriptor does not exist in a child. */
export const WITHOUT_IPC = { NODE_CHANNEL_FD: undefined, NODE_CHANNEL_SERIALIZATION_MODE: undefined };

/** Prefix of folders with the profile of a browser. */
export const PROFILE = 'clone-prof-browser-';

/**
 * Variable of each child, which its own children inherit: on Linux it finds processes that left their group (setsid,
 * `detached: true`). A process that was started without it is out of reach. Its value names this process, and the child.
 */
const MARK_ENV = 'CLONE_PROF_GUEST';
export const HOST_MARK = randomBytes(12).toString('hex');
let marks = 0;

/** Marks have one length: payloads may hold the environment. */
export const newMark = (): Record<string, string> => ({
  [MARK_ENV]: `${HOST_MARK}-${String(++marks).padStart(6, '0')}`,
});

/**
 * The environment of a process cannot be read for a moment while it becomes a different program (execve). No process is
 * left when two looks in a row found none.
 */
const QUIET_LOOKS = 2;
const PAUSE_MS = 10;
/** Limit for a process that starts others faster than they are ended. */
const MAX_LOOKS = 50;

/** Kills the processes that were started with `text` in their environment, until none is left. Exit handlers call it too. */
export function endWithVariable(text: string): void {
  if (process.platform !== 'linux') return;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let [look, quiet] = [1, 0]; look < MAX_LOOKS; look++) {
    const pids = pidsWith(text);
    // ESRCH: it has ended.
    for (const pid of pids) attempt(() => process.kill(pid, 'SIGKILL'));
    quiet = pids.length === 0 ? quiet + 1 : 0;
    if (quiet === QUIET_LOOKS) return;
    Atomics.wait(clock, 0, 0, PAUSE_MS);
  }
}

/** True if a process with `text` in its environment is running. Linux only: elsewhere none is found. */
export const isInEnvironments = (text: string): boolean =>
  process.platform === 'linux' && pidsWith(text).length > 0;

/** An error: the process belongs to a different user, or has ended. */
function pidsWith(wanted: string): number[] {
  return processIds()
    .filter((pid) => pid !== process.pid)
    .filter((pid) => orElse(() => readFileSync(`/proc/${pid}/environ`).includes(wanted), false));
}

/**
 * It runs while the host has children, or starts one. When its input ends without a word, because the host has died, it
 * kills all process groups that still run, and on Linux the processes that left them or were about to be reported; then it
 * removes the profiles of browsers. A guest that is stuck in user code cannot notice the death of its host, but the kernel
 * always closes the pipe.
 */
const REAPER = `
running=
while read -r event pid; do
  case $event in
    over) exit ;;
    started) running="$running $pid"; continue ;;
  esac
  others=
  for p in $running; do [ "$p" = "$pid" ] || others="$others $p"; done
  running=$others
done
for p in $running; do kill -9 "-$p" 2>/dev/null; done
for look in 1 2; do
  for e in $(grep -l "$1" /proc/[0-9]*/environ 2>/dev/null); do
    p=\${e#/proc/}
    kill -9 "\${p%/environ}" 2>/dev/null
  done
  rm -rf "$2"*
  [ "$look" = 1 ] && sleep 1
done
`;

/** Ends shortly after the host. On Windows there is no reaper: a stuck guest runs until its work is done. */
let reaper: ChildProcess | null = null;

const tellReaper = (event: string): void => void reaper?.stdin?.write(`${event}\n`);

/** A child is about to start: on a busy machine it may run for seconds before the host, which may be killed, goes on. */
export function announceStart(): void {
  if (process.platform !== 'win32') reaper ??= startReaper();
}

function endReaper(): void {
  reaper?.stdin?.end('over\n');
  reaper = null;
}

function startReaper(): ChildProcess {
  // Detached: Ctrl-C in a terminal reaches the host's group, and must not end the shell before the host.
  const shell = spawn('/bin/sh', ['-c', REAPER, 'sh', `${MARK_ENV}=${HOST_MARK}`, ownedPath(PROFILE)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  const ignore = () => {
    // A shell is missing (in some containers), or has ended: guests then only notice the closed link.
  };
  shell.on('error', ignore);
  shell.stdin?.on('error', ignore);
  shell.unref();
  (shell.stdin as { unref?: () => void } | null)?.unref?.();
  return shell;
}

const KEPT_UNITS = 64 * 1024;
const SHOWN_LINES = 20;
const SHOWN_CHARS = 4000;

/** The end of the output of a process. All of it is read, so that the process never blocks on a full pipe. */
export class OutputTail {
  #kept = '';

  follow(stream: Readable): void {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      this.#kept += piece;
      // Cutting joins all pieces, so it is done rarely.
      if (this.#kept.length > 2 * KEPT_UNITS) this.#kept = this.text();
    });
  }

  /** At most the last 64 kB. */
  text(): string {
    return this.#kept.slice(-KEPT_UNITS);
  }

  excerpt(): string {
    const lines = this.text().trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
    return lines.length > SHOWN_CHARS ? `…${lines.slice(-SHOWN_CHARS)}` : lines;
  }
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  notStarted: string | null;
}

/** An abort, an assertion, faults, the kernel's out-of-memory killer. */
const CRASH_SIGNALS = /^SIG(ABRT|TRAP|SEGV|ILL|BUS|FPE|SYS|KILL)$/;
/** The same as exit codes: 128 + signal, from a shell or a wrapper. */
const CRASH_CODES = new Set([132, 133, 134, 135, 136, 137, 139]);
/** NTSTATUS errors of Windows begin here. */
const NTSTATUS_ERROR = 0xc0000000;

const OUT_OF_MEMORY = /heap out of memory|out of memory|OutOfMemory|Zone Allocation failed/i;

const exitText = ({ code, signal, notStarted }: ProcessExit): string =>
  notStarted ?? signal ?? `exit code ${code}`;

function crashed({ code, signal }: ProcessExit): boolean {
  if (signal !== null) return CRASH_SIGNALS.test(signal);
  return code !== null && (CRASH_CODES.has(code) || code >= NTSTATUS_ERROR);
}

/** The error of requests that wait when the guest ends. @param output text that it printed */
export function exitError(exit: ProcessExit, output: Pick<OutputTail, 'text' | 'excerpt'>): ToolError {
  const facts = { output: output.excerpt() };
  if (!crashed(exit)) return new ToolError('guest-exited', { ...facts, detail: exitText(exit) });
  const outOfMemory = OUT_OF_MEMORY.test(output.text());
  const killed = exit.signal === 'SIGKILL' || exit.code === 137;
  const why = outOfMemory ? 'out of memory, ' : killed ? 'killed, perhaps for lack of memory, ' : '';
  return new ToolError('guest-crashed', { ...facts, detail: why + exitText(exit) });
}

/** Longest wait for output that is still in the pipes: a grandchild out of reach may keep them open. */
const DRAIN_MS = 1000;

const running = new Set<ProcessGroup>();
let hooked = false;

/** Ends every child of this process. Synchronous, for exit handlers. */
export function killAll(): void {
  for (const group of running) group.endNow();
}

interface ChildOptions {
  cwd: string;
  env: Environment;
  /** Gets all stdout of the process, which is then missing from `output`. */
  onStdout?: (text: string) => void;
  /** Number of pipes beyond stdout and stderr. */
  pipes?: number;
  /** True: also ends processes that left its group. It takes some ms, and only user code starts such processes. */
  endsStrays?: boolean;
  /** Removed when it has ended. */
  folder?: string;
}

/** A process that leads a separate group, so that all that it starts can be killed with it. */
export class ProcessGroup implements Body {
  readonly #child: ChildProcess;
  /** Text in the environment of the processes that it started; null if they are not searched for. */
  readonly #strays: string | null;
  readonly folder: string | null;
  readonly output = new OutputTail();
  /** Resolves when all that it started has ended, and its folder is removed. */
  readonly exited: Promise<ProcessExit>;
  readonly ended: Promise<ToolError>;

  constructor(
    binary: string,
    args: readonly string[],
    { pipes = 0, cwd, env, endsStrays = false, folder, onStdout }: ChildOptions,
  ) {
    const mark = newMark();
    this.#strays = endsStrays ? `${MARK_ENV}=${mark[MARK_ENV]}` : null;
    this.folder = folder ?? null;
    if (!hooked) process.on('exit', killAll);
    hooked = true;
    announceStart();
    this.#child = spawn(binary, args, {
      cwd,
      // Undefined variables are left out here, because not every runtime does it.
      env: Object.fromEntries(Object.entries({ ...env, ...mark }).filter(([, value]) => value !== undefined)),
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', ...Array.from({ length: pipes }, () => 'pipe' as const)],
      windowsHide: true,
    });
    this.exited = this.#exit();
    this.ended = this.exited.then((exit) => exitError(exit, this.output));
    this.#unref(onStdout);
    running.add(this);
    if (this.#child.pid !== undefined) tellReaper(`started ${this.#child.pid}`);
  }

  excerpt(): string {
    return this.output.excerpt();
  }

  /** 0 when it did not start. */
  get id(): number {
    return this.#child.pid ?? 0;
  }

  /** A pipe beyond stdout and stderr. Its descriptors begin at 3. */
  pipe(descriptor: number): Duplex {
    return this.#child.stdio[descriptor] as Duplex;
  }

  /** Kills it and all that it started: its process group; on Windows the tree of its children, which only taskkill knows. */
  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined || !running.has(this)) return;
    if (process.platform !== 'win32') this.#signal('SIGKILL');
    else spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    // The host may wait for this exit.
    this.#child.ref();
  }

  /** As `kill`, also ends strays and removes the folder, all before it returns. */
  endNow(): void {
    this.kill();
    if (this.#strays !== null) endWithVariable(this.#strays);
    const { folder } = this;
    // An error: it may be in use until the processes have ended. A later run removes it.
    if (folder !== null) attempt(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  }

  /** Takes no processor time until it goes on. This does nothing on Windows. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  goOn(): void {
    this.#signal('SIGCONT');
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (process.platform === 'win32' || pid === undefined || !running.has(this)) return;
    // ESRCH: the group does not have a process any more.
    attempt(() => process.kill(-pid, signal));
  }

  /** Pending requests keep the host alive, an idle guest does not. */
  #unref(onStdout: ChildOptions['onStdout']): void {
    this.#child.unref();
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (!stream) continue;
      if (!onStdout || stream !== this.#child.stdout) this.output.follow(stream);
      else stream.setEncoding('utf8').on('data', onStdout);
      stream.on('error', () => {
        // The pipe of a killed process.
      });
      (stream as { unref?: () => void }).unref?.();
    }
  }

  #exit(): Promise<ProcessExit> {
    return new Promise((resolve) => {
      this.#child.on('error', (error) => {
        if (this.#child.pid !== undefined) return;
        const exit = { code: null, signal: null, notStarted: error.message };
        void this.#forget().then(() => resolve(exit));
      });
      this.#child.on('exit', (code, signal) => {
        // Its children may still run.
        this.kill();
        const left = this.#forget();
        const end = () => {
          clearTimeout(drain);
          this.#child.stdout?.destroy();
          this.#child.stderr?.destroy();
          void left.then(() => resolve({ code, signal, notStarted: null }));
        };
        const drain = setTimeout(end, DRAIN_MS);
        this.#child.once('close', end);
      });
    });
  }

  async #forget(): Promise<void> {
    const { folder } = this;
    if (this.#strays !== null) endWithVariable(this.#strays);
    if (folder !== null)
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    running.delete(this);
    tellReaper(`ended ${this.id}`);
    if (running.size === 0) endReaper();
  }
}

/** Starts a process in a folder that is removed with it, also when the start fails at once. */
export function startIn(folder: string, start: (folder: string) => ProcessGroup): ProcessGroup {
  try {
    return start(folder);
  } catch (error) {
    attempt(() => rmSync(folder, { recursive: true, force: true }));
    if (running.size === 0) endReaper();
    throw error;
  }
}

interface RunOptions extends Pick<ChildOptions, 'cwd' | 'env'> {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** A program that prints more is ended. */
const MAX_STDOUT = 2 ** 26;

/** All its processes have ended afterwards. @throws ToolError 'interrupted', Error: nothing was started */
export async function runToEnd(
  binary: string,
  args: readonly string[],
  { cwd, env, timeoutMs, signal }: RunOptions,
) {
  if (signal?.aborted) throw new ToolError('interrupted');
  let [stdout, isLate] = ['', false];
  const onStdout = (text: string) => {
    stdout += text;
    if (stdout.length > MAX_STDOUT) group.kill();
  };
  const group = new ProcessGroup(binary, args, { cwd, env, onStdout });
  const kill = () => group.kill();
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, timeoutMs);
  signal?.addEventListener('abort', kill, { once: true });
  const exit = await group.exited;
  clearTimeout(timer);
  signal?.removeEventListener('abort', kill);
  if (signal?.aborted) throw new ToolError('interrupted');
  return { ...exit, stdout, stderr: group.output.text(), isLate };
}
