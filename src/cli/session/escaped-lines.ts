import { visibleLine } from '../../reporters/text/escape.ts';
import type { EscapedLines, Sink } from './world.ts';

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
