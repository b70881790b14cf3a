import type { AppEvent } from '../model/run/events.ts';

/** Options of all that starts runtimes. */
export interface RunOptions {
  /** Deadline of a guest beyond its budget, ms; default 30000. */
  timeoutMs?: number | undefined;
  /** Never fetch a runtime. */
  offline?: boolean | undefined;
  /** Fetch runtimes as the `.npmrc` of the working directory says too: its registry, its credentials. */
  projectNpmrc?: boolean | undefined;
  /** Where relative paths start; default: the working directory. */
  cwd?: string | undefined;
  /** Kills the guests. */
  signal?: AbortSignal | undefined;
  /** Called with steps, verdicts, notes and warnings. */
  onEvent?: ((event: AppEvent) => void) | undefined;
}
