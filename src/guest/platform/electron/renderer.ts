/** A peer in the preload script of a renderer. */
import { type Endpoint, noop } from '../common/platform.ts';
import { WebEndpoint } from '../common/web.ts';
import { electronApi, MESSAGE, PORT, READY, type RendererApi } from './api.ts';

export const isRenderer = (process as { type?: string }).type === 'renderer';

class RendererEndpoint implements Endpoint {
  readonly transfers = false;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;
  readonly #api = electronApi<RendererApi>().ipcRenderer;

  constructor() {
    this.#api.on(MESSAGE, (_, data) => this.onMessage(data));
  }

  post(message: unknown): void {
    this.#api.send(MESSAGE, message);
  }

  postWith(message: unknown): void {
    this.post(message);
  }

  close = noop;
}

let port: MessagePort | null = null;

export function rendererParent(): Endpoint {
  const { ipcRenderer } = electronApi<RendererApi>();
  ipcRenderer.on(PORT, ({ ports }) => {
    port = ports[0] ?? null;
  });
  const endpoint = new RendererEndpoint();
  ipcRenderer.send(READY, null);
  return endpoint;
}

/** It came before any message, or never comes. A port of the main process takes ports alone as transferred. */
export function rendererPort(): Endpoint | null {
  const own = port;
  return own && new WebEndpoint(own, () => own.close(), false);
}
