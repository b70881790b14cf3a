import { ToolError } from '../../model/errors.ts';
import type { StartOptions } from '../../model/run/runtime.ts';

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
): Promise<T> {
  const { promise, resolve, reject } = deferred<T>();
  const silent = (detail: string) =>
    reject(new ToolError('guest-silent', { value: spec, detail, output: body.excerpt() }));
  const interrupted = () => reject(new ToolError('interrupted'));
  const timer = setTimeout(() => silent(`nothing within ${timeoutMs} ms`), timeoutMs);
  signal?.addEventListener('abort', interrupted, { once: true });
  void connected.then(resolve);
  void ended.then(silent);
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
  await Promise.race([event, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
