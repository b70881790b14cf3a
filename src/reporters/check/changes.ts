import type { RenderOptions } from '../../model/render-options.ts';
import { terminalStyle } from '../terminal/style.ts';

/** One thing of the baseline that moved; `from` or `to` is null for what came or went. */
export interface ShownChange {
  payload: string;
  runtime: string | null;
  what: string;
  from: string | null;
  to: string | null;
}

/** What moved, one line each, under the file's name. Ends in a line end. */
export function baselineChanges(
  file: string,
  changes: readonly ShownChange[],
  options: RenderOptions,
): string {
  const style = terminalStyle(options);
  if (changes.length === 0) return `${style.text(file)}: nothing changed.\n`;
  const lines = changes.map((change) => `  ${style.text(changeWords(change, style.marks.arrow))}`);
  return `${[`${style.text(file)}:`, ...lines].join('\n')}\n`;
}

function changeWords({ payload, runtime, what, from, to }: ShownChange, arrow: string): string {
  if (what === 'payload') return to === null ? `- ${payload}` : `+ ${payload}`;
  const place = runtime === null ? payload : `${payload} on ${runtime}`;
  if (what === 'runtime') return `${to === null ? '-' : '+'} ${place}`;
  if (what === 'sample') return `${place}: another payload`;
  if (from === null) return `${place}: new ${what}: ${to}`;
  return to === null ? `${place}: ${what} gone: ${from}` : `${place}: ${what} ${from} ${arrow} ${to}`;
}
