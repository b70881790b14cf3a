import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills the process groups that it knows when its input ends, which is when the host dies, by whatever means. A guest
 * that is stuck in user code cannot notice that its host was killed; the kernel always closes the pipe.
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

/** A shell that outlives the host for a moment. Not on Windows, where a stuck guest runs until its work is done. */
export class OrphanReaper {
  #shell: ChildProcess | null = null;
  #starting = false;
  readonly #pids = new Set<number>();

  /** Starts the shell in the next turn of the event loop: that must not delay what waits for the guest. */
  started(pid: number): void {
    if (process.platform === 'win32') return;
    this.#pids.add(pid);
    if (this.#shell) this.#shell.stdin?.write(`started ${pid}\n`);
    else if (!this.#starting) setImmediate(() => this.#start());
    this.#starting = true;
  }

  ended(pid: number): void {
    if (!this.#pids.delete(pid)) return;
    this.#shell?.stdin?.write(`ended ${pid}\n`);
    if (this.#pids.size > 0) return;
    this.#shell?.stdin?.end();
    this.#shell = null;
  }

  #start(): void {
    this.#starting = false;
    if (this.#pids.size === 0) return;
    this.#shell = spawnShell();
    for (const pid of this.#pids) this.#shell.stdin?.write(`started ${pid}\n`);
  }
}

function spawnShell(): ChildProcess {
  // Detached: Ctrl-C in a terminal reaches the host's group, and must not end the shell before the host.
  const shell = spawn('/bin/sh', ['-c', SCRIPT], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  const ignore = () => {
    // No shell (a container without one), or it is gone: guests then notice the closed link alone.
  };
  shell.on('error', ignore);
  shell.stdin?.on('error', ignore);
  shell.unref();
  (shell.stdin as { unref?: () => void } | null)?.unref?.();
  return shell;
}
