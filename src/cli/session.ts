import { withWorkFolder } from '../machine/temp-folders.ts';
import { isModule, type Source } from '../model/recipe.ts';
import type { FetchOptions, Services } from '../services.ts';
import { interruptible } from './interrupt.ts';
import { showLink } from './link.ts';
import type { Fetching } from './options/typed.ts';
import { createProgress, type Progress } from './progress.ts';
import type { World } from './world.ts';

/** What an action works with while it runs. */
export interface Session {
  services: Services;
  world: World;
  progress: Progress;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** An empty folder, removed afterwards. */
  workdir: string;
}

/** Runs `work` with Ctrl-C, progress on stderr and a work folder; cleans up all three in any case. */
export function withSession<T>(
  services: Services,
  world: World,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return withWorkFolder(async (workdir) => {
    const progress = createProgress(world);
    try {
      return await interruptible(world, (signal) => work({ services, world, progress, signal, workdir }));
    } finally {
      progress.stop();
    }
  });
}

/** @param sources what the runtimes are for; `tries`: rewrites of the user's too */
export const fetchOptions = (
  { progress, signal, world }: Session,
  { offline, projectNpmrc, listen, timeoutMs }: Fetching & { timeoutMs?: number },
  sources: readonly Source[] = [],
  tries = false,
): FetchOptions => ({
  offline,
  projectNpmrc,
  onNote: (text) => progress.listen({ type: 'note', text }),
  guestsIn: world.cwd(),
  forModules: tries || sources.some((source) => source.kind === 'open' && isModule(source.recipe)),
  signal,
  ...(timeoutMs !== undefined && {
    link: {
      listen,
      timeoutMs,
      onLink: (link) => {
        progress.pause();
        void showLink(link, world);
      },
    },
  }),
});
