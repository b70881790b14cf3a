import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { ToolError } from '../../model/errors.ts';
import { attempt } from '../../model/or-else.ts';
import type { Body } from '../guests/body.ts';
import { killTree } from './kill-tree.ts';
import type { Environment } from './kind.ts';
import { endMarked, endMarkedSync } from './marked-children.ts';
import * as reaper from './orphan-reaper.ts';
import { exitError, OutputTail, type ProcessExit } from './process-exit.ts';

/** Longest wait for output that is still in the pipes: a grandchild out of reach may keep them open. */
const DRAIN_MS = 1000;

const running = new Set<ProcessGroup>();
let hooked = false;

/** Kills every guest of this process and all that it started. Synchronous, for exit handlers. */
export function killAll(): void {
  for (const group of running) {
    group.kill();
    if (group.mark !== null) endMarkedSync(group.mark);
  }
}

/** A process that leads a group of its own, so that all that it starts can be killed with it. */
export class ProcessGroup implements Body {
  readonly #child: ChildProcess;
  /** In the environment of all that user code starts; null where none runs. */
  readonly mark: string | null;
  readonly #output = new OutputTail();
  readonly exited: Promise<ProcessExit>;
  readonly ended: Promise<ToolError>;

  constructor(
    binary: string,
    args: readonly string[],
    { pipes = 0, cwd, env }: { cwd: string; env: Environment; pipes?: number },
    mark: string | null,
  ) {
    this.mark = mark;
    if (!hooked) process.on('exit', killAll);
    hooked = true;
    reaper.starting();
    this.#child = spawn(binary, args, {
      cwd,
      // Not every runtime leaves out what is undefined.
      env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', ...Array.from({ length: pipes }, () => 'pipe' as const)],
      windowsHide: true,
    });
    this.exited = this.#exit();
    this.ended = this.exited.then((exit) =>
      exitError(exit, { all: this.#output.text(), excerpt: this.excerpt() }),
    );
    this.#unref();
    if (this.#child.pid === undefined) {
      reaper.ended(0);
      return;
    }
    running.add(this);
    reaper.started(this.#child.pid);
  }

  excerpt(): string {
    return this.#output.excerpt();
  }

  /** Bytes. */
  get printed(): number {
    return this.#output.printed;
  }

  /** 0 when it did not start. */
  get id(): number {
    return this.#child.pid ?? 0;
  }

  /** One of the pipes beyond stdout and stderr, which are its descriptors from 3 on. */
  pipe(descriptor: number): Duplex {
    return this.#child.stdio[descriptor] as Duplex;
  }

  kill(): void {
    if (this.#child.pid === undefined || !running.has(this)) return;
    killTree(this.#child.pid);
    // The host may wait for this exit.
    this.#child.ref();
  }

  /** Takes no time of the processor until it goes on. Not on Windows. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  goOn(): void {
    this.#signal('SIGCONT');
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (process.platform === 'win32' || pid === undefined || !running.has(this)) return;
    // ESRCH: the group has no process any more.
    attempt(() => process.kill(-pid, signal));
  }

  /** Pending requests keep the host alive, an idle guest does not. */
  #unref(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (!stream) continue;
      this.#output.follow(stream);
      (stream as { unref?: () => void }).unref?.();
    }
  }

  #exit(): Promise<ProcessExit> {
    return new Promise((resolve) => {
      this.#child.on('error', (error) => {
        if (this.#child.pid === undefined) resolve({ code: null, signal: null, notStarted: error.message });
      });
      this.#child.on('exit', (code, signal) => {
        // Its children may still run.
        this.kill();
        const left = this.#endMarked();
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

  async #endMarked(): Promise<void> {
    if (this.mark !== null) await endMarked(this.mark);
    running.delete(this);
    if (this.#child.pid !== undefined) reaper.ended(this.#child.pid);
  }
}
