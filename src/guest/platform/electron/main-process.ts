/** Renderers as peers of Electron's main process. */
import { fileURLToPath } from 'node:url';
import { type Endpoint, noop, type Peer, type PeerEntry, peerAt } from '../common/platform.ts';
import { entryUrl } from '../common/web-worker.ts';
import { electronApi, type MainApi, type MainPort, MESSAGE, PORT, READY, type WebContents } from './api.ts';

/**
 * To a window, by `postMessage`: `send` has the same serializer, but prints what it refuses instead of throwing it
 * (lib/browser/api/web-frame-main.ts).
 */
class WindowEndpoint implements Endpoint {
  readonly transfers = false;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;
  readonly #contents: WebContents;
  readonly #stop: () => void;

  constructor(contents: WebContents, { ipcMain }: MainApi) {
    this.#contents = contents;
    const listener = ({ sender }: { sender: WebContents }, data: unknown) => {
      if (sender === contents) this.onMessage(data);
    };
    ipcMain.on(MESSAGE, listener);
    this.#stop = () => ipcMain.off(MESSAGE, listener);
  }

  post(message: unknown): void {
    this.#contents.postMessage(MESSAGE, message);
  }

  postWith(message: unknown): void {
    this.post(message);
  }

  close(): void {
    this.#stop();
  }
}

class MainPortEndpoint implements Endpoint {
  readonly transfers = false;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;
  readonly #port: MainPort;

  constructor(port: MainPort) {
    this.#port = port;
    port.on('message', ({ data }) => this.onMessage(data));
    port.start();
  }

  post(message: unknown): void {
    this.#port.postMessage(message);
  }

  postWith(message: unknown): void {
    this.post(message);
  }

  close(): void {
    this.#port.close();
  }
}

let prepared: MainApi | null = null;

/** Without a listener the end of the last window ends the process. */
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
  const endpoint = new WindowEndpoint(contents, api);
  const peer = peerAt(endpoint, () => {
    endpoint.close();
    window.destroy();
  });
  const ready = listening(contents, api);
  await Promise.all([ready, window.loadURL('about:blank')]);
  contents.on('render-process-gone', (_, { reason }) => peer.onExit(`the renderer ended (${reason})`));
  return { peer, contents, api };
}

let sender: Peer | null = null;

/** It answers requests as a guest does, as long as this one lives. */
export async function senderRenderer(): Promise<Peer> {
  if (sender !== null) return sender;
  const { peer, contents } = await startRenderer('main');
  contents.on('render-process-gone', () => {
    sender = null;
  });
  sender = Object.assign(peer, { end: async () => noop() });
  return sender;
}

export const spawnRenderer = async (entry: PeerEntry): Promise<Peer> => (await startRenderer(entry)).peer;

/** What is measured travels over a port. */
export async function spawnRendererWithPort(entry: PeerEntry): Promise<Peer> {
  const { peer, contents, api } = await startRenderer(entry);
  const { port1, port2 } = new api.MessageChannelMain();
  contents.postMessage(PORT, null, [port2]);
  return Object.assign(peer, { port: new MainPortEndpoint(port1) });
}
