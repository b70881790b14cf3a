import type { Tools } from '../app/job/tools.ts';
import { runsModules, type Source } from '../model/report/recipe.ts';
import type { Emit } from '../model/run/events.ts';
import type { OpenLink } from '../model/run/runtime.ts';
import type { FetchOptions, Services, Surroundings } from './services.ts';

/** What a command, or a call of the library, works with while it runs. */
export interface Work {
  services: Services;
  cwd: string;
  env: Surroundings['env'];
  emit: Emit;
  /** Ends it. */
  signal: AbortSignal;
  /** Tells people the link that browsers are waited for at. */
  onLink?(link: OpenLink): void;
  /** An empty folder, removed afterwards. */
  workdir: string;
}

export const toolsOf = ({ services, emit }: Work): Tools => ({ ...services.tools, emit });

/** How runtimes that are not here are fetched, and browsers waited for. */
export interface Fetching {
  offline?: boolean | undefined;
  /** npm reads the `.npmrc` of the project too. */
  projectNpmrc?: boolean | undefined;
  /** Address that the link of `-r url` is served on; null: this machine only. */
  listen?: string | null;
  timeoutMs?: number | undefined;
}

/** @param sources what the runtimes are for @param tries whether they run rewrites of the user's too */
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
  // Only some commands wait for browsers.
  ...(onLink && listen !== undefined && timeoutMs !== undefined && { link: { listen, timeoutMs, onLink } }),
});
