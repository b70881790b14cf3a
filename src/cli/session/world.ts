/** The part of the process that commands see, and what they say on stderr. */

import type { Surroundings } from '../../app/world/services.ts';
import type { RunError } from '../../model/documents/report.ts';
import type { ToolError } from '../../model/errors.ts';
import { visibleLine } from '../../report/text/escape.ts';

/** The part of `process` that main() gets. */
export interface ProcessLike extends Surroundings {
  argv: string[];
  stdout: Sink;
  stderr: Sink;
  /** Clock of the progress lines, ms; default: `performance.now`. */
  now?(): number;
  on(event: string, listener: (...args: never[]) => void): unknown;
  off(event: string, listener: (...args: never[]) => void): unknown;
  exit?(code: number): void;
}

/** The part of the process that commands see. stderr takes lines only, so that no write bypasses the escaping. */
export interface World extends Omit<ProcessLike, 'stderr' | 'exit' | 'now'> {
  stderr: EscapedLines;
  /** ms, monotonic */
  now(): number;
}

/** stderr, one line at a time: escaped and cut, since arguments, file names and output of other programs reach it. */
export interface EscapedLines {
  readonly isTTY: boolean;
  /** Width of the terminal; 0 if it is unknown. */
  readonly columns: number;
  /** Resolves once the stream took the line. It never fails. */
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

/** Prints each line of a text by itself, such as a stack or the output of a program. */
export async function eachLine(to: EscapedLines, text: string, indent = ''): Promise<void> {
  const lines = text.split(/\r\n|\r|\n/, MAX_STACK_LINES + 1);
  for (const line of lines.slice(0, MAX_STACK_LINES)) await to.line(`${indent}${line}`);
  if (lines.length > MAX_STACK_LINES) await to.line(`${indent}...`);
}

const PRINTED = '\nIt printed:\n';
const MAX_REASONS = 20;

/** An error without the program's output and without its stack, which are in the result. */
export function headlineOf({ code, message }: RunError): string {
  const [said = ''] = message.split(PRINTED);
  return code === 'internal' ? (said.split('\n')[0] ?? said) : said;
}

/** Prints each reason once: `clone-prof: rows on bun@1.4.5: no answer within 30000 ms`. */
export async function sayReasons(reasons: readonly string[], { stderr }: World): Promise<void> {
  const distinct = [...new Set(reasons)];
  for (const reason of distinct.slice(0, MAX_REASONS)) await stderr.line(`clone-prof: ${reason}`);
  const more = distinct.length - MAX_REASONS;
  if (more > 0) await stderr.line(`clone-prof: and ${more} more`);
}

/** Prints an error that ended the command, with the program's output, which is not printed anywhere else. */
export async function sayError(error: ToolError, world: World): Promise<void> {
  await sayReasons([headlineOf(error)], world);
  const { output } = error.facts;
  if (output) await eachLine(world.stderr, output, '  ');
}
