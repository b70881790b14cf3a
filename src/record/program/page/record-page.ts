/** Records a page: opens it in Chromium with the recorder in it, and waits until its tab is closed. */

import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import { packageFile } from '../../../machine/folders.ts';
import { noSpaceLeft } from '../../../machine/machine.ts';
import { deferred, onSignals, type Signals, timerMs } from '../../../machine/waiting.ts';
import type { Gap } from '../../../model/documents/recorded/recording.ts';
import { ToolError } from '../../../model/errors.ts';
import { orElse } from '../../../model/or-else.ts';
import type { KeptValues } from '../../../model/recording/recording.ts';
import type { FoundRuntime } from '../../../model/run/runtime.ts';
import { withProfile } from '../../../runtimes/browser/browser.ts';
import { DevTools } from '../../../runtimes/browser/devtools.ts';
import { drivenArgs } from '../../../runtimes/browser/kinds.ts';
import type { Environment } from '../../../runtimes/process/kinds.ts';
import { PageThreads } from './page-threads.ts';
import { Targets } from './targets.ts';

const SCRIPT = 'dist/tap/page.js';

/** Silence after which no more answers are expected. On a busy machine a page takes longer to send everything. */
const SILENCE_MS = 3000;
const MAX_END_MS = 20_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

export interface PageOptions {
  address: string;
  browser: FoundRuntime;
  /** True to open it without a window, even if there is a display. */
  headless: boolean;
  folder: string;
  values: KeptValues;
  doctor: boolean;
  forMs: number | null;
  /** The user's: proxies, certificates, the display. */
  env: Environment;
  signals: Signals;
  /** Called when the page is about to be opened, in a window or not. */
  onOpening: (isHeadless: boolean) => void;
}

type PageGone = 'closed' | 'crashed';

type PageEnd = PageGone | 'time' | (typeof SIGNALS)[number];

export interface RecordedPage {
  end: PageEnd;
  gaps: Gap[];
  /** The temp folder was full: the browser may have failed, in part or as a whole. */
  isFull: boolean;
}

const randomHex = (): string => randomBytes(16).toString('hex');

/** @throws ToolError 'page-unreachable', 'temp-unwritable', or that of a browser that ended */
export async function recordPage(options: PageOptions): Promise<RecordedPage> {
  const { browser, folder, env } = options;
  // macOS and Windows always have a display.
  const hasDisplay = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  const isHeadless = options.headless || !hasDisplay;
  const threads = new PageThreads(folder, browser);
  const space = watchSpace(folder);
  const script = await readFile(packageFile(SCRIPT), 'utf8');
  const ending = endOf(options);
  let driven: DrivenBrowser | null = null;
  try {
    driven = drivenBrowser(browser.binary, env, isHeadless);
    const { values, doctor } = options;
    const own = { startedAt: Date.now(), salt: randomHex(), binding: `_${randomHex()}` };
    const targets = new Targets({
      ...{ devtools: driven.devtools, threads, script, settings: { values, doctor, ...own } },
    });
    const onOpening = () => options.onOpening(isHeadless);
    const end = await Promise.race([pageGone(options.address, driven, targets, onOpening), ending.promise]);
    await Promise.race([targets.end(), silence(threads)]);
    threads.finish();
    if (end === 'crashed') threads.gaps.miss('The page crashed: its last counts are missing.');
    return { end, gaps: threads.gaps.list, isFull: space.wasFull() };
  } catch (error) {
    throw space.wasFull() ? noSpaceLeft(error) : error;
  } finally {
    space.release();
    ending.release();
    await driven?.close();
  }
}

/**
 * Opens the page. @returns when it is gone @throws ToolError 'page-unreachable', or that of a browser that ended before
 * it had a page
 */
function pageGone(
  address: string,
  { devtools, ended }: DrivenBrowser,
  targets: Targets,
  onOpening: () => void,
): Promise<PageGone> {
  const { promise, resolve: end, reject: fail } = deferred<PageGone>();
  let page: string | null = null;
  targets.onPage = async (session) => {
    if (page !== null) return;
    page = session;
    onOpening();
    const error = (await devtools.send('Page.navigate', { url: address }, page))?.errorText;
    if (typeof error === 'string' && error !== '')
      fail(new ToolError('page-unreachable', { value: address, detail: error.replace(/^net::/, '') }));
  };
  targets.onGone = (session, how) => {
    if (session === page) end(how);
  };
  // A browser whose last window was closed ends as well.
  void ended.then((error) => (page === null ? fail(error) : end('closed')));
  targets.watch();
  return promise;
}

type DrivenBrowser = ReturnType<typeof drivenBrowser>;

export function drivenBrowser(binary: string, env: Environment, isHeadless: boolean) {
  const group = withProfile((profile) => ({
    file: binary,
    args: drivenArgs(profile, { isHeadless }),
    env,
    // Chromium reads commands from its file descriptor 3 and writes to 4.
    pipes: 2,
  }));
  return {
    devtools: new DevTools(group.pipe(4), group.pipe(3)),
    ended: group.ended,
    async close(): Promise<void> {
      group.kill();
      await group.ended;
    },
  };
}

/** Until no more messages arrive. */
async function silence(threads: PageThreads): Promise<void> {
  const from = performance.now();
  let heard: number;
  do {
    ({ heard } = threads);
    await after(SILENCE_MS, undefined, { ref: false });
  } while (heard !== threads.heard && performance.now() - from < MAX_END_MS);
}

/** Room for a fresh profile, and for what is recorded. */
const ROOM_BYTES = 16 * 2 ** 20;
const FULL_BYTES = 2 ** 20;
const SPACE_EVERY_MS = 200;

/** A browser does not report a full disk: it ends, shows nothing, or goes on. @throws ToolError 'temp-unwritable' */
function watchSpace(folder: string) {
  const free = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  if (free() < ROOM_BYTES) throw noSpaceLeft();
  let isFull = false;
  const look = () => {
    // The folder may have been removed in the meantime.
    isFull ||= orElse(free, Number.POSITIVE_INFINITY) < FULL_BYTES;
    return isFull;
  };
  const timer = setInterval(look, SPACE_EVERY_MS).unref();
  return { wasFull: look, release: () => clearInterval(timer) };
}

/** Ends by a signal, or when the time is over. */
function endOf({ forMs, signals }: PageOptions) {
  const { promise, resolve: end } = deferred<PageEnd>();
  const timer = forMs === null ? undefined : setTimeout(() => end('time'), timerMs(forMs));
  const off = onSignals(signals, Object.fromEntries(SIGNALS.map((name) => [name, () => end(name)])));
  return {
    promise,
    release(): void {
      clearTimeout(timer);
      off();
    },
  };
}
