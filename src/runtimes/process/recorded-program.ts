/** A program that is run in the place of this one: it has its terminal, its pipes, its signals and its exit code. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { projectFolders } from '../../machine/folders.ts';
import { statOf } from '../../machine/machine.ts';
import { onSignals, type Signals, timerMs } from '../../machine/waiting.ts';
import { type ProcessExit, WITHOUT_IPC } from './supervisor.ts';

export interface ProgramOptions {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  signals: Signals;
  /** It is ended after this time; null: it ends by itself. */
  forMs: number | null;
  /** Time from SIGTERM to SIGKILL. */
  graceMs?: number;
  /** Called after SIGKILL: ends what the program had started. */
  endRest?: () => void;
}

export interface ProgramExit extends ProcessExit {
  /** Signal that `forMs` ended it with. */
  stoppedBy: 'SIGTERM' | 'SIGKILL' | null;
}

const GRACE_MS = 5000;

/** A command that cannot be started is an exit with a reason. */
export async function runProgram(command: readonly string[], options: ProgramOptions): Promise<ProgramExit> {
  const [name = '', ...args] = command;
  const exit = await run(name, args, options);
  if (exit.notStarted === null || /[\\/]/.test(name)) return exit;
  // npx finds a program in the same folders: a package of the project put it there.
  const inFolders = projectFolders(options.cwd).map((folder) => join(folder, 'node_modules', '.bin', name));
  const local = inFolders.find((path) => existsSync(path));
  return local === undefined ? exit : run(local, args, options);
}

function run(name: string, args: readonly string[], options: ProgramOptions): Promise<ProgramExit> {
  const { cwd, env, forMs } = options;
  let child: ChildProcess;
  try {
    child = spawn(name, args, { cwd, env: { ...env, ...WITHOUT_IPC }, stdio: 'inherit' });
  } catch (error) {
    // A name with a null byte, an argument list that is too long.
    return Promise.resolve(notStarted(error as Error));
  }
  const release = forwardSignals(child, options.signals);
  const stop = forMs === null ? null : stopAfter(child, forMs, options);
  return new Promise((resolve) => {
    const end = (exit: ProgramExit) => {
      release();
      stop?.cancel();
      resolve(exit);
    };
    child.on('error', (error) => {
      if (child.pid === undefined) end(notStarted(error));
    });
    child.on('exit', (code, signal) =>
      end({ code, signal, notStarted: null, stoppedBy: stop?.sent() ?? null }),
    );
  });
}

const notStarted = ({ message }: Error): ProgramExit => ({
  code: null,
  signal: null,
  notStarted: message,
  stoppedBy: null,
});

function stopAfter(child: ChildProcess, forMs: number, { graceMs = GRACE_MS, endRest }: ProgramOptions) {
  let sent: ProgramExit['stoppedBy'] = null;
  const send = (signal: 'SIGTERM' | 'SIGKILL') => {
    sent = signal;
    child.kill(signal);
  };
  const kill = () => {
    send('SIGKILL');
    endRest?.();
  };
  let timer = setTimeout(() => {
    send('SIGTERM');
    timer = setTimeout(kill, graceMs);
  }, timerMs(forMs));
  return { sent: () => sent, cancel: () => clearTimeout(timer) };
}

/** This process outlives them, to write what it has. */
function forwardSignals(child: ChildProcess, signals: Signals): () => void {
  const hadTerminal = terminal() !== 'none';
  // A terminal sends those of the keyboard to every process of the group in its foreground.
  const ofTerminal = (name: NodeJS.Signals) => () => void (terminal() === 'foreground' || child.kill(name));
  return onSignals(signals, {
    ...{ SIGINT: ofTerminal('SIGINT'), SIGQUIT: ofTerminal('SIGQUIT') },
    SIGTERM: () => void child.kill('SIGTERM'),
    // A terminal that closes sends it to the group too, and is gone by then.
    SIGHUP: () => void (hadTerminal || child.kill('SIGHUP')),
  });
}

/** State of this process's terminal: proc_pid_stat(5), fields 5, 7 and 8. */
function terminal(): 'foreground' | 'background' | 'none' {
  const [, , group, , tty, foreground] = statOf('self');
  if (tty === undefined) return [0, 1, 2].some((fd) => isatty(fd)) ? 'foreground' : 'none';
  return tty === '0' ? 'none' : group === foreground ? 'foreground' : 'background';
}
