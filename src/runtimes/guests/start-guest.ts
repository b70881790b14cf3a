import { ToolError } from '../../model/errors.ts';
import type { FoundRuntime, StartOptions } from '../../model/run/runtime.ts';
import { timerMs } from '../../model/timer.ts';
import { type Body, deferred } from './body.ts';
import { ConnectedGuest, type GuestConnection, type GuestTerms } from './connected-guest.ts';

/** Parts of a guest that a driver provides at its start. */
export interface Beginning {
  body: Body;
  connected: Promise<GuestConnection>;
  /** The body, or what is alive in it, has ended before, with the reason for the error. */
  lost: Promise<string>;
  /** Number that changes with each sign of life; absent if signs cannot be seen. */
  signs?: (() => number) | undefined;
  terms: Omit<GuestTerms, 'timeoutMs'>;
  /** The version must also be equal to the found one. */
  sameVersion?: true;
}

/**
 * Starts a guest of any runtime. When it does not connect in time, its body is killed, and has ended when this rejects.
 *
 * @throws ToolError 'guest-silent', 'interrupted', 'runtime-missing', and what `begin` throws
 */
export async function startGuest(
  runtime: FoundRuntime,
  options: StartOptions,
  begin: () => Promise<Beginning>,
): Promise<ConnectedGuest> {
  const { signal, timeoutMs } = options;
  if (signal?.aborted) throw new ToolError('interrupted');
  const beginning = await begin();
  const { hello, link } = await connection(beginning, runtime.spec, options);
  const guest = new ConnectedGuest(hello, link, beginning.body, { timeoutMs, ...beginning.terms });
  guest.stopWith(signal);
  guest.mustBe(runtime, beginning.sameVersion === true);
  return guest;
}

async function connection(
  { body, connected, lost, signs }: Beginning,
  spec: string,
  { timeoutMs, signal }: StartOptions,
): Promise<GuestConnection> {
  const { promise, resolve, reject } = deferred<GuestConnection>();
  const silent = (why: GivenUp) =>
    reject(new ToolError('guest-silent', { value: spec, ...why, output: body.excerpt() }));
  const interrupted = () => reject(new ToolError('interrupted'));
  signal?.addEventListener('abort', interrupted, { once: true });
  const timer = signs ? whileAlive(timeoutMs, signs, silent) : atMost(timeoutMs, silent);
  void connected.then(resolve);
  void lost.then((detail) => silent({ detail }));
  try {
    return await promise;
  } catch (error) {
    body.kill();
    await body.ended;
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', interrupted);
  }
}

/** Why something that starts is given up. `ms`: it worked all that time. */
type GivenUp = { detail: string; ms?: number };

function atMost(ms: number, giveUp: (why: GivenUp) => void): NodeJS.Timeout {
  const detail = `nothing within ${ms} ms; --timeout says how long to wait`;
  return setTimeout(() => giveUp({ detail }), timerMs(ms));
}

const LOOK_MS = 500;
/** Part of --timeout: 20 s by default. */
const SILENT_PART = 2 / 3;
/** A browser that works all the time and opens no page is at an end too. */
const BUSY_TIMES = 4;

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** Waits for a browser on a busy machine while it shows signs of life. A browser that hangs shows no signs. */
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

function whileAlive(timeoutMs: number, signs: () => number, giveUp: (why: GivenUp) => void): NodeJS.Timeout {
  const patience = new StartPatience(timeoutMs, performance.now(), signs());
  return setInterval(() => {
    const why = patience.look(performance.now(), signs());
    if (why) giveUp(why);
  }, LOOK_MS);
}
