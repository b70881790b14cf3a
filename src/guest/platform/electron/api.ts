/** What is used of Electron's API, which has other members in its main process than in a renderer. */
import { createRequire } from 'node:module';

type Listener = (...args: never[]) => void;

/** MessagePortMain (docs/api/message-port-main.md). */
export interface MainPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  start(): void;
  close(): void;
}

export interface WebContents {
  postMessage(channel: string, message: unknown, transfer?: readonly MainPort[]): void;
  on(event: 'render-process-gone', listener: (event: unknown, details: { reason: string }) => void): void;
  on(event: 'preload-error', listener: (event: unknown, path: string, error: Error) => void): void;
}

interface BrowserWindow {
  readonly webContents: WebContents;
  loadURL(url: string): Promise<void>;
  destroy(): void;
}

/** Of the main process. */
export interface MainApi {
  app: {
    whenReady(): Promise<void>;
    on(event: string, listener: Listener): void;
    dock?: { hide(): void };
  };
  BrowserWindow: new (options: { show: boolean; webPreferences: Record<string, unknown> }) => BrowserWindow;
  MessageChannelMain: new () => { port1: MainPort; port2: MainPort };
  ipcMain: {
    on(channel: string, listener: (event: { sender: WebContents }, data: unknown) => void): void;
    off(channel: string, listener: (event: { sender: WebContents }, data: unknown) => void): void;
  };
}

/** Of a renderer, in its preload script. */
export interface RendererApi {
  ipcRenderer: {
    send(channel: string, message: unknown): void;
    on(channel: string, listener: (event: { ports: MessagePort[] }, data: unknown) => void): void;
  };
  contextBridge: { exposeInMainWorld(key: string, api: object): void };
  webFrame: { executeJavaScript(code: string): Promise<unknown> };
}

/** `import` of it in a bundle would fail in all other runtimes. */
export const electronApi = <Api>(): Api => createRequire(import.meta.url)('electron') as Api;

/** A peer says that it listens, gets a port, then messages. */
export const READY = 'clone-prof: ready';
export const PORT = 'clone-prof: port';
export const MESSAGE = 'clone-prof';
