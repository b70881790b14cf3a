import { type ChildProcess, spawn } from 'node:child_process';
import { killTree } from './kill-tree.ts';
import { OrphanReaper } from './orphan-reaper.ts';
import { OutputTail } from './output-tail.ts';

/** How a process ended: by itself with a code, by a signal, or it never began. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  unstarted: string | null;
}

/** How long output that is still in the pipes is waited for; a grandchild of another group may hold them for ever. */
const DRAIN_MS = 1000;

const living = new Set<ProcessGroup>();
const lastWatch = new OrphanReaper();
let hooked = false;

/** Kills every guest of this process with all that it started, synchronously: safe in an exit handler. */
export function killAll(): void {
  for (const group of living) group.kill();
}

/** A process that leads a group of its own, so that all it starts can be killed with it. */
export class ProcessGroup {
  readonly #child: ChildProcess;
  readonly #tail = new OutputTail();
  readonly ended: Promise<ProcessExit>;

  constructor(
    binary: string,
    args: readonly string[],
    options: { cwd: string; env: Record<string, string> },
  ) {
    if (!hooked) process.on('exit', killAll);
    hooked = true;
    this.#child = spawn(binary, args, {
      ...options,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.ended = this.#untilEnded();
    this.#unref();
    if (this.#child.pid === undefined) return;
    living.add(this);
    lastWatch.started(this.#child.pid);
  }

  /** What it printed, at most the last 64 kB. */
  output(): string {
    return this.#tail.text();
  }

  /** The last lines of it, for an error's text. */
  excerpt(): string {
    return this.#tail.excerpt();
  }

  kill(): void {
    if (this.#child.pid === undefined || !living.has(this)) return;
    killTree(this.#child.pid);
    // Its end is near, and somebody waits for it.
    this.#child.ref();
  }

  /** What keeps the host alive is a question that waits for an answer, not a guest that waits for a question. */
  #unref(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (!stream) continue;
      this.#tail.follow(stream);
      (stream as { unref?: () => void }).unref?.();
    }
  }

  #untilEnded(): Promise<ProcessExit> {
    return new Promise((resolve) => {
      this.#child.on('error', (error) => {
        if (this.#child.pid === undefined) resolve({ code: null, signal: null, unstarted: error.message });
      });
      this.#child.on('exit', (code, signal) => {
        // Its own children may still be there.
        this.kill();
        this.#forget();
        const end = () => {
          clearTimeout(drain);
          this.#child.stdout?.destroy();
          this.#child.stderr?.destroy();
          resolve({ code, signal, unstarted: null });
        };
        const drain = setTimeout(end, DRAIN_MS);
        this.#child.once('close', end);
      });
    });
  }

  #forget(): void {
    living.delete(this);
    if (this.#child.pid !== undefined) lastWatch.ended(this.#child.pid);
  }
}
