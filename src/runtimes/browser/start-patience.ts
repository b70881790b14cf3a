import { deferred, type Patience } from '../guests/body.ts';

const LOOK_MS = 500;
/** Of --timeout: 20 s without it. */
const SILENT_PART = 2 / 3;
/** A browser that works all the time and opens no page is at an end too. */
const BUSY_TIMES = 4;

/** Why something that starts is given up. `ms`: it worked all that time. */
type GivenUp = { detail: string; ms?: number };

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** A browser that starts on a busy machine is waited for while it shows signs of life. One that hangs shows none. */
export class StartPatience {
  readonly #silentMs: number;
  readonly #mostMs: number;
  readonly #began: number;
  #latest: { signs: number; at: number };

  /** @param signs a number that changes with each of them */
  constructor(timeoutMs: number, now: number, signs: number) {
    this.#silentMs = timeoutMs * SILENT_PART;
    this.#mostMs = timeoutMs * BUSY_TIMES;
    this.#began = now;
    this.#latest = { signs, at: now };
  }

  /** null: it is waited for. */
  look(now: number, signs: number): GivenUp | null {
    if (signs !== this.#latest.signs) this.#latest = { signs, at: now };
    const more = 'a larger --timeout waits longer';
    if (now - this.#latest.at >= this.#silentMs)
      return { detail: `no sign of life for ${seconds(this.#silentMs)}; ${more}` };
    if (now - this.#began < this.#mostMs) return null;
    const detail = `it was at work, but opened no page within ${seconds(this.#mostMs)}; ${more}`;
    return { detail, ms: this.#mostMs };
  }
}

export function whileAlive(signs: () => number, timeoutMs: number): Patience {
  const { promise, resolve } = deferred<GivenUp>();
  const patience = new StartPatience(timeoutMs, performance.now(), signs());
  const timer = setInterval(() => {
    const over = patience.look(performance.now(), signs());
    if (over) resolve(over);
  }, LOOK_MS);
  return { over: promise, end: () => clearInterval(timer) };
}
