/** Runs a program to its end and returns its output, within a time limit. All its processes have ended afterwards. */
import { ToolError } from '../../model/errors.ts';
import type { Environment } from './kinds.ts';
import type { ProcessExit } from './process-exit.ts';
import { ProcessGroup } from './supervisor.ts';

interface RunOptions {
  cwd: string;
  env: Environment;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

interface EndedRun extends ProcessExit {
  stdout: string;
  /** Its end: at most 64 kB. */
  stderr: string;
  /** Its time was over. */
  isLate: boolean;
}

/** A program that prints more is ended. */
const MAX_STDOUT = 2 ** 26;

/** @throws ToolError 'interrupted', Error: nothing was started */
export async function runToEnd(
  binary: string,
  args: readonly string[],
  { cwd, env, timeoutMs, signal }: RunOptions,
): Promise<EndedRun> {
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
  return { ...exit, stdout, stderr: group.text(), isLate };
}
