import type { Column } from '../grid.ts';
import type { Grade } from '../words.ts';

export const MARKS: Record<Grade, string> = { good: '🟢', fair: '🟡', poor: '🟠', bad: '🔴' };

/** Cells are Markdown already. */
export function table(columns: readonly Column[]): string[] {
  const height = Math.max(0, ...columns.map(({ cells }) => cells.length));
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(columns.map(({ head }) => (head === '' ? ' ' : head))),
    row(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...Array.from({ length: height }, (_, index) => row(columns.map(({ cells }) => cells[index] || ' '))),
  ];
}
