/**
 * A printed document, which is the same for all formats. A format decides layout, colours, escaping and width; nothing is
 * escaped or wrapped yet.
 */

import type { Chart } from './section/model/charts.ts';
import type { Column, Distribution } from './section/model/columns.ts';
import type { Overview } from './section/model/overview.ts';
import type { Sentence, Span, Tone } from './section/model/sentence.ts';

export interface Printed {
  /** Names of its subjects, for the tab of a browser. */
  title: string;
  /** The effect in a line. A terminal leaves it out, unless the body does not say it. */
  heading: Sentence;
  isHeaded?: true;
  /** The day on which it was made; empty if unknown. */
  about: readonly string[];
  body: readonly Node[];
  /** A terminal prints what is folded too: the command has no option for it. */
  isUnfolded?: true;
  /** The machine and the version. A terminal shows them with the details. */
  facts: readonly string[];
  /** Last line on a terminal without details: the option that prints them. */
  hint?: string;
}

export type PathText = Record<'path' | 'text', string>;

export type Node =
  | { type: 'heading'; level: 2 | 3; text: Sentence; facts: readonly Span[] }
  /** A subject of the document. `anchor`: links of the page lead there. */
  | { type: 'section'; anchor?: string; body: readonly Node[] }
  /** Nodes without a blank line between them. */
  | { type: 'block'; body: readonly Node[] }
  /** A page's list of contents. Other formats leave it out, because its numbers stand in the sections. */
  | { type: 'contents'; overview: Overview }
  /** `by`: level of indentation. `isWhole`: a reader copies it, so no terminal wraps it. */
  | { type: 'text'; text: Sentence; tone?: Tone; by?: 1; isWhole?: true }
  | { type: 'facts'; facts: readonly Span[] }
  | { type: 'list'; items: readonly Sentence[] }
  /** Something is lost or broken: every format marks it. */
  | { type: 'alert'; text: Sentence; tone: Tone }
  /** A labelled part: "verdict", "changed". */
  | ({ type: 'item' } & Item)
  | Table
  /** A reader copies it: no format indents or wraps it. `isWhole`: a terminal prints it even if it is wider. */
  | { type: 'code'; text: string; language: 'js' | 'sh' | 'ts'; isWhole?: true }
  /** Formats that do not draw print the table behind it, unless they say the same elsewhere. */
  | { type: 'chart'; chart: Chart }
  | { type: 'distribution'; distribution: Distribution }
  /**
   * A detail behind its title. `of`: the subject, for formats in which the titles of all folds differ. `isAsked`: an option
   * asked for it, so it is open, and a terminal prints it without details too.
   */
  | { type: 'fold'; of: string | null; title: Sentence; body: readonly Node[]; isAsked?: true };

export interface Table {
  type: 'table';
  title: string;
  columns: readonly Column[];
  by?: 1;
  /** Of the sections that its rows are about. */
  anchors?: readonly string[];
  /** Sentences or files: a terminal cuts none, and prints each row as a paragraph if they do not fit side by side. */
  hasLongCells?: true;
}

export interface Item {
  label: string;
  tone?: Tone;
  places?: readonly PathText[];
  sentences?: readonly Sentence[];
  /** The reason and the source of a rule. */
  explanations?: readonly Record<'rule' | 'text' | 'source', string>[];
}

export const text = (sentence: Sentence, more: { tone?: Tone; by?: 1; isWhole?: true } = {}): Node => ({
  ...{ type: 'text', text: sentence },
  ...more,
});

export const item = (label: string, sentences: readonly Sentence[], more: Partial<Item> = {}): Node => ({
  ...{ type: 'item', label, sentences },
  ...more,
});

/** An empty body gives no node. */
export const block = (body: readonly Node[]): Node[] => (body.length === 0 ? [] : [{ type: 'block', body }]);

/** An empty body gives no node. */
export const fold = (of: string | null, title: Sentence, body: readonly Node[], isAsked = false): Node[] =>
  body.length === 0 ? [] : [{ type: 'fold', of, title, body, ...(isAsked ? { isAsked } : {}) }];

/** A table without columns gives no node. */
export const tableNode = (
  title: string,
  columns: readonly Column[],
  more: Pick<Table, 'by' | 'hasLongCells'> = {},
): Node[] => (columns.length === 0 ? [] : [{ type: 'table', title, columns, ...more }]);

/** For formats that do not draw: the table behind a chart. */
export const undrawn = (chart: Chart): Node[] =>
  chart.isDrawnOnly ? [] : tableNode(chart.title, chart.columns);
