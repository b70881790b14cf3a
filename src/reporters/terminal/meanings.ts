/** `clone-prof explain`. */
import type { Meaning } from '../../model/report/meaning.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import { joinBlocks } from '../text/blocks.ts';
import { indented, paragraph } from './layout.ts';
import { terminalStyle } from './style.ts';

export function terminalMeanings(meanings: readonly Meaning[], options: RenderOptions): string {
  const style = terminalStyle(options);
  const blocks = meanings.map(({ word, kind, text, source, example = [] }) => {
    const [first = '', ...more] = paragraph(`${word}${style.marks.between}${kind}`, style, 0);
    return [
      ...[style.paint.title(first), ...more],
      ...paragraph(text, style, 2),
      ...(source === undefined ? [] : paragraph(source, style, 2).map(style.paint.muted)),
      ...(example.length === 0 ? [] : ['', ...indented(example.map(style.text), 4)]),
    ];
  });
  return joinBlocks(blocks);
}
