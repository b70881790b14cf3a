import type { AppEvent } from '../model/run/events.ts';

/** Options of all functions that start runtimes. */
export interface RunOptions {
  /** Deadline of a guest beyond its budget, ms; default 30000. */
  timeoutMs?: number | undefined;
  /** If true, runtimes are never fetched. */
  offline?: boolean | undefined;
  /** If true, runtimes are also fetched with the `.npmrc` of the working directory: its registry, its credentials. */
  projectNpmrc?: boolean | undefined;
  /** Folder that relative paths start from; default: the working directory. */
  cwd?: string | undefined;
  /** Kills the guests when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Called with steps, verdicts, notes and warnings. */
  onEvent?: ((event: AppEvent) => void) | undefined;
}
