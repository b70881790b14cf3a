/** Opens a page with the recorder in it, and waits until its tab is closed. */
import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import { noSpaceLeft } from '../../../machine/limits.ts';
import { packageFile } from '../../../machine/package-file.ts';
import type { Gap, RecordingHeader } from '../../../model/documents/recording.ts';
import { ToolError } from '../../../model/errors.ts';
import { orElse } from '../../../model/or-else.ts';
import type { FoundRuntime } from '../../../model/run/runtime.ts';
import { withProfile } from '../../browser/browser.ts';
import { drivenArgs } from '../../browser/kinds/chromium.ts';
import { deferred } from '../../guests/body.ts';
import type { Environment } from '../../process/kind.ts';
import type { Signals } from '../../process/recorded-program.ts';
import { DevTools } from './devtools.ts';
import { PageThreads } from './page-threads.ts';
import { Targets } from './targets.ts';

const SCRIPT = 'dist/tap/page.js';

/** What may answer no more is waited for no longer. */
const END_MS = 3000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

export interface PageOptions {
  address: string;
  browser: FoundRuntime;
  isHeadless: boolean;
  /** Where thread files are written. */
  folder: string;
  values: RecordingHeader['values'];
  doctor: boolean;
  forMs: number | null;
  env: Readonly<Record<string, string | undefined>>;
  signals: Signals;
  /** The page is being opened: in a window, or not. */
  onOpening: (isHeadless: boolean) => void;
}

/** Why the recording ended. */
type PageEnd = 'closed' | 'crashed' | 'time' | (typeof SIGNALS)[number];

export interface RecordedPage {
  end: PageEnd;
  gaps: Gap[];
  /** The temp folder was full: the browser may have failed, in part or as a whole. */
  isFull: boolean;
}

/** @throws ToolError 'page-unreachable', 'temp-unwritable', or that of a browser that ended */
export async function recordPage(options: PageOptions): Promise<RecordedPage> {
  const { address, browser, folder, values } = options;
  const threads = new PageThreads(folder, browser.version);
  const space = watchSpace(folder);
  const script = await readFile(packageFile(SCRIPT), 'utf8');
  const random = () => randomBytes(12).toString('hex');
  const settings = {
    ...{ values: values !== 'none', mask: values === 'masked', startedAt: Date.now(), salt: random() },
    ...{ binding: `_${random()}`, doctor: options.doctor },
  };
  const driven = drivenBrowser(browser.binary, options.env, options.isHeadless);
  const { devtools } = driven;
  const targets = new Targets({ devtools, threads, script, settings });
  const ending = endOf(options, targets, driven);
  try {
    const page = await ending.opened;
    if (page !== null) {
      options.onOpening(options.isHeadless);
      const opened = devtools.send('Page.navigate', { url: address }, page);
      void opened.then((answer) => ending.answered(answer?.errorText));
    }
    const end = await ending.promise;
    await Promise.race([targets.end(), after(END_MS)]);
    threads.finish();
    if (end === 'crashed') threads.miss('The page crashed: what it counted last is missing.');
    return { end, gaps: threads.gaps, isFull: space.wasFull() };
  } catch (error) {
    throw space.wasFull() ? noSpaceLeft(error) : error;
  } finally {
    space.release();
    ending.release();
    await driven.close();
  }
}

/** A fresh profile, and what is recorded. */
const ROOM_BYTES = 16 * 2 ** 20;
const FULL_BYTES = 2 ** 20;
const SPACE_EVERY_MS = 200;

/** A browser whose disk is full says so to nobody: it ends, shows nothing, or goes on. @throws ToolError 'temp-unwritable' */
function watchSpace(folder: string) {
  const free = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  if (free() < ROOM_BYTES) throw noSpaceLeft();
  let isFull = false;
  const look = () => {
    // Somebody may have removed it.
    isFull ||= orElse(free, Number.POSITIVE_INFINITY) < FULL_BYTES;
    return isFull;
  };
  const timer = setInterval(look, SPACE_EVERY_MS).unref();
  return { wasFull: look, release: () => clearInterval(timer) };
}

/** Whatever comes first: the tab is closed, the time is over, a signal; the page or the browser failed. */
function endOf(
  { address, forMs, signals }: PageOptions,
  targets: Targets,
  driven: ReturnType<typeof drivenBrowser>,
) {
  const { promise, resolve: end, reject: fail } = deferred<PageEnd>();
  let page: string | null = null;
  const first = new Promise<string>((resolve) => {
    targets.onPage = (session) => {
      page ??= session;
      resolve(page);
    };
  });
  targets.onGone = (session, how) => {
    if (session === page) end(how);
  };
  // A browser whose last window was closed ends as well.
  void driven.ended.then((error) => (page === null ? fail(error) : end('closed')));
  const timer = forMs === null ? undefined : setTimeout(() => end('time'), forMs);
  const listeners = SIGNALS.map((name) => [name, () => end(name)] as const);
  for (const [name, listener] of listeners) signals.on(name, listener);
  targets.watch();
  return {
    /** Session of the page; null where it ended before. */
    opened: Promise.race([first, promise.then(() => null)]),
    promise,
    answered(error: unknown): void {
      if (typeof error === 'string' && error !== '')
        fail(new ToolError('page-unreachable', { value: address, detail: error.replace(/^net::/, '') }));
    },
    release(): void {
      clearTimeout(timer);
      for (const [name, listener] of listeners) signals.off(name, listener);
    },
  };
}

/** @param env the user's: proxies, certificates, the display */
export function drivenBrowser(binary: string, env: Environment, isHeadless: boolean) {
  const { group, ended } = withProfile((profile) => ({
    file: binary,
    args: drivenArgs(profile, { isHeadless }),
    env,
    // Chromium reads commands from its file descriptor 3 and writes to 4.
    pipes: 2,
  }));
  return {
    devtools: new DevTools(group.pipe(4), group.pipe(3)),
    ended,
    async close(): Promise<void> {
      group.kill();
      await ended;
    },
  };
}
