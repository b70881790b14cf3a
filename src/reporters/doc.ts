/**
 * A printed document as nodes, which are the same for all formats. A format decides layout, colours, escaping and width;
 * nothing is escaped or wrapped yet.
 */
import type { Column } from './section/model/columns.ts';
import type { Sentence, Span, Tone } from './section/model/sentence.ts';

export type Node =
  | { type: 'heading'; level: 2 | 3; text: Sentence; facts: readonly Span[] }
  /** Nodes without a blank line between them. */
  | { type: 'block'; body: readonly Node[] }
  /** `by`: level of indentation. */
  | { type: 'text'; text: Sentence; tone?: Tone; by?: 1 }
  | { type: 'facts'; facts: readonly Span[] }
  /** Something is lost or broken: every format marks it. */
  | { type: 'alert'; text: Sentence; tone: Tone }
  | { type: 'table'; title: string; columns: readonly Column[]; by?: 1 }
  /** A reader copies it: no format indents or wraps it. */
  | { type: 'code'; text: string; language: 'js' | 'sh' };

export const text = (sentence: Sentence, more: { tone?: Tone; by?: 1 } = {}): Node => ({
  ...{ type: 'text', text: sentence },
  ...more,
});

/** An empty body gives no node. */
export const block = (body: readonly Node[]): Node[] => (body.length === 0 ? [] : [{ type: 'block', body }]);
