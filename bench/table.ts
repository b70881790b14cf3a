/** One measured claim: a number, the budget it must keep, and the raw samples behind it. */
export interface Row {
  what: string;
  value: number;
  unit: string;
  /** Upper limit in `unit`; null without one. */
  budget: number | null;
  held: boolean | null;
  note?: string;
  raw?: unknown;
}

/** A ratio that must not exceed its budget. A lower limit is given as its inverse. */
export function ratioRow(what: string, value: number, budget: number): Row {
  return { what, value, unit: 'x', budget, held: value <= budget };
}

const number = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** Rows as a plain text table for the terminal and for the README. */
export function table(rows: Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    `${number(row.value)} ${row.unit}`,
    row.budget === null ? '' : `<= ${number(row.budget)} ${row.unit}`,
    row.held === null ? '' : row.held ? 'held' : 'MISSED',
    row.note ?? '',
  ]);
  const widths = [0, 1, 2, 3].map((i) => Math.max(...cells.map((row) => row[i]!.length), 0));
  return cells
    .map((row) =>
      row
        .map((cell, i) => (i < 4 ? cell.padEnd(widths[i]!) : cell))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
