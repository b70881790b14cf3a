import type { Words } from '../../model/look.ts';
import type { Run } from '../../model/report.ts';
import { adviceWords, unmeasuredWords, upgradeWords } from '../words.ts';
import { brokenCode } from './code.ts';
import { bodyWidth, indented, paragraphs, wrapped } from './layout.ts';
import type { Pen } from './pen.ts';

const SHOWN_CODE_LINES = 28;

/** What to do about it. */
export function adviceLines(run: Run, words: Words, pen: Pen): string[] {
  const upgrade = upgradeWords(run);
  return [
    ...doLines(run, words, pen),
    ...(upgrade === null ? [] : paragraphs('upgrade', [pen.text(`${upgrade}.`)], pen)),
  ];
}

function doLines(run: Run, words: Words, pen: Pen): string[] {
  const advice = adviceWords(run, words);
  if (advice === null)
    return run.status === 'classified' ? paragraphs('do', [pen.text(unmeasuredWords(run))], pen) : [];
  const [first = '', ...rest] = advice.sentences.map((sentence) => pen.text(sentence));
  const strong = wrapped(first, bodyWidth(pen)).map(pen.paint.grade[advice.grade]);
  return paragraphs('do', [...strong, ...rest], pen);
}

/** The code to paste. Nothing of it is lost; lines that are too long go on below, where JavaScript allows it. */
export function codeLines({ advice }: Run, pen: Pen): string[] {
  const code = advice?.code ?? null;
  if (code === null) return [];
  const lines = pen.lines(code.replace(/\s+$/, ''));
  const shown = lines.slice(0, SHOWN_CODE_LINES).flatMap((line) => brokenCode(line, pen.columns - 4));
  if (lines.length > SHOWN_CODE_LINES) {
    shown.push(`// ${lines.length - SHOWN_CODE_LINES} more lines: --format markdown`);
  }
  return indented(
    shown.map((line) => (line === '' ? '' : pen.paint.code(line))),
    4,
  );
}
