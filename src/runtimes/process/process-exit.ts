import { ToolError } from '../../model/errors.ts';
import type { ProcessExit } from './process-group.ts';

/** Signals by which a runtime dies of itself: an abort, an assertion, a fault, the kernel's out-of-memory killer. */
const CRASH_SIGNALS = new Set([
  'SIGABRT',
  'SIGTRAP',
  'SIGSEGV',
  'SIGILL',
  'SIGBUS',
  'SIGFPE',
  'SIGSYS',
  'SIGKILL',
]);
/** The same as exit codes: 128 + signal from a shell or a wrapper. */
const CRASH_CODES = new Set([132, 133, 134, 135, 136, 137, 139]);
/** NTSTATUS errors of Windows begin here. */
const NTSTATUS_ERROR = 0xc0000000;

const OUT_OF_MEMORY = /heap out of memory|out of memory|OutOfMemory|Zone Allocation failed/i;

/** "SIGABRT", "exit code 3" */
function howEnded({ code, signal }: ProcessExit): string {
  return signal ?? `exit code ${code}`;
}

function crashed({ code, signal }: ProcessExit): boolean {
  if (signal !== null) return CRASH_SIGNALS.has(signal);
  return code !== null && (CRASH_CODES.has(code) || code >= NTSTATUS_ERROR);
}

/** What the end of a guest means for a question that waits. */
export function exitError(ending: ProcessExit, output: { all: string; excerpt: string }): ToolError {
  const facts = { output: output.excerpt };
  if (!crashed(ending)) return new ToolError('guest-exited', { ...facts, detail: howEnded(ending) });
  const outOfMemory = OUT_OF_MEMORY.test(output.all);
  const killed = ending.signal === 'SIGKILL' || ending.code === 137;
  const why = outOfMemory ? 'out of memory, ' : killed ? 'killed, perhaps for want of memory, ' : '';
  return new ToolError('guest-crashed', { ...facts, detail: why + howEnded(ending) });
}

/** The same before the guest said hello. */
export function silentError(spec: string, ending: ProcessExit, excerpt: string): ToolError {
  const detail = ending.unstarted ?? `it ended with ${howEnded(ending)}`;
  return new ToolError('guest-silent', { value: spec, detail, output: excerpt });
}
