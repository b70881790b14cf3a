import type { Run } from '../../model/report.ts';
import { trialsGrid, triedName } from '../grid.ts';
import { sharedOutcome, slowest, type Tried, triedOn, wasTimed } from '../tried.ts';
import { equalityWords, OUTCOME_GRADES } from '../words.ts';
import { bar } from './bars.ts';
import { cutMiddle, indented, wrapped } from './layout.ts';
import type { TerminalStyle } from './pen.ts';
import { table, written } from './table.ts';

const BAR_CELLS = 12;
/** A trial twice as slow fills the bar; what is slower still ends in an arrow. */
const LONGEST_BAR = 2;
const SHOWN_NOTES = 5;

/** What was tried, fastest first, with the original as the measure; then what it loses, or why it was refused. */
export function trialLines(runs: readonly Run[], pen: TerminalStyle): string[] {
  const rows = triedOn(runs);
  const timed = rows.filter(wasTimed);
  return [...(timed.length === 0 ? [] : indented(timedTable(timed, pen))), ...notesOn(rows, pen)];
}

function nameOf(row: Tried, pen: TerminalStyle): string {
  return cutMiddle(pen.text(triedName(row)), Math.max(14, Math.floor(pen.columns / 3)), pen);
}

function timedTable(rows: readonly Tried[], pen: TerminalStyle): string[] {
  const bars = [...rows.map((row) => barOf(row, pen)), pen.paint.quiet(bar(1, LONGEST_BAR, BAR_CELLS, pen))];
  const [names, ...numbers] = written(trialsGrid(rows), pen);
  const columns = [
    { key: 'name', head: names?.head ?? '', cells: [...rows.map((row) => nameOf(row, pen)), 'as it is'] },
    { key: 'bar', head: '', cells: bars, rank: 2 },
    ...numbers.map((column) =>
      column.key === 'outcome' ? { ...column, cells: outcomes(column.cells, rows, pen) } : column,
    ),
  ];
  return table(columns, pen.columns - 2, pen);
}

const outcomes = (cells: readonly string[], rows: readonly Tried[], pen: TerminalStyle): string[] =>
  cells.map((cell, index) => {
    const row = rows[index];
    return row === undefined ? cell : graded(row, cell, pen);
  });

function barOf(row: Tried, pen: TerminalStyle): string {
  const ratio = slowest(row, 'withConversion');
  return ratio === null ? '' : graded(row, bar(ratio, LONGEST_BAR, BAR_CELLS, pen), pen);
}

function graded(row: Tried, text: string, pen: TerminalStyle): string {
  const outcome = sharedOutcome(row);
  return outcome === null ? text : pen.paint.grade[OUTCOME_GRADES[outcome]](text);
}

function notesOn(rows: readonly Tried[], pen: TerminalStyle): string[] {
  const notes = rows.flatMap((row) => notesOf(row, pen));
  const more = notes.length - SHOWN_NOTES;
  const shown = [
    ...notes.slice(0, SHOWN_NOTES),
    ...(more > 0 ? [`and ${more} more notes: --format json`] : []),
  ];
  return shown.flatMap((note) =>
    wrapped(note, pen.columns - 4).map(
      (line, index) => `${index === 0 ? '  ' : '    '}${pen.paint.quiet(line)}`,
    ),
  );
}

/** What the receiver gets otherwise, or why nothing was timed: each distinct reason once. */
function notesOf(row: Tried, pen: TerminalStyle): string[] {
  const reasons = new Set(row.trials.filter(({ equality }) => equality !== 'equal').map(equalityWords));
  return [...reasons].map(
    (reason) => `${nameOf(row, pen)} ${wasTimed(row) ? 'is' : 'was refused:'} ${pen.text(reason)}`,
  );
}
