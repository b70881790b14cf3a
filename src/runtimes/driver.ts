/** Starts guests of any runtime, each with a Body (what is alive behind it) and a Link (how messages travel). */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../machine/folders.ts';
import { ownedPath, WORK } from '../machine/temp-folders.ts';
import { within } from '../machine/waiting.ts';
import { ToolError } from '../model/errors.ts';
import type { BrowserName, ExtensionChannel } from '../model/names.ts';
import {
  type BundleForPage,
  type FoundRuntime,
  FROM_LINK,
  type Guest,
  type RuntimeDriver,
  type StartOptions,
} from '../model/run/runtime.ts';
import { type DrivenBrowser, startBrowser, startDriven } from './browser/browser.ts';
import { BROWSERS, isBrowser } from './browser/kinds.ts';
import { guestPage, server } from './browser/pages/page-server.ts';
import { PageSession } from './browser/pages/page-session.ts';
import { LOOPBACK_HOSTS, startFor, Tab, tabs } from './browser/tabs.ts';
import { type Beginning, startGuest } from './guests/start-guest.ts';
import { beginProcess, guestEnv } from './process/driver.ts';
import { isProcessRuntime, RUNTIME_KINDS } from './process/kinds.ts';
import { ProcessGroup, startIn } from './process/supervisor.ts';

/** Guests of all runtimes. Every error is a ToolError; no guest, and no browser, outlives this process. */
export function runtimeDriver(bundleForPage: BundleForPage): RuntimeDriver {
  const noted = new Set<string>();
  /** Names the file of the project that counts for its modules, once a run. A former commit has a copy of that file. */
  function noteConfig({ name, spec }: FoundRuntime, { forModules, moved, cwd, onNote }: StartOptions): void {
    const file = forModules && !moved && isProcessRuntime(name) && RUNTIME_KINDS[name].configFile?.(cwd);
    if (!file) return;
    const text = `modules on ${spec} are resolved by ${file}`;
    if (!noted.has(text)) onNote?.(text);
    noted.add(text);
  }
  return {
    async start(runtime, options) {
      const { name, spec } = runtime;
      if (isBrowser(name)) return startPage(runtime, options, bundleForPage);
      if (options.sender === 'worker') throw new ToolError('sender-unsupported', { value: spec });
      noteConfig(runtime, options);
      const begin = isProcessRuntime(name) ? beginProcess : beginWorker;
      return startGuest(runtime, options, () => begin(runtime, options, bundleForPage));
    },
  };
}

/** Multiplies --timeout for a browser that is started once more: on a busy machine a start may take minutes. */
const AGAIN_TIMES = 4;

/**
 * Guests as pages of installed browsers, one browser for all guests of a run. A page that was lost meanwhile costs no
 * guest, nor does a browser that hangs or ends at its start.
 */
async function startPage(
  runtime: FoundRuntime,
  options: StartOptions,
  bundle: BundleForPage,
): Promise<Guest> {
  const { extension = null, timeoutMs } = options;
  if (extension && options.sender === 'worker')
    throw new ToolError('channel-unsupported', {
      value: extension,
      detail: 'workers of pages have no chrome.runtime',
    });
  /** The next page of a browser that came by the link, as soon as the guest before has left. */
  const visitorPage = async (): Promise<Beginning> => {
    const tab = [...tabs].find((one) => one.runtime.binary === runtime.binary);
    if (tab?.taken) await within(timeoutMs, Promise.race([tab.session.left, tab.browser.ended]));
    if (tab === undefined || tab.taken || !tabs.has(tab))
      throw new ToolError('browser-left', { value: runtime.spec });
    return tab.take(options, bundle);
  };
  if (runtime.from === FROM_LINK) return startGuest(runtime, options, visitorPage);
  const page = async (tab?: Tab) => (tab ?? (await openTab(runtime, extension))).take(options, bundle);
  const isWaiting = (tab: Tab) =>
    !tab.taken && tab.runtime.binary === runtime.binary && tab.extension === extension;
  try {
    return await startGuest(runtime, options, () => page([...tabs].find(isWaiting)));
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'guest-silent') throw error;
    options.onNote?.(`${runtime.spec} is started once more: ${error.facts.detail}`);
    return startGuest(runtime, options, () => page(), AGAIN_TIMES * timeoutMs);
  }
}

async function openTab(runtime: FoundRuntime, extension: ExtensionChannel | null): Promise<Tab> {
  if (extension !== null) return openExtension(runtime, extension);
  const first = new PageSession(LOOPBACK_HOSTS[0]!);
  const kind = BROWSERS[runtime.name as BrowserName];
  const { started: browser } = await startFor(first, (url) => startBrowser(runtime, kind, url));
  return new Tab(browser, runtime, first);
}

// Pages of an extension of Chromium, which is made for each guest: it has a service worker too.

/** Isolated, as the pages that the server has. An unpacked extension may run scripts of 127.0.0.1. */
const manifest = (channel: ExtensionChannel, root: string) => ({
  manifest_version: 3,
  name: 'clone-prof',
  version: '1.0',
  // The service worker reads it there: it is a file that knows no address.
  homepage_url: root,
  background: { service_worker: 'peer.mjs', type: 'module' },
  host_permissions: ['http://127.0.0.1/*'],
  cross_origin_opener_policy: { value: 'same-origin' },
  cross_origin_embedder_policy: { value: 'require-corp' },
  content_security_policy: { extension_pages: "script-src 'self' http://127.0.0.1:*; object-src 'self'" },
  ...(channel === 'extension-clone' && { message_serialization: 'structured_clone' }),
});

