/** Waiting for events: with a time limit, for a promise that is settled elsewhere, for signals to this process. */
import { ToolError } from '../model/errors.ts';
import type { Interruption } from '../model/run/runtime.ts';

/** Delay of a timer, at most 24.8 days: a longer timer fires at once (HTML, timer initialization steps). */
export const timerMs = (ms: number): number => Math.min(ms, 2 ** 31 - 1);

export function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((resolves, rejects) => {
    [resolve, reject] = [resolves, rejects];
  });
  return { promise, resolve, reject };
}

export async function within(ms: number, event: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([event, new Promise((resolve) => (timer = setTimeout(resolve, timerMs(ms))))]);
  clearTimeout(timer);
}

/** The value of `event` if it comes within `ms`. @throws the error of `late`, ToolError 'interrupted' */
export async function inTime<T>(
  event: Promise<T>,
  ms: number,
  late: () => Error,
  signal?: Interruption,
): Promise<T> {
  const { promise: over, reject: giveUp } = deferred<never>();
  const interrupted = () => giveUp(new ToolError('interrupted'));
  const timer = setTimeout(() => giveUp(late()), timerMs(ms));
  signal?.addEventListener('abort', interrupted, { once: true });
  if (signal?.aborted) interrupted();
  try {
    return await Promise.race([event, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', interrupted);
  }
}

export interface Signals {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

export function onSignals(source: Signals, listeners: Readonly<Record<string, () => void>>): () => void {
  for (const [name, listener] of Object.entries(listeners)) source.on(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) source.off(name, listener);
  };
}
