import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills the process groups that it was told of when its input ends, which is when the host dies, by whatever means.
 * A guest that is stuck in user code cannot notice that its host was killed; the kernel closing a pipe always tells.
 */
const SCRIPT = `
live=
while read -r word pid; do
  if [ "$word" = started ]; then live="$live $pid"; continue; fi
  left=
  for p in $live; do [ "$p" = "$pid" ] || left="$left $p"; done
  live=$left
done
for p in $live; do kill -9 "-$p" 2>/dev/null; done
`;

/** A shell that outlives the host for a moment; none on Windows, where a stuck guest stays until its work is done. */
export class OrphanReaper {
  #shell: ChildProcess | null = null;
  #opens = false;
  readonly #watched = new Set<number>();

  /** The watch begins in the next turn of the event loop: starting a shell must not hold up what waits for the guest. */
  started(pid: number): void {
    if (process.platform === 'win32') return;
    this.#watched.add(pid);
    if (this.#shell) this.#shell.stdin?.write(`started ${pid}\n`);
    else if (!this.#opens) setImmediate(() => this.#begin());
    this.#opens = true;
  }

  ended(pid: number): void {
    if (!this.#watched.delete(pid)) return;
    this.#shell?.stdin?.write(`ended ${pid}\n`);
    if (this.#watched.size > 0) return;
    this.#shell?.stdin?.end();
    this.#shell = null;
  }

  #begin(): void {
    this.#opens = false;
    if (this.#watched.size === 0) return;
    this.#shell = this.#open();
    for (const pid of this.#watched) this.#shell.stdin?.write(`started ${pid}\n`);
  }

  #open(): ChildProcess {
    // Detached: Ctrl-C in a terminal reaches the host's group, and must not end the watch before the host.
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
    });
    const ignore = () => {
      // No shell here (a container without one), or it is gone: guests then notice the closed connection alone.
    };
    shell.on('error', ignore);
    shell.stdin?.on('error', ignore);
    shell.unref();
    (shell.stdin as { unref?: () => void } | null)?.unref?.();
    return shell;
  }
}
