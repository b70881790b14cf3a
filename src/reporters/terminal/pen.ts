import type { RenderOptions } from '../../model/render-options.ts';
import { visible, visibleLines } from '../escape.ts';
import type { Grade } from '../words.ts';
import { type Palette, paletteOf } from './palette.ts';

interface Marks {
  grade: Record<Grade, string>;
  between: string;
  cut: string;
  arrow: string;
  rule: string;
}

const UNICODE: Marks = {
  grade: { good: '●', fair: '▲', poor: '▲', bad: '✖' },
  between: ' · ',
  cut: '…',
  arrow: '→',
  rule: '─',
};

const ASCII: Marks = {
  grade: { good: '+', fair: '!', poor: '!', bad: 'x' },
  between: ', ',
  cut: '...',
  arrow: '->',
  rule: '-',
};

/** Signs of our own words that plain ASCII writes otherwise; the rest becomes a visible escape. */
const PLAIN: Record<string, string> = {
  µ: 'u',
  '×': 'x',
  '–': '-',
  '—': '-',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '…': '...',
  '→': '->',
  '·': ',',
  '≥': '>=',
  '≤': '<=',
  '≠': '!=',
  '≈': '~',
};

/** How to write on this screen: escaping, colours and signs. */
export interface TerminalStyle {
  columns: number;
  paint: Palette;
  marks: Marks;
  unicode: boolean;
  /** Any text, ours or a payload's, as one safe line. */
  text(text: string): string;
  lines(text: string): string[];
}

export function terminalStyle({ color, columns, unicode }: RenderOptions): TerminalStyle {
  const plain = (text: string) =>
    unicode ? text : text.replace(/[µ×–—’‘“”…→·≥≤≠≈]/g, (sign) => PLAIN[sign] ?? sign);
  return {
    columns,
    unicode,
    paint: paletteOf(color),
    marks: unicode ? UNICODE : ASCII,
    text: (text) => visible(plain(text), !unicode),
    lines: (text) => visibleLines(plain(text), !unicode),
  };
}
