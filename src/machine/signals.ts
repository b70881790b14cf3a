import { ToolError } from '../model/errors.ts';
import type { Interruption } from '../model/run/runtime.ts';
import { timerMs } from '../model/timer.ts';

/** Source of the signals to this process: `process`. */
export interface Signals {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/** Calls the listeners of signals by their names. @returns a function that removes them */
export function onSignals(source: Signals, listeners: Readonly<Record<string, () => void>>): () => void {
  for (const [name, listener] of Object.entries(listeners)) source.on(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) source.off(name, listener);
  };
}

/** The value of `event` if it comes within `ms`. @throws the error of `late`, ToolError 'interrupted' */
export async function inTime<T>(
  event: Promise<T>,
  ms: number,
  late: () => Error,
  signal?: Interruption,
): Promise<T> {
  let giveUp: (why: Error) => void = () => undefined;
  const over = new Promise<never>((_, reject) => (giveUp = reject));
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
