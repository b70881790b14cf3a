/** `clone-prof explain`. */
import type { Meaning } from '../../../model/report/meaning.ts';
import { block, type Node, text } from '../../doc.ts';

export const meaningNodes = (meanings: readonly Meaning[]): Node[] =>
  meanings.flatMap(({ word, kind, text: meaning, source, example = [] }) => [
    ...block([
      { type: 'heading', level: 3, text: [word], facts: [kind] },
      text([meaning]),
      ...(source === undefined ? [] : [text([source], { tone: 'muted' })]),
    ]),
    ...codeOf(example),
  ]);

const codeOf = (lines: readonly string[]): Node[] =>
  lines.length === 0 ? [] : [{ type: 'code', text: lines.join('\n'), language: 'js', isWhole: true }];
