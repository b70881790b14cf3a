import type { Run } from '../../model/report.ts';
import {
  intervalOf,
  outcomeWords,
  ratiosOf,
  sharedOutcome,
  slowest,
  type Tried,
  triedOn,
  wasTimed,
} from '../tried.ts';
import { equalityWords, OUTCOME_GRADES } from '../words.ts';
import { bar } from './bars.ts';
import { cutMiddle, indented, wrapped } from './layout.ts';
import type { Pen } from './pen.ts';
import { table } from './table.ts';

const BAR_CELLS = 12;
/** A trial twice as slow fills the bar; what is slower still ends in an arrow. */
const LONGEST_BAR = 2;
const SHOWN_NOTES = 5;

/** What was tried, fastest first, with the original as the measure; then what it loses, or why it was refused. */
export function trialLines(runs: readonly Run[], pen: Pen): string[] {
  const rows = triedOn(runs);
  const timed = rows.filter(wasTimed);
  return [...(timed.length === 0 ? [] : indented(timedTable(timed, pen))), ...notesOn(rows, pen)];
}

function nameOf({ remedy, path }: Tried, pen: Pen): string {
  const longest = Math.max(14, Math.floor(pen.columns / 3));
  return cutMiddle(pen.text(path === '$' ? remedy : `${remedy} ${path}`), longest, pen);
}

function timedTable(rows: readonly Tried[], pen: Pen): string[] {
  const cells = (cellOf: (row: Tried) => string, asItIs: string) => [...rows.map(cellOf), asItIs];
  const numbers = (numberOf: (row: Tried) => string, asItIs = '') =>
    cells((row) => pen.text(numberOf(row)), asItIs);
  return table(
    [
      { head: 'tried', cells: cells((row) => nameOf(row, pen), 'as it is') },
      {
        head: 'time',
        cells: cells((row) => barOf(row, pen), pen.paint.quiet(bar(1, LONGEST_BAR, BAR_CELLS, pen))),
        rank: 2,
      },
      { head: '', cells: numbers((row) => ratiosOf(row, 'withConversion'), '1.00'), align: 'right' },
      { head: '95 %', cells: numbers((row) => intervalOf(row, 'withConversion')), align: 'right', rank: 3 },
      { head: 'in place', cells: numbers((row) => ratiosOf(row, 'inPlace')), align: 'right', rank: 1 },
      { head: '', cells: cells((row) => outcomeCell(row, pen), '') },
    ],
    pen.columns - 2,
    pen,
  );
}

function barOf(row: Tried, pen: Pen): string {
  const ratio = slowest(row, 'withConversion');
  return ratio === null ? '' : graded(row, bar(ratio, LONGEST_BAR, BAR_CELLS, pen), pen);
}

const outcomeCell = (row: Tried, pen: Pen): string => graded(row, pen.text(outcomeWords(row)), pen);

function graded(row: Tried, text: string, pen: Pen): string {
  const outcome = sharedOutcome(row);
  return outcome === null ? text : pen.paint.grade[OUTCOME_GRADES[outcome]](text);
}

function notesOn(rows: readonly Tried[], pen: Pen): string[] {
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
function notesOf(row: Tried, pen: Pen): string[] {
  const reasons = new Set(row.trials.filter(({ equality }) => equality !== 'equal').map(equalityWords));
  return [...reasons].map(
    (reason) => `${nameOf(row, pen)} ${wasTimed(row) ? 'is' : 'was refused:'} ${pen.text(reason)}`,
  );
}
