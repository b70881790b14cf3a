/** Where user code runs, and who is to blame when it throws out of reach. */

import { keepBuiltIns, restoreBuiltIns } from './built-ins.ts';

type Blame = (error: unknown) => void;

const waiting = new Set<Blame>();

/**
 * Runs user code that may be asynchronous. An exception that escapes it through a timer or an unhandled rejection,
 * which would end an ordinary process, rejects the call instead of leaving it waiting for ever.
 */
export function userCode<T>(work: () => T | Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    waiting.add(reject);
    void settle(work, resolve, reject);
  });
}

/** `await`, not `then`: user code may have replaced that, until its built-ins are restored here. */
async function settle<T>(
  work: () => T | Promise<T>,
  resolve: (value: T) => void,
  reject: Blame,
): Promise<void> {
  keepBuiltIns();
  try {
    const value = await work();
    restoreBuiltIns();
    resolve(value);
  } catch (error) {
    restoreBuiltIns();
    reject(error);
  } finally {
    waiting.delete(reject);
  }
}

function escaped(error: unknown): void {
  for (const blame of waiting) blame(error);
  waiting.clear();
  // Not console.error: user code may have replaced it.
  process.stderr.write(`${stackOf(error)}\n`);
}

/** From here on nothing that user code throws ends the process. */
export function guardProcess(): void {
  process.on('uncaughtException', escaped);
  process.on('unhandledRejection', escaped);
}

function property(of: unknown, name: string): string | undefined {
  try {
    const value: unknown = (of as Record<string, unknown> | null | undefined)?.[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch {
    return undefined;
  }
}

function asText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'a value that cannot be turned into text';
  }
}

/** "TypeError: x is not a function"; also for what is no Error, or throws when looked at. */
export function messageOf(error: unknown): string {
  const message = property(error, 'message');
  if (message === undefined) return asText(error);
  const name = property(error, 'name');
  return name === undefined || message.startsWith(name) ? message : `${name}: ${message}`;
}

export function stackOf(error: unknown): string {
  return property(error, 'stack') ?? messageOf(error);
}

export function codeOf(error: unknown): string | undefined {
  return property(error, 'code');
}
