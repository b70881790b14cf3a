/**
 * Starts guests of any runtime. A kind of runtime whose guests are not processes (a browser) begins them with a Body (what
 * is alive behind the guest) and a Link (how messages travel), and is chosen here.
 */

import { ToolError } from '../model/errors.ts';
import type { BrowserName, ExtensionChannel } from '../model/names.ts';
import type { BundleForPage } from '../model/page-module.ts';
import {
  type FoundRuntime,
  FROM_LINK,
  type Guest,
  type RuntimeDriver,
  type StartOptions,
} from '../model/run/runtime.ts';
import { startBrowser } from './browser/browser.ts';
import { openExtension } from './browser/extension.ts';
import { BROWSERS, isBrowser } from './browser/kinds.ts';
import { PageSession } from './browser/pages/page-session.ts';
import { LOOPBACK_HOSTS, startFor, Tab, tabs } from './browser/tab.ts';
import { within } from './guests/body.ts';
import { type Beginning, startGuest } from './guests/start-guest.ts';
import { beginProcess } from './process/driver.ts';
import { isProcessRuntime } from './process/kinds.ts';
import { beginWorker } from './workerd/driver.ts';

async function openTab(runtime: FoundRuntime, extension: ExtensionChannel | null): Promise<Tab> {
  if (extension !== null) return openExtension(runtime, extension);
  const first = new PageSession(LOOPBACK_HOSTS[0]!);
  const kind = BROWSERS[runtime.name as BrowserName];
  const { browser } = await startFor(first, (url) => startBrowser(runtime, kind, url));
  return new Tab(browser, runtime, first);
}

/** The next page of a browser that came by the link, as soon as the guest before has left. There is no other page. */
async function visitorPage(
  runtime: FoundRuntime,
  options: StartOptions,
  bundle: BundleForPage,
): Promise<Beginning> {
  const tab = [...tabs].find((one) => one.runtime.binary === runtime.binary);
  if (tab?.taken) await within(options.timeoutMs, Promise.race([tab.session.left, tab.browser.ended]));
  if (tab === undefined || tab.taken || !tabs.has(tab))
    throw new ToolError('browser-left', { value: runtime.spec });
  return tab.take(options, bundle);
}

/** The next page of a browser that is here. */
const waitingTab = ({ binary }: FoundRuntime, extension: ExtensionChannel | null): Tab | undefined =>
  [...tabs].find((tab) => !tab.taken && tab.runtime.binary === binary && tab.extension === extension);

/**
 * Guests as pages of installed browsers, one browser for all guests of a run. A page that was lost meanwhile costs no
 * guest, nor does a browser that hangs or ends at its start.
 */
async function startPage(
  runtime: FoundRuntime,
  options: StartOptions,
  bundle: BundleForPage,
): Promise<Guest> {
  const { extension = null } = options;
  if (extension && options.sender === 'worker')
    throw new ToolError('channel-unsupported', {
      value: extension,
      detail: 'workers of pages have no chrome.runtime',
    });
  const startWith = (begin: () => Promise<Beginning>) => startGuest(runtime, options, begin);
  if (runtime.from === FROM_LINK) return startWith(() => visitorPage(runtime, options, bundle));
  const page = async (tab?: Tab) => (tab ?? (await openTab(runtime, extension))).take(options, bundle);
  try {
    return await startWith(() => page(waitingTab(runtime, extension)));
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'guest-silent') throw error;
    // The browser was at work: a second start would not be faster.
    if (error.facts.ms !== undefined) throw error;
    options.onNote?.(`${runtime.spec} is started once more: ${error.facts.detail}`);
    return startWith(() => page());
  }
}

/** Guests of all runtimes. Every error is a ToolError; no guest, and no browser, outlives this process. */
export const runtimeDriver = (bundleForPage: BundleForPage): RuntimeDriver => ({
  async start(runtime, options) {
    const { name, spec } = runtime;
    if (isBrowser(name)) return startPage(runtime, options, bundleForPage);
    if (options.sender === 'worker') throw new ToolError('sender-unsupported', { value: spec });
    const begin = isProcessRuntime(name) ? beginProcess : beginWorker;
    return startGuest(runtime, options, () => begin(runtime, options, bundleForPage));
  },
});
