import { Chalk } from 'chalk';
import type { RenderOptions } from '../../model/report/render-options.ts';
import { visible, visibleLines } from '../text/escape.ts';
import { markOf, type Sentence, SIGNS, type Sign, type Span, type Tone } from '../words.ts';

type Marks = Record<'between' | 'cut', string> & { tone: Record<Tone, string>; sign: Record<Sign, string> };

const UNICODE: Marks = {
  tone: { good: '●', fair: '▲', poor: '▲', bad: '✖', muted: '·' },
  sign: SIGNS,
  ...{ between: ' · ', cut: '…' },
};

const ASCII: Marks = {
  tone: { good: '+', fair: '!', poor: '!', bad: 'x', muted: '-' },
  sign: { faster: '+', slower: 'x', same: '=', unsure: '?' },
  ...{ between: ', ', cut: '...' },
};

/** ASCII forms of the signs in the reporters' texts; any other sign becomes a visible escape. */
const PLAIN: Record<string, string> = {
  ...{ µ: 'u', '×': 'x', '–': '-', '—': '-', '’': "'", '‘': "'" },
  ...{ '“': '"', '”': '"', '…': '...', '→': '->', '·': ',', ' ·': ',' },
};

/** The 16 colours of the reader's theme. A word or a mark always repeats the meaning of a colour. */
function choosePalette(color: boolean) {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  // Passes one argument only: chalk prints all of them, and `lines.map(paint)` would pass the index too.
  const only = (paint: (text: string) => string) => (text: string) => paint(text);
  return {
    ...{ title: only(chalk.bold), code: only(chalk.cyan), muted: only(chalk.dim) },
    ...{ good: only(chalk.green), fair: only(chalk.yellow), poor: only(chalk.yellow), bad: only(chalk.red) },
  };
}

/** Output style for a terminal: escaping, colours and signs. */
export type TerminalStyle = ReturnType<typeof terminalStyle>;

export function terminalStyle(options: RenderOptions) {
  const { color, unicode } = options;
  const plain = (text: string) =>
    unicode ? text : text.replace(/ ·(?= )|[µ×–—’‘“”…→·]/g, (sign) => PLAIN[sign] ?? sign);
  const text = (text: string) => visible(plain(text), !unicode);
  const [paint, marks] = [choosePalette(color), unicode ? UNICODE : ASCII];
  const span = (span: Span) => {
    if (typeof span === 'string') return text(span);
    const mark = markOf(span, marks.tone, marks.sign);
    const shown = mark === undefined ? text(span.text) : `${mark} ${text(span.text)}`;
    if (span.code) return paint.code(shown);
    if (span.strong) return paint.title(shown);
    return span.tone ? paint[span.tone](shown) : shown;
  };
  return {
    ...{ ...options, paint, marks, text, span },
    lines: (text: string) => visibleLines(plain(text), !unicode),
    sentence: (sentence: Sentence) => sentence.map(span).join(''),
  };
}
