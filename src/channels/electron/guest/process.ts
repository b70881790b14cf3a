/** Electron: renderers as peers of its main process, and calls between the two worlds of a page. */

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  copyingEndpoint,
  type Endpoint,
  type LocalChannel,
  type LocalEndpoint,
  noop,
  type Peer,
  type PeerEntry,
  type Platform,
  peerAt,
} from '../../../guest/platform/common/platform.ts';
import { webEndpoint } from '../../../guest/platform/common/web.ts';
import { entryUrl } from '../../../guest/platform/common/web-worker.ts';

type FromRenderer = (event: { sender: WebContents }, data: unknown) => void;

interface MainPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  start(): void;
  close(): void;
}

interface WebContents {
  postMessage(channel: string, message: unknown, transfer?: readonly MainPort[]): void;
  on(event: 'render-process-gone', listener: (event: unknown, details: { reason: string }) => void): void;
  on(event: 'preload-error', listener: (event: unknown, path: string, error: Error) => void): void;
}

interface BrowserWindow {
  readonly webContents: WebContents;
  loadURL(url: string): Promise<void>;
  destroy(): void;
}

interface MainApi {
  app: {
    whenReady(): Promise<void>;
    on(event: 'window-all-closed', listener: () => void): void;
    dock?: { hide(): void };
  };
  BrowserWindow: new (options: { show: boolean; webPreferences: Record<string, unknown> }) => BrowserWindow;
  MessageChannelMain: new () => { port1: MainPort; port2: MainPort };
  ipcMain: Record<'on' | 'off', (channel: string, listener: FromRenderer) => void>;
}

interface RendererApi {
  ipcRenderer: {
    send(channel: string, message: unknown): void;
    on(channel: string, listener: (event: { ports: MessagePort[] }, data: unknown) => void): void;
  };
  contextBridge: { exposeInMainWorld(key: string, api: object): void };
  webFrame: { executeJavaScript(code: string): Promise<unknown> };
}

/** `import` of it in a bundle would fail in all other runtimes. */
const electronApi = <Api>(): Api => createRequire(import.meta.url)('electron') as Api;

/** A peer says that it listens, gets a port, then messages. */
const READY = 'clone-prof: ready';
const PORT = 'clone-prof: port';
const MESSAGE = 'clone-prof';

/** `send` has the same serializer, but prints what it refuses (lib/browser/api/web-frame-main.ts). */
function windowEndpoint(contents: WebContents, { ipcMain }: MainApi): Endpoint {
  const listener: FromRenderer = ({ sender }, data) => {
    if (sender === contents) endpoint.onMessage(data);
  };
  const endpoint = copyingEndpoint(
    (message) => contents.postMessage(MESSAGE, message),
    () => ipcMain.off(MESSAGE, listener),
  );
  ipcMain.on(MESSAGE, listener);
  return endpoint;
}

function mainPortEndpoint(port: MainPort): Endpoint {
  const endpoint = copyingEndpoint(
    (message) => port.postMessage(message),
    () => port.close(),
  );
  port.on('message', ({ data }) => endpoint.onMessage(data));
  port.start();
  return endpoint;
}

let prepared: MainApi | null = null;

/** Listens for the end of the last window, which would otherwise end the process. */
async function electron(): Promise<MainApi> {
  if (prepared === null) {
    prepared = electronApi<MainApi>();
    prepared.app.on('window-all-closed', noop);
    prepared.app.dock?.hide();
  }
  await prepared.app.whenReady();
  return prepared;
}

/** Resolves when the preload script listens. @throws why it does not */
const listening = (contents: WebContents, { ipcMain }: MainApi): Promise<void> =>
  new Promise((resolve, reject) => {
    ipcMain.on(READY, ({ sender }) => {
      if (sender === contents) resolve();
    });
    contents.on('render-process-gone', (_, { reason }) => reject(new Error(`it ended (${reason})`)));
    contents.on('preload-error', (_, _path, error) => reject(error));
  });

