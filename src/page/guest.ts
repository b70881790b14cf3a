import { type PageParts, startPart } from '../guest/platform/common/parts.ts';
import { ToolError } from '../model/errors.ts';
import type { FoundRuntime, Guest, RuntimeDriver, StartOptions } from '../model/run/runtime.ts';
import type { AnswerTo, GuestRequest } from '../model/wire/wire.ts';
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
    const hello = { type: 'hello', token: '', runtime: { name, version, engine } } as const;
    const guest = new ConnectedGuest(hello, worker.link, worker, { timeoutMs, asksToExit: false });
    guest.stopWith(signal);
    return guest;
  },
});

const idIn = (request: GuestRequest): string => ('recipe' in request ? request.recipe.id : '');

/**
 * Guests for runtimes that are not here: a guest of this browser describes the payload as their engines would store it, once
 * for each engine. Where it dies, the payload is to blame, which is not tried again; the next one is.
 */
export class AssumedGuests {
  readonly #driver: RuntimeDriver;
  readonly #own: FoundRuntime;
  readonly #answers = new Map<string, Promise<unknown>>();
  #guest: Promise<Guest> | null = null;
  /** By id of the payload. */
  readonly #lost = new Map<string, ToolError>();

  constructor(driver: RuntimeDriver, own: FoundRuntime) {
    this.#driver = driver;
    this.#own = own;
  }

  /** Its own guests for this browser, assumed ones for all others. */
  readonly driver: RuntimeDriver = {
    start: async (runtime, options) => {
      if (runtime !== this.#own) return this.#assumed(runtime, options);
      const guest = await this.#driver.start(runtime, options);
      return {
        hello: guest.hello,
        get dead() {
          return guest.dead;
        },
        ask: (request, terms) => this.#watched(guest, request, terms),
        close: () => guest.close(),
      };
    },
  };

  async close(): Promise<void> {
    await (await this.#guest)?.close();
  }

  #assumed({ name, version, engine }: FoundRuntime, options: StartOptions): Guest {
    return {
      hello: { type: 'hello', token: '', runtime: { name, version, engine } },
      dead: false,
      ask: async <R extends GuestRequest>(request: R, terms?: { deadlineMs?: number }) => {
        const asked = request.type === 'describe' ? { ...request, confirm: false, assume: engine } : request;
        const key = JSON.stringify(asked);
        const answer = this.#answers.get(key) ?? this.#ask(asked, options, terms);
        this.#answers.set(key, answer);
        return (await answer) as AnswerTo<R['type']>;
      },
      close: async () => undefined,
    };
  }

  async #ask(
    request: GuestRequest,
    options: StartOptions,
    terms?: { deadlineMs?: number },
  ): Promise<unknown> {
    this.#throwLost(request);
    this.#guest ??= this.#driver.start(this.#own, options);
    const started = this.#guest;
    const guest = await started;
    if (!guest.dead) return this.#watched(guest, request, terms);
    if (this.#guest === started) this.#guest = null;
    return this.#ask(request, options, terms);
  }

  #throwLost(request: GuestRequest): void {
    const lost = this.#lost.get(idIn(request));
    if (lost) throw lost;
  }

  async #watched<R extends GuestRequest>(
    guest: Guest,
    request: R,
    terms?: { deadlineMs?: number },
  ): Promise<AnswerTo<R['type']>> {
    this.#throwLost(request);
    try {
      return await guest.ask(request, terms);
    } catch (error) {
      if (guest.dead && error instanceof ToolError) this.#lost.set(idIn(request), error);
      throw error;
    }
  }
}
