/**
 * A printed document, which is the same for all formats. A format decides layout, colours, escaping and width: texts
 * are not escaped or wrapped yet.
 */

import type { Chart } from './section/model/charts.ts';
import type { Column } from './section/model/columns.ts';
import type { Sentence, Span, Tone } from './section/model/sentence.ts';

export interface Printed {
  /** Names of the subjects, for the title of a browser tab. */
  title: string;
  /** The effect in one line. A terminal omits it, unless `isHeaded`: then the body does not say it. */
  heading: Sentence;
  isHeaded?: true;
  /** The date of the document; empty if unknown. */
  about: readonly string[];
  body: readonly Node[];
  /** A terminal prints the folds too, because the command lacks an option for them. */
  isUnfolded?: true;
  /** The machine and the version. A terminal shows them with the details. */
  facts: readonly string[];
  /** Last line on a terminal without details: the option that prints them. */
  hint?: string;
}

export type PathText = Record<'path' | 'text', string>;

export type Node =
  | { type: 'heading'; level: 2 | 3; text: Sentence; facts: readonly Span[] }
  /** A subject of the document. `anchor`: target of the page's links. */
  | { type: 'section'; anchor?: string; body: readonly Node[] }
  /** Nodes without a blank line between them. */
  | { type: 'block'; body: readonly Node[] }
  /** A page's list of contents. Other formats omit it, because the sections have the same numbers. */
  | { type: 'contents'; table: Table }
  /** `by`: level of indentation. `isWhole`: readers copy it, so a terminal does not wrap it. */
  | { type: 'text'; text: Sentence; tone?: Tone; by?: 1; isWhole?: true }
  | { type: 'facts'; facts: readonly Span[] }
  | { type: 'list'; items: readonly Sentence[] }
  /** Reports a loss or a fault, which every format highlights. */
  | { type: 'alert'; text: Sentence; tone: Tone }
  /** A labelled part: "verdict", "changed". */
  | ({ type: 'item' } & Item)
  | Table
  /** Readers copy it, so no format indents or wraps it. `isWhole`: a terminal prints it even if it is wider. */
  | { type: 'code'; text: string; language: 'js' | 'sh' | 'ts'; isWhole?: true }
  /** Formats that do not draw print the table behind it, unless they show the same elsewhere. */
  | { type: 'chart'; chart: Chart }
  /**
   * A detail behind its title. `of`: the subject, for formats that need distinct titles. `isAsked`: the user requested
   * it with an option, so it is open, and a terminal prints it without --details too.
   */
  | { type: 'fold'; of: string | null; title: Sentence; body: readonly Node[]; isAsked?: true };

export type NodeOf<Type extends Node['type']> = Extract<Node, { type: Type }>;

/** How a format draws each kind of node. */
export type Format<Context, Drawn> = {
  [Type in Node['type']]: (node: NodeOf<Type>, context: Context) => Drawn;
};

export const drawn = <Context, Drawn>(format: Format<Context, Drawn>, node: Node, context: Context): Drawn =>
  (format[node.type] as (node: Node, context: Context) => Drawn)(node, context);

export interface Table {
  type: 'table';
  title: string;
  columns: readonly Column[];
  by?: 1;
  /** Anchors of the sections that its rows are about. */
  anchors?: readonly string[];
  /** Cells are sentences or files: a terminal never cuts them. If space is short, rows become paragraphs. */
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

/** The title of a part, or of a subject (level 2). */
export const heading = (title: Sentence, facts: readonly Span[] = [], level: 2 | 3 = 3): Node => ({
  ...{ type: 'heading', level, text: title, facts },
});

export const alert = (sentence: Sentence, tone: Tone = 'bad'): Node => ({
  type: 'alert',
  text: sentence,
  tone,
});

export const factsNode = (all: readonly Span[]): Node => ({ type: 'facts', facts: all });

/** Makes a list; no items give an empty list of nodes, as in all that follow. */
export const list = (items: readonly Sentence[]): Node[] =>
  items.length === 0 ? [] : [{ type: 'list', items }];

export const drawing = (chart: Chart | null): Node[] => (chart === null ? [] : [{ type: 'chart', chart }]);

/** Makes a block; an empty body gives an empty list. */
export const block = (body: readonly Node[]): Node[] => (body.length === 0 ? [] : [{ type: 'block', body }]);

/** Makes a fold; an empty body gives an empty list. */
export const fold = (of: string | null, title: Sentence, body: readonly Node[], isAsked = false): Node[] =>
  body.length === 0 ? [] : [{ type: 'fold', of, title, body, ...(isAsked ? { isAsked } : {}) }];

/** Makes a table, or an empty list for an empty table. */
export const tableNode = (
  title: string,
  columns: readonly Column[],
  more: Pick<Table, 'by' | 'hasLongCells'> = {},
): Node[] => (columns.length === 0 ? [] : [{ type: 'table', title, columns, ...more }]);

/** The table behind a chart, for formats that do not draw. */
export const undrawn = (chart: Chart): Node[] =>
  chart.isDrawnOnly ? [] : tableNode(chart.title, chart.columns);
