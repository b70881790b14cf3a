import { visibleLine } from '../../reporters/text/escape.ts';
import type { Surroundings } from '../../services/services.ts';

/** The part of `process` that main() gets. A test passes its own and reads exact stdout, stderr and exit code. */
export interface ProcessLike extends Surroundings {
  argv: string[];
  stdout: Sink;
  stderr: Sink;
  /** Clock of the progress lines, ms; `performance.now` without it. */
  now?(): number;
  on(event: string, listener: (...args: never[]) => void): unknown;
  off(event: string, listener: (...args: never[]) => void): unknown;
  exit?(code: number): void;
}

/** What commands see of it: stderr takes lines only, so that no write goes around the escaping. */
export interface World extends Omit<ProcessLike, 'stderr' | 'exit' | 'now'> {
  stderr: EscapedLines;
  /** ms, monotonic */
  now(): number;
}

/**
 * stderr, a line at a time: arguments, file names and what other programs say reach a terminal and the log of a CI
 * runner there too, so each line is escaped and cut. A line end inside the text is escaped like any control character.
 */
export interface EscapedLines {
  readonly isTTY: boolean;
  /** 0 where it is not known. */
  readonly columns: number;
  /** Ends when the stream took it. Never fails: there is no other place to tell it. */
  line(text: string): Promise<void>;
}

export interface Sink {
  isTTY?: boolean;
  columns?: number;
  write(text: string, done?: (error?: Error | null) => void): boolean;
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export const escapedLines = (sink: Sink): EscapedLines => ({
  get isTTY() {
    return sink.isTTY === true;
  },
  get columns() {
    return sink.columns ?? 0;
  },
  line: (text) => new Promise((done) => void sink.write(`${visibleLine(text)}\n`, () => done())),
});

const MAX_STACK_LINES = 30;

/** Each line of a text by itself, such as a stack or what a program printed. */
export async function eachLine(to: EscapedLines, text: string, indent = ''): Promise<void> {
  const lines = text.split(/\r\n|\r|\n/, MAX_STACK_LINES + 1);
  for (const line of lines.slice(0, MAX_STACK_LINES)) await to.line(`${indent}${line}`);
  if (lines.length > MAX_STACK_LINES) await to.line(`${indent}...`);
}
