/** Opens a page with the recorder in it, and waits until its tab is closed. */
import { statfsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import { noSpaceLeft } from '../../../machine/limits.ts';
import { packageFile } from '../../../machine/package-file.ts';
import type { Gap } from '../../../model/documents/recorded/recording.ts';
import { orElse } from '../../../model/or-else.ts';
import { deferred } from '../../guests/body.ts';
import { drivenPage } from './driven/driven-page.ts';
import { type OpenPage, type PageGone, type PageOptions, randomHex } from './open-page.ts';
import { PageThreads } from './page-threads.ts';
import { proxiedPage } from './proxied/proxied-page.ts';

const SCRIPT = 'dist/tap/page.js';

/** What says nothing for so long may answer no more. On a busy machine a page takes longer than that to tell all. */
const SILENCE_MS = 3000;
const MAX_END_MS = 20_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Why the recording ended. */
type PageEnd = PageGone | 'time' | (typeof SIGNALS)[number];

export interface RecordedPage {
  end: PageEnd;
  gaps: Gap[];
  /** The temp folder was full: the browser may have failed, in part or as a whole. */
  isFull: boolean;
}

/** @throws ToolError 'page-unreachable', 'temp-unwritable', or that of a browser that ended */
export async function recordPage(options: PageOptions): Promise<RecordedPage> {
  const { browser, folder, values } = options;
  const threads = new PageThreads(folder, browser);
  const space = watchSpace(folder);
  const script = await readFile(packageFile(SCRIPT), 'utf8');
  const settings = {
    ...{ values: values !== 'none', mask: values === 'masked', startedAt: Date.now(), salt: randomHex() },
    doctor: options.doctor,
  };
  const open = browser.name === 'chromium' ? drivenPage : proxiedPage;
  const ending = endOf(options);
  let page: OpenPage | null = null;
  try {
    page = await open(options, { threads, script, settings });
    const end = await Promise.race([page.ended, ending.promise]);
    await Promise.race([page.end(), silence(threads)]);
    threads.finish();
    if (end === 'crashed') threads.miss('The page crashed: its last counts are missing.');
    return { end, gaps: threads.gaps, isFull: space.wasFull() };
  } catch (error) {
    throw space.wasFull() ? noSpaceLeft(error) : error;
  } finally {
    space.release();
    ending.release();
    await page?.close();
  }
}

/** Until nothing is said any more. */
async function silence(threads: PageThreads): Promise<void> {
  const from = performance.now();
  let heard: number;
  do {
    ({ heard } = threads);
    await after(SILENCE_MS, undefined, { ref: false });
  } while (heard !== threads.heard && performance.now() - from < MAX_END_MS);
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

/** A signal, or the time is over. */
function endOf({ forMs, signals }: PageOptions) {
  const { promise, resolve: end } = deferred<PageEnd>();
  const timer = forMs === null ? undefined : setTimeout(() => end('time'), forMs);
  const listeners = SIGNALS.map((name) => [name, () => end(name)] as const);
  for (const [name, listener] of listeners) signals.on(name, listener);
  return {
    promise,
    release(): void {
      clearTimeout(timer);
      for (const [name, listener] of listeners) signals.off(name, listener);
    },
  };
}
