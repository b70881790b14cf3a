import type { Tools } from '../app/job/tools.ts';
import { runsModules, type Source } from '../model/report/recipe.ts';
import type { Emit } from '../model/run/events.ts';
import type { OpenLink } from '../model/run/runtime.ts';
import type { FetchOptions, Services, Surroundings } from './services.ts';

/** Environment of a command or of a library call while it runs. */
export interface Work {
  services: Services;
  cwd: string;
  env: Surroundings['env'];
  emit: Emit;
  /** Ends the work. */
  signal: AbortSignal;
  /** Prints the link that browsers are waited for at. */
  onLink?(link: OpenLink): void;
  /** Path of an empty folder, which is removed afterwards. */
  workdir: string;
}

export const toolsOf = ({ services, emit }: Work): Tools => ({ ...services.tools, emit });

/** Options for fetching runtimes that are not installed, and for waiting for browsers. */
export interface Fetching {
  offline?: boolean | undefined;
  /** npm reads the `.npmrc` of the project too. */
  projectNpmrc?: boolean | undefined;
  /** Address that the link of `-r url` is served on; null: this machine only. */
  listen?: string | null;
  timeoutMs?: number | undefined;
}

/** @param sources inputs that the runtimes will run @param tries true if they run the user's rewrites too */
export const fetchOptions = (
  { emit, signal, cwd, onLink }: Work,
  { offline = false, projectNpmrc = false, listen, timeoutMs }: Fetching,
  sources: readonly Source[] = [],
  tries = false,
): FetchOptions => ({
  ...{ offline, projectNpmrc, signal },
  onNote: (text) => emit({ type: 'note', text }),
  guestsIn: cwd,
  forModules: tries || runsModules(sources),
  // The link is set only by commands that wait for browsers.
  ...(onLink && listen !== undefined && timeoutMs !== undefined && { link: { listen, timeoutMs, onLink } }),
});
