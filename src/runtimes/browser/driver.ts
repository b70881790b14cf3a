import { ToolError } from '../../model/errors.ts';
import type { BrowserName, ExtensionChannel } from '../../model/names.ts';
import type { BundleForPage } from '../../model/page-module.ts';
import {
  type FoundRuntime,
  FROM_LINK,
  type RuntimeDriver,
  type StartOptions,
} from '../../model/run/runtime.ts';
import type { Hello } from '../../model/wire/wire.ts';
import { within } from '../guests/body.ts';
import { ConnectedGuest } from '../guests/connected-guest.ts';
import { startBrowser } from './browser.ts';
import { openExtension } from './extension/open-extension.ts';
import { BROWSERS } from './kinds/kinds.ts';
import { pageMemory } from './pages/page-memory.ts';
import { PageSession } from './pages/page-session.ts';
import { keepTab, LOOPBACK_HOSTS, server, Tab, tabs } from './tab.ts';

async function openTab(runtime: FoundRuntime, extension: ExtensionChannel | null): Promise<Tab> {
  if (extension !== null) return openExtension(runtime, extension);
  const first = new PageSession(LOOPBACK_HOSTS[0]!);
  const url = await server.open(first);
  const browser = startBrowser(runtime, BROWSERS[runtime.name as BrowserName], url);
  return keepTab(new Tab(browser, runtime, first));
}

type Taken = { tab: Tab; hello: Hello };

const taken = async (tab: Tab, options: StartOptions): Promise<Taken> => ({
  tab,
  hello: await tab.take(options),
});

/** The next page of a browser that came by the link, as soon as the guest before has left. There is no other. */
async function visitorPage(runtime: FoundRuntime, options: StartOptions): Promise<Taken> {
  const tab = [...tabs].find((one) => one.runtime.binary === runtime.binary);
  if (tab?.taken) await within(options.timeoutMs, Promise.race([tab.session.left, tab.browser.ended]));
  if (tab === undefined || tab.taken || !tabs.has(tab))
    throw new ToolError('browser-left', { value: runtime.spec });
  return taken(tab, options);
}

/**
 * The next page of a browser that is here, else of a fresh one. A page that was lost meanwhile costs no guest, nor does a
 * browser that hangs or ends at its start.
 */
async function pageFor(runtime: FoundRuntime, options: StartOptions): Promise<Taken> {
  if (runtime.from === FROM_LINK) return visitorPage(runtime, options);
  const { extension = null } = options;
  const waiting = [...tabs].find(
    ({ taken, runtime: { binary }, opening }) =>
      !taken && binary === runtime.binary && opening.extension === extension,
  );
  try {
    return await taken(waiting ?? (await openTab(runtime, extension)), options);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'guest-silent') throw error;
    // It was at work: another one would not be faster.
    if (error.facts.ms !== undefined) throw error;
    options.onNote?.(`${runtime.spec} is started once more: ${error.facts.detail}`);
    return taken(await openTab(runtime, extension), options);
  }
}

async function start(
  runtime: FoundRuntime,
  options: StartOptions,
  bundle: BundleForPage,
): Promise<ConnectedGuest> {
  const { signal, timeoutMs, sender = 'main', extension } = options;
  if (signal?.aborted) throw new ToolError('interrupted');
  if (extension && sender === 'worker')
    throw new ToolError('channel-unsupported', {
      value: extension,
      detail: 'workers of pages have no chrome.runtime',
    });
  const { tab, hello } = await pageFor(runtime, options);
  const { session } = tab;
  session.bundle = bundle;
  session.sender = sender;
  const { processGroup, graceMs } = tab.browser;
  session.memory = processGroup === null ? null : pageMemory(processGroup);
  // Leaving is how a page ends; killing it ends its browser.
  const body = tab.body();
  const guest = new ConnectedGuest(hello, session, body, { timeoutMs, asksToExit: true, graceMs });
  // Not when the stream closes: Firefox closes it before it asks for the next page.
  void body.ended.then(() => server.close(session));
  guest.stopWith(signal);
  guest.mustBe(runtime, false);
  return guest;
}

/** Guests as pages of installed browsers, one browser for all guests of a run. No browser outlives this process. */
export const browserDriver = (bundle: BundleForPage): RuntimeDriver => ({
  start: (runtime, options) => start(runtime, options, bundle),
});