/** Starts a hidden window whose preload script is the peer. It draws without a display (offscreen). */
async function startRenderer(entry: PeerEntry): Promise<{ peer: Peer; contents: WebContents; api: MainApi }> {
  const api = await electron();
  const window = new api.BrowserWindow({
    show: false,
    webPreferences: {
      preload: fileURLToPath(entryUrl(entry)),
      ...{ sandbox: false, offscreen: true, backgroundThrottling: false },
    },
  });
  const contents = window.webContents;
  const endpoint = windowEndpoint(contents, api);
  const peer = peerAt(endpoint, () => {
    endpoint.close();
    window.destroy();
  });
  const ready = listening(contents, api);
  await Promise.all([ready, window.loadURL('about:blank')]);
  contents.on('render-process-gone', (_, { reason }) => peer.exited(`the renderer ended (${reason})`));
  return { peer, contents, api };
}

let sender: Peer | null = null;

/** It answers requests as a guest does, as long as this one lives. */
async function senderRenderer(): Promise<Peer> {
  if (sender !== null && !sender.over) return sender;
  const { peer } = await startRenderer('main');
  sender = Object.assign(peer, { end: async () => noop() });
  return sender;
}

const spawnRenderer = async (): Promise<Peer> => (await startRenderer('peer')).peer;

async function spawnRendererWithPort(): Promise<Peer> {
  const { peer, contents, api } = await startRenderer('peer');
  const { port1, port2 } = new api.MessageChannelMain();
  contents.postMessage(PORT, null, [port2]);
  return Object.assign(peer, { port: mainPortEndpoint(port1) });
}

const isRenderer = (process as { type?: string }).type === 'renderer';

function rendererParent(): Endpoint {
  const { ipcRenderer } = electronApi<RendererApi>();
  const endpoint = copyingEndpoint((message) => ipcRenderer.send(MESSAGE, message));
  ipcRenderer.on(PORT, ({ ports }) => endpoint.onMessage({ port: ports[0] }));
  ipcRenderer.on(MESSAGE, (_, data) => endpoint.onMessage(data));
  ipcRenderer.send(READY, null);
  return endpoint;
}

/** Functions of the page. Arguments and results are copied by the same steps as in the preload script. */
interface MainWorld {
  put(value: unknown): void;
  take(): unknown;
  call(give: () => unknown): void;
}

const KEY = 'cloneProf';
const CONNECT = `(() => {
  let kept;
  ${KEY}.connect({ put: (value) => { kept = value; }, take: () => kept, call: (give) => { give(); } });
})()`;

let connected: Promise<MainWorld> | null = null;

const connect = (): Promise<MainWorld> =>
  new Promise((resolve, reject) => {
    const { contextBridge, webFrame } = electronApi<RendererApi>();
    contextBridge.exposeInMainWorld(KEY, { connect: resolve });
    webFrame.executeJavaScript(CONNECT).catch(reject);
  });

/** A post is the argument of a call, a receipt the result of a second call: both block the thread of both worlds. */
async function openBridge(): Promise<LocalChannel> {
  connected ??= connect();
  const { put, take, call } = await connected;
  const endpoint: LocalEndpoint = {
    post: (message) => put(message),
    get received() {
      return take();
    },
  };
  const giveBack = (value: unknown) => call(() => value);
  const close = () => put(undefined);
  return { ...{ transfers: false, isRead: true }, endpoint: () => endpoint, giveBack, close };
}

/** Its main process starts renderers; a peer is the preload script of one, which has Node's modules too. */
export const electronChannels = {
  peers: isRenderer ? {} : { 'electron-ipc': spawnRenderer, 'electron-port': spawnRendererWithPort },
  senders: isRenderer ? {} : { 'electron-bridge': senderRenderer },
  isSender: isRenderer,
  local: isRenderer ? { 'electron-bridge': openBridge } : {},
  parentEndpoint: rendererParent,
  // A port of the main process takes ports alone as transferred.
  portEndpoint: (port: MessagePort) => webEndpoint(port, () => port.close(), false),
} satisfies Partial<Platform>;
