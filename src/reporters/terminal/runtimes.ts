import type { RenderOptions } from '../../model/render-options.ts';
import type { FoundRuntime } from '../../model/runtime.ts';
import { cutMiddle, padded, widthOf } from './layout.ts';
import { terminalStyle } from './pen.ts';

/** Runtimes as a table: what, whose rules, where from, which binary. Ends in a line end. */
export function terminalRuntimes(runtimes: readonly FoundRuntime[], look: RenderOptions): string {
  const pen = terminalStyle(look);
  if (runtimes.length === 0) return 'None.\n';
  const rows = runtimes.map(({ spec, engine, from, binary }) =>
    [spec, engine, from, binary].map((cell) => pen.text(cell)),
  );
  const widths = [0, 1, 2].map((i) => Math.max(...rows.map((row) => widthOf(row[i]!))));
  const taken = widths.reduce((sum, width) => sum + width + 2, 0);
  const lines = rows.map(([spec, engine, from, binary]) => {
    const cells = [spec!, engine!, from!].map((cell, i) => padded(cell, widths[i]!));
    return `${cells.join('  ')}  ${pen.paint.quiet(cutMiddle(binary!, Math.max(12, pen.columns - taken), pen))}`;
  });
  return `${lines.join('\n')}\n`;
}
