import type { ToolError } from '../../model/errors.ts';
import { timerMs } from '../../model/timer.ts';

/**
 * The running program behind a guest: a process group, or for other kinds of runtime a browser with its profile folder,
 * or a tab that the tool does not own. Each driver has its kind of body.
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
