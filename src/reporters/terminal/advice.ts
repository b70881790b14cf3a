import type { Run } from '../../model/report.ts';
import type { Wording } from '../../model/wording.ts';
import { adviceWords, unmeasuredWords } from '../advice-words.ts';
import { upgradeWords } from '../words.ts';
import { brokenCode } from './code.ts';
import { bodyWidth, indented, paragraphs, wrapped } from './layout.ts';
import type { TerminalStyle } from './pen.ts';

/** More would push the numbers off the screen. */
const SHOWN_CODE_LINES = 30;

/** What to do about it. */
export function adviceLines(runs: readonly Run[], words: Wording, pen: TerminalStyle): string[] {
  const [run] = runs;
  if (run === undefined) return [];
  const upgrade = upgradeWords(run);
  return [
    ...doLines(run, runs, words, pen),
    ...(upgrade === null ? [] : paragraphs('upgrade', [pen.text(`${upgrade}.`)], pen)),
  ];
}

function doLines(run: Run, runs: readonly Run[], words: Wording, pen: TerminalStyle): string[] {
  const advice = adviceWords(runs, words);
  if (advice === null) {
    const mend = unmeasuredWords(run);
    return mend === null ? [] : paragraphs('do', [pen.text(mend)], pen);
  }
  const [first = '', ...rest] = advice.sentences.map((sentence) => pen.text(sentence));
  const strong = wrapped(first, bodyWidth(pen)).map(pen.paint.grade[advice.grade]);
  return paragraphs('do', [...strong, ...rest], pen);
}

/** The code to paste, whole or not at all: lines that are too long go on below, where JavaScript allows it. */
export function codeLines({ advice }: Run, pen: TerminalStyle): string[] {
  const code = advice?.code ?? null;
  if (code === null) return [];
  const lines = pen.lines(code.replace(/\s+$/, '')).flatMap((line) => brokenCode(line, pen.columns - 4));
  if (lines.length > SHOWN_CODE_LINES) {
    return paragraphs('code', [`${lines.length} lines to paste: --format markdown prints them`], pen);
  }
  return indented(
    lines.map((line) => (line === '' ? '' : pen.paint.code(line))),
    4,
  );
}