const extensionFiles = (channel: ExtensionChannel, root: string) => ({
  'manifest.json': JSON.stringify(manifest(channel, root)),
  'page.html': guestPage(root),
  'peer.mjs': readFileSync(packageFile('dist/guest/page/peer.mjs'), 'utf8'),
});

/** The only host whose pages an unpacked extension may run scripts in. */
const HOST = '127.0.0.1';

/** They fail only after a whole start, and each guest would start them again. */
const binariesWithoutExtensions = new Set<string>();

const notLoaded = (value: ExtensionChannel) =>
  new ToolError('channel-unsupported', {
    value,
    detail:
      'it loads no extension that is given to it: chrome-headless-shell and old versions of Chromium have none',
  });

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

async function openExtension(runtime: FoundRuntime, channel: ExtensionChannel): Promise<Tab> {
  const kind = BROWSERS[runtime.name as BrowserName];
  const args = kind.extended;
  if (args === undefined || binariesWithoutExtensions.has(runtime.binary)) throw notLoaded(channel);
  const session = new PageSession(HOST);
  const { started: browser, url } = await startFor(session, () => startDriven(runtime, kind, args));
  const tab = new ExtensionTab(browser, runtime, session, channel);
  try {
    await tab.open(session, url);
  } catch (error) {
    browser.kill();
    await browser.ended;
    if (error instanceof ToolError && error.code === 'channel-unsupported')
      binariesWithoutExtensions.add(runtime.binary);
    throw error;
  }
  return tab;
}

// Workers of workerd.

/** All that the guest does belongs to this one request. */
const guestModule = (folder: string) => `
export default {
  async test(_, env) {
    const { answerHost } = await import('${folder}guest/service.mjs');
    await answerHost(env.ROOT);
  },
};
`;

/** Module of the other service. It is evaluated once more for each peer; `receive` is its function. */
const peerModule = (folder: string) => `
import { WorkerEntrypoint } from 'cloudflare:workers';
let started = 0;
let receive;
let arrived = 0;
export class Peer extends WorkerEntrypoint {
  async start() {
    await import('${folder}guest/service.mjs?' + ++started);
    receive = globalThis.cloneProfReceive;
  }
  receive(message) {
    return receive(message);
  }
  echo(nth, value) {
    arrived = nth;
    return [value];
  }
  latest() {
    return arrived;
  }
}
export default {};
`;

/** "1.20261117.1": the behaviour of the day in the version. */
const compatibilityDate = (version: string): string =>
  version.replace(/^\d+\.(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3');

/**
 * The config as Cap'n Proto text. `unsafeEval` and natives are for the guest's own code: the user's modules are refused
 * what production refuses. @param outside the user's modules may reach other hosts, as they may on every runtime
 */
function configText({ root, version }: { root: URL; version: string }, outside: boolean): string {
  const worker = (module: string, bindings: string) => `(
    modules = [(name = "main", esModule = ${JSON.stringify(module)})],
    compatibilityDate = ${JSON.stringify(compatibilityDate(version))},
    compatibilityFlags = ["nodejs_compat", "legacy_module_registry"],
    globalOutbound = "network",
    moduleFallback = ${JSON.stringify(root.host)},
    bindings = [
      (name = "ROOT", text = ${JSON.stringify(root.href)}),
      (name = "VERSION", text = ${JSON.stringify(version)}),
      (name = "UNSAFE", unsafeEval = void),${bindings}
    ],
  )`;
  const network = outside
    ? 'allow = ["public", "private"], tlsOptions = (trustBrowserCas = true)'
    : 'allow = ["private"]';
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ["--allow-natives-syntax", "--expose-gc"],
  services = [
    (name = "guest", worker = .guest),
    (name = "peer", worker = .peer),
    (name = "network", network = (${network})),
  ],
);
const guest :Workerd.Worker = ${worker(
    guestModule(root.pathname),
    `
      (name = "PEER", service = (name = "peer", entrypoint = "Peer")),`,
  )};
const peer :Workerd.Worker = ${worker(peerModule(root.pathname), '')};
`;
}

/** A test run, which listens on no port: its guest connects to the host. */
async function beginWorker(
  { binary, version }: FoundRuntime,
  { cwd, forModules = false }: StartOptions,
  bundle: BundleForPage,
): Promise<Beginning> {
  const session = new PageSession(HOST);
  session.cwd = cwd;
  session.bundle = (module, folder) => bundle(module, folder, 'workerd');
  session.isOfWorkerd = true;
  const begin = (folder: string, address: string) => {
    mkdirSync(folder, { mode: 0o700 });
    const config = join(folder, 'config.capnp');
    const text = configText({ root: new URL(address), version }, forModules);
    writeFileSync(config, text, { mode: 0o600 });
    const env = guestEnv(process.env, {}, '');
    const args = ['test', '--experimental', '--no-verbose', config, 'guest'];
    return new ProcessGroup(binary, args, { cwd: forModules ? cwd : folder, env, endsStrays: true, folder });
  };
  const { started: body } = await startFor(session, (address) =>
    startIn(ownedPath(WORK) + session.token.slice(0, 6), (folder) => begin(folder, address)),
  );
  void body.exited.then(() => server.close(session));
  return { body, link: session, terms: { asksToExit: false } };
}
