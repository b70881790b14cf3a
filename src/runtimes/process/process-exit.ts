/** The end of a process, and the errors for requests that wait for it. */

import type { Readable } from 'node:stream';
import { ToolError } from '../../model/errors.ts';

const KEPT_UNITS = 64 * 1024;
const SHOWN_LINES = 20;
const SHOWN_CHARS = 4000;

/** The end of the output of a process. All of it is read, so that the process never blocks on a full pipe. */
export class OutputTail {
  #kept = '';

  follow(stream: Readable): void {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      this.#kept += piece;
      // Not for each piece: cutting joins all of them.
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

/** "SIGABRT", "exit code 3" */
const exitText = ({ code, signal }: ProcessExit): string => signal ?? `exit code ${code}`;

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

/** Why a guest said nothing: it ended before its hello. */
export const silence = (exit: ProcessExit): string => exit.notStarted ?? `it ended with ${exitText(exit)}`;
