import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { renderUnicodeCompact } from 'uqr';
import { atLeastOne } from '../../app/job/tools.ts';
import { type Fetching, fetchOptions, type Services, type Work } from '../../app/world/services.ts';
import { withWorkFolder } from '../../machine/temp-folders.ts';
import { onSignals } from '../../machine/waiting.ts';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import type { FoundRuntimes, OpenLink } from '../../model/run/runtime.ts';
import { counted } from '../../report/text/numbers.ts';
import { CommandFiles } from './output.ts';
import { createProgress, type ProgressLine } from './progress.ts';
import { sayError, sayReasons, type World } from './world.ts';

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

export type Action<Settings> = (settings: Settings, world: World, services: Services) => Promise<number>;

/** Environment of an action while it runs. Ctrl-C aborts its signal. */
export interface Session extends Work {
  world: World;
  progress: ProgressLine;
  files: CommandFiles;
}

async function withSignal<T>(world: World, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
    release();
  };
  const release = onSignals(world, { SIGINT: abort, SIGTERM: abort, SIGHUP: abort });
  try {
    return await work(controller.signal);
  } finally {
    release();
  }
}

/** Ctrl-C kills guests, and results so far are still reported. A second one ends the process: the listener is gone then. */
export const inSession =
  <Settings>(work: (settings: Settings, session: Session) => Promise<number>): Action<Settings> =>
  (settings, world, services) =>
    withWorkFolder(async (workdir) => {
      const progress = createProgress(world);
      const place = { cwd: world.cwd(), env: world.env, workdir, world, progress, emit: progress.listen };
      const files = new CommandFiles(place.cwd);
      const onLink = (link: OpenLink) => {
        progress.clear();
        void showLink(link, world);
      };
      try {
        return await withSignal(world, (signal) =>
          work(settings, { ...place, services: files.guarding(services), files, signal, onLink }),
        );
      } finally {
        progress.clear();
      }
    });

/** Installed runtimes; missing ones are reported. @throws the error of the first if none is installed */
export async function foundRuntimes(
  session: Session,
  settings: Fetching & { runtimes: string[] },
): Promise<FoundRuntimes> {
  const { services, world } = session;
  const options = fetchOptions(session, settings);
  const found = atLeastOne(await services.findRuntimes(settings.runtimes, options));
  await sayReasons(
    found.missing.map(({ error }) => error.message),
    world,
  );
  return found;
}

/** Time without changes, ms. Editors write a file in steps, or write a new file and rename it. */
const QUIET_MS = 100;
/** Interval of looking at the files, ms: removed folders and network file systems report no changes by themselves. */
const LOOK_MS = 250;

/** Identity, size and time of a file; "" if it does not exist. */
function stampOf(path: string): string {
  const found = orElse(() => statSync(path, { throwIfNoEntry: false }), undefined);
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** Files that a command has read, each with its stamp from before, so that a write during the read counts as a change. */
type ReadFiles = Map<string, string>;

/** Waits until a file differs from its state when read, and none changes any more. @throws when the signal aborts */
async function changeOf(files: ReadFiles, signal: AbortSignal): Promise<void> {
  const read = [...files.values()].join();
  for (let before = read; ; ) {
    await sleep(before === read ? LOOK_MS : QUIET_MS, undefined, { signal });
    const now = [...files.keys()].map(stampOf).join();
    if (now !== read && now === before) return;
    before = now;
  }
}

/** `--watch`: errors of a temporarily broken file are reported like in any run, and the next change is awaited. */
export const watching =
  <Settings>(run: Action<Settings>): Action<Settings> =>
  async (settings, world, services) => {
    for (let paths: string[] = []; ; ) {
      // Files of the run before stay: a broken file may not name its imports now.
      const files: ReadFiles = new Map(paths.map((path) => [path, stampOf(path)]));
      const onRead = (path: string) => void (files.has(path) || files.set(path, stampOf(path)));
      const loadSources: Services['loadSources'] = (inputs, options) =>
        services.loadSources(inputs, { ...options, onRead });
      try {
        await run(settings, world, { ...services, onRead, loadSources });
      } catch (error) {
        const isOver = !(error instanceof ToolError) || error.code === 'interrupted';
        // If no file was read, a change cannot fix the error.
        if (isOver || files.size === 0) throw error;
        await sayError(error, world);
      }
      await withSignal(world, async (signal) => {
        // Printed once the Ctrl-C handler is set, because a reader may press it at once.
        await world.stderr.line(`watching ${counted(files.size, 'file')} (Ctrl-C ends)`);
        await changeOf(files, signal).catch((error) => {
          throw signal.aborted ? new ToolError('interrupted') : error;
        });
      });
      paths = [...files.keys()];
    }
  };
