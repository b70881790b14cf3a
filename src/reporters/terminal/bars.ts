import type { TerminalStyle } from './pen.ts';

/** A ratio as a bar: `cells` long is `full`; a longer one ends in an arrow. */
export function bar(ratio: number, full: number, cells: number, pen: TerminalStyle): string {
  const length = Math.max(0, (ratio / full) * cells);
  const stroke = pen.unicode ? '━' : '=';
  if (length > cells) return stroke.repeat(cells - 1) + (pen.unicode ? '▶' : '>');
  const halves = Math.max(1, Math.round(length * 2));
  const half = halves % 2 === 0 ? '' : pen.unicode ? '╸' : '-';
  return stroke.repeat(Math.floor(halves / 2)) + half;
}
