import type { PayloadReport, Run } from '../../model/report.ts';
import type { Wording } from '../../model/wording.ts';
import { comparisonGrid } from '../grid.ts';
import { adviceDiffers, fastestFirst } from '../runs.ts';
import { indented, wrapped } from './layout.ts';
import type { TerminalStyle } from './pen.ts';
import { table, written } from './table.ts';
import { verdictHead } from './verdict.ts';

/** All runs of a payload in one table, fastest first, and whether their advice differs. */
export function comparisonLines(payload: PayloadReport, words: Wording, pen: TerminalStyle): string[] {
  const runs = fastestFirst(payload.runs);
  const columns = written(comparisonGrid(payload, words), pen).map((column) =>
    column.key === 'verdict' ? { ...column, cells: runs.map((run) => verdictCell(run, pen)) } : column,
  );
  const differs = adviceDiffers(payload);
  const note = differs === null ? [] : wrapped(pen.text(`The advice differs: ${differs}.`), pen.columns - 2);
  return indented([...table(columns, pen.columns - 2, pen), ...note]);
}

function verdictCell(run: Run, pen: TerminalStyle): string {
  const head = verdictHead(run, pen);
  return run.verdict?.confirmed === false ? `${head} ${pen.paint.alarm('denied')}` : head;
}
