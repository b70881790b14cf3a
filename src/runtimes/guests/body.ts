import { ToolError } from '../../model/errors.ts';
import type { StartOptions } from '../../model/run/runtime.ts';
import { timerMs } from '../../model/timer.ts';

/**
 * What is alive behind a guest: a process group, or for other kinds of runtime a browser with its profile folder, or a tab
 * that the tool does not own. Each driver brings one for its guests.
 */
export interface Body {
  kill(): void;
  /** No request is open, or one is again: an idle body should leave the processor to the guests that are measured. */
  idle?(isIdle: boolean): void;
  /** Resolves when it has ended, with the error for requests that still wait. */
  readonly ended: Promise<ToolError>;
  /** The last lines that it printed, for error messages. */
  excerpt(): string;
}

/** How long something that was started is waited for. */
export interface Patience {
  /** Settles when it is at an end. `ms`: all the time that may be given was not enough. */
  over: Promise<{ detail: string; ms?: number }>;
  end(): void;
}

const atMost = (ms: number): Patience => {
  const { promise, resolve } = deferred<{ detail: string }>();
  const detail = `nothing within ${ms} ms; --timeout says how long to wait`;
  const timer = setTimeout(() => resolve({ detail }), timerMs(ms));
  return { over: promise, end: () => clearTimeout(timer) };
};

/**
 * What a guest that is being started connects with. When it does not in time, its body is killed, and has ended when this
 * rejects.
 *
 * @param ended the body, or what is alive in it, has ended before, with the reason for the error
 * @throws ToolError 'guest-silent', 'interrupted'
 */
export async function awaitHello<T>(
  spec: string,
  connected: Promise<T>,
  ended: Promise<string>,
  body: Body,
  { timeoutMs, signal }: Pick<StartOptions, 'timeoutMs' | 'signal'>,
  patience: Patience = atMost(timeoutMs),
): Promise<T> {
  const { promise, resolve, reject } = deferred<T>();
  const silent = (why: { detail: string; ms?: number }) =>
    reject(new ToolError('guest-silent', { value: spec, ...why, output: body.excerpt() }));
  const interrupted = () => reject(new ToolError('interrupted'));
  signal?.addEventListener('abort', interrupted, { once: true });
  void connected.then(resolve);
  void ended.then((detail) => silent({ detail }));
  void patience.over.then(silent);
  try {
    return await promise;
  } catch (error) {
    body.kill();
    await body.ended;
    throw error;
  } finally {
    patience.end();
    signal?.removeEventListener('abort', interrupted);
  }
}

/** A promise, and what settles it. */
export function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: ToolError) => void;
  const promise = new Promise<T>((resolves, rejects) => {
    [resolve, reject] = [resolves, rejects];
  });
  return { promise, resolve, reject };
}

/** Waits for `event`, but no longer than `ms`. */
export async function within(ms: number, event: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([event, new Promise((resolve) => (timer = setTimeout(resolve, timerMs(ms))))]);
  clearTimeout(timer);
}
