import { type PageParts, startPart } from '../guest/platform/common/parts.ts';
import type { RuntimeId } from '../model/documents/names.ts';
import { ToolError } from '../model/errors.ts';
import type { Guest, RuntimeDriver, StartOptions } from '../model/run/runtime.ts';
import type { Body } from '../runtimes/guests/body.ts';
import { ConnectedGuest, type HostLink } from '../runtimes/guests/connected-guest.ts';

/** A worker of this page: user code can keep it busy, but neither the page nor the next guest. */
class GuestWorker implements Body {
  readonly ended: Promise<ToolError>;
  readonly link: HostLink;
  readonly #worker: Worker;
  #end: (error: ToolError) => void = () => undefined;

  constructor(parts: PageParts) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#worker = startPart(parts, 'sender');
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#stop(event.message || 'its worker could not be started');
    };
    this.link = {
      send: (request) => this.#worker.postMessage(request),
      onMessage: () => undefined,
      closed: this.ended.then(() => null),
      close: () => undefined,
      mostBytes: 0,
    };
    this.#worker.onmessage = ({ data }) => this.link.onMessage(data);
  }

  kill(): void {
    this.#stop('its worker was ended');
  }

  excerpt(): string {
    return '';
  }

  #stop(detail: string): void {
    this.#worker.terminate();
    this.#end(new ToolError('guest-crashed', { detail }));
  }
}

/**
 * Guests as workers of this page, for its own browser. Each is fresh: engines give a worker a heap and compiled code of its
 * own.
 *
 * @param parts of the page, with what recipes name
 */
export const workerDriver = (parts: PageParts): RuntimeDriver => ({
  start: async ({ name, version, engine }, { timeoutMs, signal }: StartOptions): Promise<Guest> => {
    if (signal?.aborted) throw new ToolError('interrupted');
    const worker = new GuestWorker(parts);
    const runtime: RuntimeId = { name, version, engine };
    const hello = { type: 'hello', token: '', runtime } as const;
    const guest = new ConnectedGuest(hello, worker.link, worker, { timeoutMs, asksToExit: false });
    const interrupted = () => guest.stop(new ToolError('interrupted'));
    signal?.addEventListener('abort', interrupted, { once: true });
    void worker.ended.then(() => signal?.removeEventListener('abort', interrupted));
    return guest;
  },
});
