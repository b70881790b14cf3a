import { withWorkFolder } from '../../machine/temp-folders.ts';
import { isModule, type Source } from '../../model/report/recipe.ts';
import type { OpenLink } from '../../model/run/runtime.ts';
import type { FetchOptions, Services } from '../../services/services.ts';
import type { Fetching, Waiting } from '../options/typed.ts';
import { interruptible } from './interrupt.ts';
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
  { offline, projectNpmrc, ...waiting }: Fetching & Partial<Waiting>,
  sources: readonly Source[] = [],
  tries = false,
): FetchOptions => ({
  offline,
  projectNpmrc,
  onNote: (text) => progress.listen({ type: 'note', text }),
  guestsIn: world.cwd(),
  forModules: tries || sources.some((source) => source.kind === 'open' && isModule(source.recipe)),
  signal,
  ...linkOptions(waiting, progress, world),
});

/** Options of commands that wait for browsers. */
function linkOptions(
  { listen, timeoutMs }: Partial<Waiting>,
  progress: Progress,
  world: World,
): Pick<FetchOptions, 'link'> {
  if (listen === undefined || timeoutMs === undefined) return {};
  const onLink = (link: OpenLink) => {
    progress.pause();
    void import('./link.ts').then(({ showLink }) => showLink(link, world));
  };
  return { link: { listen, timeoutMs, onLink } };
}
