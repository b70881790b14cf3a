import type { Tools } from '../app/job/tools.ts';
import { runsModules, type Source } from '../model/report/recipe.ts';
import type { Emit } from '../model/run/events.ts';
import type { FetchOptions, Services, Surroundings } from './services.ts';

/** What a command, or a call of the library, works with while it runs. */
export interface Work {
  services: Services;
  cwd: string;
  env: Surroundings['env'];
  emit: Emit;
  /** Ends it. */
  signal: AbortSignal;
  /** An empty folder, removed afterwards. */
  workdir: string;
}

export const toolsOf = ({ services, emit }: Work): Tools => ({ ...services.tools, emit });

/** How runtimes that are not here are fetched. */
export interface Fetching {
  offline: boolean;
  /** npm reads the `.npmrc` of the project too. */
  projectNpmrc: boolean;
}

/** @param sources what the runtimes are for; `tries`: rewrites of the user's too */
export const fetchOptions = (
  { emit, signal, cwd }: Work,
  { offline, projectNpmrc }: Fetching,
  sources: readonly Source[] = [],
  tries = false,
): FetchOptions => ({
  ...{ offline, projectNpmrc, signal },
  onNote: (text) => emit({ type: 'note', text }),
  guestsIn: cwd,
  forModules: tries || runsModules(sources),
});
