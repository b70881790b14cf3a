import { ToolError } from '../model/errors.ts';
import type { FoundRuntime, Guest, RuntimeDriver, StartOptions } from '../model/run/runtime.ts';
import type { AnswerTo, GuestRequest } from '../model/wire/wire.ts';

/**
 * Guests for runtimes that are not here: a guest of this browser describes the payload as their engines would store it, once
 * for each engine. Where it dies, the payload is to blame, and nothing is tried again.
 */
export class AssumedGuests {
  readonly #driver: RuntimeDriver;
  readonly #own: FoundRuntime;
  readonly #answers = new Map<string, Promise<unknown>>();
  #guest: Promise<Guest> | null = null;
  #lost: ToolError | null = null;

  /** @param own this browser */
  constructor(driver: RuntimeDriver, own: FoundRuntime) {
    this.#driver = driver;
    this.#own = own;
  }

  /** Its own guests for this browser, assumed ones for all others. */
  readonly driver: RuntimeDriver = {
    start: async (runtime, options) => {
      if (this.#lost) throw this.#lost;
      if (runtime !== this.#own) return this.#assumed(runtime, options);
      const guest = await this.#driver.start(runtime, options);
      return {
        hello: guest.hello,
        get dead() {
          return guest.dead;
        },
        ask: (request, terms) => this.#watched(guest, guest.ask(request, terms)),
        close: () => guest.close(),
      };
    },
  };

  /** Ends the guest that all assumed ones share. */
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
    if (this.#lost) throw this.#lost;
    this.#guest ??= this.#driver.start(this.#own, options);
    const guest = await this.#guest;
    return this.#watched(guest, guest.ask(request, terms));
  }

  async #watched<T>(guest: Guest, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (guest.dead && error instanceof ToolError) this.#lost = error;
      throw error;
    }
  }
}
