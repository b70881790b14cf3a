import type { RenderOptions } from '../../model/report/render-options.ts';
import { terminalStyle } from '../terminal/style.ts';

/** A changed fact of the baseline; `from` or `to` is null where it was added or removed. */
export interface ShownChange {
  payload: string;
  runtime: string | null;
  what: string;
  from: string | null;
  to: string | null;
}

/** The changes, one line each, under the file's name. Ends in a line end. */
export function baselineChanges(
  file: string,
  changes: readonly ShownChange[],
  options: RenderOptions,
): string {
  const style = terminalStyle(options);
  if (changes.length === 0) return `${style.text(file)}: nothing changed.\n`;
  const lines = changes.map((change) => `  ${style.text(changeText(change, style.marks.arrow))}`);
  return `${[`${style.text(file)}:`, ...lines].join('\n')}\n`;
}

function changeText({ payload, runtime, what, from, to }: ShownChange, arrow: string): string {
  if (what === 'payload') return to === null ? `- ${payload}` : `+ ${payload}`;
  const place = runtime === null ? payload : `${payload} on ${runtime}`;
  if (what === 'runtime') return `${to === null ? '-' : '+'} ${place}`;
  if (what === 'sample') {
    return `${place}: ${to === null ? 'its copy is no longer kept' : from === null ? 'a copy is kept' : 'payload changed'}`;
  }
  if (from === null) return `${place}: new ${what}: ${to}`;
  return to === null ? `${place}: ${what} removed: ${from}` : `${place}: ${what} ${from} ${arrow} ${to}`;
}
