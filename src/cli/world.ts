import type { Surroundings } from '../services.ts';

/** The part of `process` that the program uses. A test passes its own and reads exact stdout, stderr and exit code. */
export interface World extends Surroundings {
  argv: string[];
  stdout: Sink;
  stderr: Sink;
  on(event: string, listener: (...args: never[]) => void): unknown;
  off(event: string, listener: (...args: never[]) => void): unknown;
}

export interface Sink {
  isTTY?: boolean;
  columns?: number;
  write(text: string, done?: (error?: Error | null) => void): boolean;
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}
