/**
 * A printed document, which is the same for all formats. A format decides layout, colours, escaping and width: texts
 * are not escaped or wrapped yet.
 */
import type { Chart } from './charts.ts';
import type { Column } from './columns.ts';
import type { Sentence, Tone } from './words.ts';

export interface Printed {
  /** Names of the subjects, for the title of a browser tab. */
  title: string;
  /** The effect in one line. A terminal omits it, unless `isHeaded`: then the body does not say it. */
  heading: Sentence;
  isHeaded?: true;
  date?: string | undefined;
  body: readonly Node[];
  /** A terminal prints the folds too, because the command lacks an option for them. */
  isUnfolded?: true;
  /** The machine and the version. A terminal shows them with the details. */
  facts: readonly string[];
  /** Last line on a terminal without details: the option that prints them. */
  hint?: string;
}

export type PathText = Record<'path' | 'text', string>;

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

export type Node =
  | { type: 'heading'; level: 2 | 3; text: Sentence; facts: Sentence }
  /** A subject of the document. `anchor`: target of the page's links. */
  | { type: 'section'; anchor?: string; body: readonly Node[] }
  /** Nodes without a blank line between them. */
  | { type: 'block'; body: readonly Node[] }
  /** A page's list of contents. Other formats omit it, because the sections have the same numbers. */
  | { type: 'contents'; table: Table }
  /** `by`: level of indentation. `isWhole`: readers copy it, so a terminal does not wrap it. */
  | { type: 'text'; text: Sentence; tone?: Tone; by?: 1; isWhole?: true }
  | { type: 'facts'; facts: Sentence }
  | { type: 'list'; items: readonly Sentence[] }
  /** Reports a loss or a fault, which every format highlights. */
  | { type: 'alert'; text: Sentence; tone: Tone }
  /** A labelled part: "verdict", "changed". */
  | ({ type: 'item' } & Item)
  | Table
  /** Readers copy it, so no format indents or wraps it. `isWhole`: a terminal prints it even if it is wider. */
  | { type: 'code'; text: string; language: 'js' | 'ts'; isWhole?: true }
  /** Formats that do not draw print the table behind it, unless they show the same elsewhere. */
  | { type: 'chart'; chart: Chart }
  /**
   * A detail behind its title. `of`: the subject, for formats that need distinct titles. `isAsked`: the user requested
   * it with an option, so it is open, and a terminal prints it without --details too.
   */
  | { type: 'fold'; of: string | null; title: Sentence; body: readonly Node[]; isAsked?: true };

export type NodeOf<Type extends Node['type']> = Extract<Node, { type: Type }>;

export type Format<Context, Drawn> = {
  [Type in Node['type']]: (node: NodeOf<Type>, context: Context) => Drawn;
};

export const drawn = <Context, Drawn>(format: Format<Context, Drawn>, node: Node, context: Context): Drawn =>
  (format[node.type] as (node: Node, context: Context) => Drawn)(node, context);

/** Joins blocks of lines with blank lines between them and a line end after the last. Empty blocks are omitted. */
export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  const filled = blocks.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Charts whose numbers a text shows elsewhere: in the findings, and in the table of sites. */
const DRAWN_ONLY: readonly Chart['kind'][] = ['icicle', 'timeline'];

/** The table behind a chart, for formats that do not draw. */
export const undrawn = ({ kind, title, columns }: Chart): Node[] =>
  DRAWN_ONLY.includes(kind) || columns.length === 0 ? [] : [{ type: 'table', title, columns }];
