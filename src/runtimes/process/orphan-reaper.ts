import { type ChildProcess, spawn } from 'node:child_process';
import { ownedPath } from '../../machine/temp-folders.ts';
import { HOST_MARK, MARK_ENV } from './marked-children.ts';

/** Begins the names of folders with the profile of a browser. */
export const PROFILE = 'clone-prof-browser-';

/**
 * Kills all process groups that are still running when its input ends, which is when the host has died, and on Linux the
 * processes that left them or were about to be told of; then removes the profiles of its browsers. A guest that is stuck in
 * user code cannot notice that its host was killed, but the kernel always closes the pipe.
 */
const SCRIPT = `
running= starting=
while read -r event pid; do
  starting=
  case $event in
    starting) starting=yes; continue ;;
    started) running="$running $pid"; continue ;;
  esac
  others=
  for p in $running; do [ "$p" = "$pid" ] || others="$others $p"; done
  running=$others
done
for p in $running; do kill -9 "-$p" 2>/dev/null; done
[ -z "$running$starting" ] && exit
for look in 1 2; do
  for e in $(grep -l "$1" /proc/[0-9]*/environ 2>/dev/null); do
    p=\${e#/proc/}
    kill -9 "\${p%/environ}" 2>/dev/null
  done
  rm -rf "$2"*
  [ "$look" = 1 ] && sleep 1
done
`;

/** Ends shortly after the host. Not on Windows, where a stuck guest runs until its work is done. */
let shell: ChildProcess | null = null;
const pids = new Set<number>();

/** A guest is about to start: on a busy machine it may run for seconds before the host, which may be killed, goes on. */
export function starting(): void {
  if (process.platform !== 'win32') shell ??= spawnShell();
  tell('starting');
}

/** A guest has. */
export function started(pid: number): void {
  pids.add(pid);
  tell(`started ${pid}`);
}

/** @param pid 0: it did not start */
export function ended(pid: number): void {
  if (!pids.delete(pid) && pid !== 0) return;
  tell(`ended ${pid}`);
  if (pids.size > 0) return;
  shell?.stdin?.end();
  shell = null;
}

function tell(event: string): void {
  shell?.stdin?.write(`${event}\n`);
}

function spawnShell(): ChildProcess {
  // Detached: Ctrl-C in a terminal reaches the host's group, and must not end the shell before the host.
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'sh', `${MARK_ENV}=${HOST_MARK}`, ownedPath(PROFILE)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  const ignore = () => {
    // There is no shell (as in some containers), or it has ended: guests then only notice the closed link.
  };
  shell.on('error', ignore);
  shell.stdin?.on('error', ignore);
  shell.unref();
  (shell.stdin as { unref?: () => void } | null)?.unref?.();
  return shell;
}
