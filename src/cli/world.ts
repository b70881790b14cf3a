/** The part of `process` that the program uses. A test passes its own and reads exact stdout, stderr and exit code. */
export interface World {
  argv: string[];
  env: Record<string, string | undefined>;
  execPath: string;
  cwd(): string;
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
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
