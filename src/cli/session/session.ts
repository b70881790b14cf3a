import { renderUnicodeCompact } from 'uqr';
import { atLeastOne } from '../../app/job/tools.ts';
import { withWorkFolder } from '../../machine/temp-folders.ts';
import type { Source } from '../../model/report/recipe.ts';
import type { FoundRuntimes, OpenLink } from '../../model/run/runtime.ts';
import { counted } from '../../reporters/text/numbers.ts';
import { type Fetching, fetchOptions, type Services, type Work } from '../../services/services.ts';
import { CommandFiles } from './command-files.ts';
import { sayReasons } from './exit.ts';
import { createProgress, type ProgressLine } from './progress.ts';
import type { World } from './world.ts';

/** Light modules around the code for a phone's camera (ISO/IEC 18004 requires four). */
const QUIET_ZONE = 4;

const WARNING =
  'warning: --listen: whoever has the link can take part, and the network can read what is sent: it is http. Such pages are not isolated: times come in blocks';

/** Prints the link, and on a terminal that is wide enough also its code for a camera. */
export async function showLink(
  { url, browsers, timeoutMs, isPublic }: OpenLink,
  { stderr }: Pick<World, 'stderr'>,
): Promise<void> {
  if (isPublic) await stderr.line(WARNING);
  const code = renderUnicodeCompact(url, { border: QUIET_ZONE }).split('\n');
  if (stderr.isTTY && stderr.columns > (code[0]?.length ?? 0))
    for (const line of code) await stderr.line(line);
  const where = isPublic ? 'on any device of the network' : 'on this machine';
  await stderr.line(
    `waiting up to ${timeoutMs / 1000} s for ${counted(browsers, 'browser')} ${where} to open ${url} (Ctrl-C ends)`,
  );
}

/** Environment of an action while it runs. Ctrl-C aborts its signal. */
export interface Session extends Work {
  world: World;
  progress: ProgressLine;
  files: CommandFiles;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `work` with a signal that Ctrl-C aborts. */
export async function withSignal<T>(world: World, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const release = () => {
    for (const name of SIGNALS) world.off(name, abort);
  };
  const abort = () => {
    controller.abort();
    release();
  };
  for (const name of SIGNALS) world.on(name, abort);
  try {
    return await work(controller.signal);
  } finally {
    release();
  }
}

/**
 * Runs `work` with progress on stderr, a work folder and a signal that Ctrl-C aborts: guests are killed, and results so
 * far are still reported. A second Ctrl-C ends the process the usual way, because the listener is gone by then.
 */
export function withSession<T>(
  services: Services,
  world: World,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return withWorkFolder(async (workdir) => {
    const progress = createProgress(world, world.now);
    try {
      const place = { cwd: world.cwd(), env: world.env, workdir };
      const files = new CommandFiles(place.cwd);
      return await withSignal(world, (signal) =>
        work({
          ...place,
          services: files.guarding(services),
          files,
          world,
          progress,
          emit: progress.listen,
          signal,
          onLink(link) {
            progress.pause();
            void showLink(link, world);
          },
        }),
      );
    } finally {
      progress.stop();
    }
  });
}

/** Installed runtimes; missing ones are reported. @throws the error of the first if none is installed */
export async function foundRuntimes(
  session: Session,
  specs: string[],
  options: Fetching,
  sources: readonly Source[] = [],
): Promise<FoundRuntimes> {
  const { services, world } = session;
  const found = atLeastOne(await services.findRuntimes(specs, fetchOptions(session, options, sources)));
  await sayReasons(
    found.missing.map(({ error }) => error.message),
    world,
  );
  return found;
}
