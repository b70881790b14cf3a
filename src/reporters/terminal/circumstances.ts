import type { Run } from '../../model/report.ts';
import { circumstanceNotes, loadGrid } from '../circumstances.ts';
import { nameOf } from '../runs.ts';
import { indented, paragraphs } from './layout.ts';
import type { TerminalStyle } from './pen.ts';
import { table, written } from './table.ts';

/** Threads that stand still, a machine that is not quiet, a queue that grows. */
export function noteLines(runs: readonly Run[], pen: TerminalStyle): string[] {
  const notes = circumstanceNotes(runs).map((note) => pen.text(note));
  return notes.length === 0 ? [] : paragraphs('note', notes, pen);
}

/** The payload under load, of several runs each for itself. */
export function loadLines(runs: readonly Run[], pen: TerminalStyle): string[] {
  return runs.flatMap((run) => {
    const load = run.measurement?.load ?? [];
    if (load.length === 0) return [];
    const title = runs.length === 1 ? [] : [`  ${pen.paint.title(pen.text(nameOf(run)))}`];
    return [...title, ...indented(table(written(loadGrid(load), pen), pen.columns - 2, pen))];
  });
}
