/** Makes the nodes of a printed document. Without any content, the result is null, which a body leaves out. */

import { type ColumnOf, columnsOf } from './columns.ts';
import type { Chart, Node, Table } from './doc.ts';
import { flat, type Parts, sentenceOf, type Tone, type Words } from './words.ts';

export type Body = Parts<Node>;

export const nodesOf = (body: Body): Node[] => flat<Node>(body);

export function text(words: Words, more: { tone?: Tone; by?: 1; isWhole?: true } = {}): Node | null {
  const sentence = sentenceOf(words);
  return sentence.length === 0 ? null : { type: 'text', text: sentence, ...more };
}

export function item(label: string, all: readonly Words[], tone?: Tone): Node | null {
  const sentences = all.map(sentenceOf).filter(({ length }) => length > 0);
  return sentences.length === 0 ? null : { type: 'item', label, sentences, ...(tone && { tone }) };
}

/** The title of a part, or of a subject (level 2). */
export const heading = (title: Words, facts: Words = null, level: 2 | 3 = 3): Node => ({
  ...{ type: 'heading', level, text: sentenceOf(title), facts: sentenceOf(facts) },
});

export const alert = (words: Words, tone: Tone = 'bad'): Node => ({
  ...{ type: 'alert', text: sentenceOf(words), tone },
});

export const facts = (words: Words): Node => ({ type: 'facts', facts: sentenceOf(words) });

export const list = (items: readonly Words[]): Node | null =>
  items.length === 0 ? null : { type: 'list', items: items.map(sentenceOf) };

export const drawing = (chart: Chart | null): Node | null => chart && { type: 'chart', chart };

export const section = (body: Body, anchor?: string): Node => ({
  ...{ type: 'section', body: nodesOf(body), anchor },
});

export function block(all: Body): Node | null {
  const body = nodesOf(all);
  return body.length === 0 ? null : { type: 'block', body };
}

export function fold(of: string | null, title: Words, all: Body, isAsked = false): Node | null {
  const body = nodesOf(all);
  return body.length === 0
    ? null
    : { type: 'fold', of, title: sentenceOf(title), body, ...(isAsked && { isAsked }) };
}

export function tableOf<Row>(
  title: string,
  rows: readonly Row[],
  all: readonly ColumnOf<Row>[],
): Table | null {
  const columns = columnsOf(rows, all);
  return columns.length === 0 ? null : { type: 'table', title, columns };
}
