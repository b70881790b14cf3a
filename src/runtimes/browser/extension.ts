/** Guests that are pages of an extension of Chromium, which is made for each of them: it has a service worker too. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../machine/package-file.ts';
import { ToolError } from '../../model/errors.ts';
import type { BrowserName, ExtensionChannel } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { type DrivenBrowser, startDriven } from './browser.ts';
import { BROWSERS } from './kinds.ts';
import { PageSession } from './pages/page-session.ts';
import { startFor, Tab } from './tab.ts';

/** Isolated, as the pages that the server has. An unpacked extension may run scripts of 127.0.0.1. */
const manifest = (channel: ExtensionChannel, root: string) => ({
  manifest_version: 3,
  name: 'clone-prof',
  version: '1.0',
  // The service worker reads it there: it is a file that knows no address.
  homepage_url: root,
  background: { service_worker: 'background.js', type: 'module' },
  host_permissions: ['http://127.0.0.1/*'],
  cross_origin_opener_policy: { value: 'same-origin' },
  cross_origin_embedder_policy: { value: 'require-corp' },
  content_security_policy: { extension_pages: "script-src 'self' http://127.0.0.1:*; object-src 'self'" },
  ...(channel === 'extension-clone' && { message_serialization: 'structured_clone' }),
});

const folder = packageFile('dist/guest/page');
const bundle = (file: string): string => readFileSync(join(folder, file), 'utf8');

const page = (root: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>clone-prof</title>
<script type="module" src="${root}guest/main.mjs"></script>
<body></body>
`;

/** By name. @param root the address of the session that serves what the guest loads */
const extensionFiles = (channel: ExtensionChannel, root: string): Record<string, string> => ({
  'manifest.json': JSON.stringify(manifest(channel, root)),
  'page.html': page(root),
  'background.js': bundle('background.mjs'),
  'peer.mjs': bundle('peer.mjs'),
});

/** The only host whose pages an unpacked extension may run scripts in. */
const HOST = '127.0.0.1';

const NOT_LOADED =
  'it loads no extension that is given to it: chrome-headless-shell and old versions of Chromium have none';

/** Binaries that are known to load no extension. */
const withoutExtensions = new Set<string>();

const notLoaded = (value: ExtensionChannel) =>
  new ToolError('channel-unsupported', { value, detail: NOT_LOADED });

/** Extensions in one window of a browser, one after the other: each has a separate origin, and so its own process. */
class ExtensionTab extends Tab {
  override readonly extension: ExtensionChannel;
  readonly #driven: DrivenBrowser;
  #loaded = 0;
  #window: Promise<string | null> | null = null;
  /** Sessions of service workers, by the origin of their extension. They do not stop while they have one. */
  readonly #workers = new Map<string, string>();

  constructor(
    browser: DrivenBrowser,
    runtime: FoundRuntime,
    first: PageSession,
    extension: ExtensionChannel,
  ) {
    super(browser, runtime, first, [HOST]);
    this.#driven = browser;
    this.extension = extension;
    browser.devtools.onEvent = (method, params) => {
      if (method !== 'Target.attachedToTarget') return;
      const { type, url } = params.targetInfo as { type: string; url: string };
      const [, origin] = /^(chrome-extension:..\w+)/.exec(url) ?? [];
      if (type === 'service_worker' && origin !== undefined)
        this.#workers.set(origin, String(params.sessionId));
    };
  }

  /** @throws ToolError 'channel-unsupported' if the browser does not load the extension */
  override async open(session: PageSession, url: string): Promise<null> {
    const { devtools, home } = this.#driven;
    // Service workers of guests that have left stop when they are idle.
    for (const sessionId of this.#workers.values())
      void devtools.send('Target.detachFromTarget', { sessionId });
    this.#workers.clear();
    const path = join(home, `extension-${++this.#loaded}`);
    mkdirSync(path);
    for (const [name, text] of Object.entries(extensionFiles(this.extension, url)))
      writeFileSync(join(path, name), text);
    const loaded = await devtools.send('Extensions.loadUnpacked', { path });
    this.#window ??= this.#openWindow();
    const page = await this.#window;
    if (typeof loaded?.id !== 'string' || page === null) throw notLoaded(this.extension);
    const origin = `chrome-extension://${loaded.id}`;
    session.origin = origin;
    session.compile = () => this.#compile(origin);
    await devtools.send('Page.navigate', { url: `${session.origin}/page.html` }, page);
    return null;
  }

  /** Calls what waits for it in the service worker: code that is evaluated so may compile texts. */
  async #compile(origin: string): Promise<void> {
    const worker = this.#workers.get(origin);
    const expression = 'cloneProfCompile()';
    if (worker !== undefined) await this.#driven.devtools.send('Runtime.evaluate', { expression }, worker);
  }

  /** Its session. Guests compile code, which no manifest allows: the policy is not applied in it. */
  async #openWindow(): Promise<string | null> {
    const { devtools } = this.#driven;
    const filter = [{ type: 'service_worker' }];
    const attached = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter };
    await devtools.send('Target.setAutoAttach', attached);
    const target = await devtools.send('Target.createTarget', { url: 'about:blank' });
    const asked = { targetId: target?.targetId, flatten: true };
    const page = (await devtools.send('Target.attachToTarget', asked))?.sessionId;
    if (typeof page !== 'string') return null;
    await devtools.send('Page.setBypassCSP', { enabled: true }, page);
    return page;
  }
}

/** @throws ToolError 'channel-unsupported' */
export async function openExtension(runtime: FoundRuntime, channel: ExtensionChannel): Promise<Tab> {
  const kind = BROWSERS[runtime.name as BrowserName];
  const args = kind.extended;
  if (args === undefined || withoutExtensions.has(runtime.binary)) throw notLoaded(channel);
  const session = new PageSession(HOST);
  const { browser, url } = await startFor(session, () => startDriven(runtime, kind, args));
  const tab = new ExtensionTab(browser, runtime, session, channel);
  try {
    await tab.open(session, url);
  } catch (error) {
    browser.kill();
    await browser.ended;
    withoutExtensions.add(runtime.binary);
    throw error;
  }
  return tab;
}
