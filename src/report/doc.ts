/** A printed document, the same for all formats. A format decides layout, colours, escaping and width of its texts. */
import type { Estimate, Histogram, Interval, RatioEstimate } from '../model/documents/measurement.ts';
import type { CostClass } from '../model/names.ts';
import type { Sentence, Span, StyledText, Tone } from './words.ts';

export interface Printed {
  /** Names of the subjects, for the title of a browser tab. */
  title: string;
  /** The effect in one line. A terminal omits it, unless `isHeaded`: then the body does not say it. */
  heading: Sentence;
  isHeaded?: true;
  date?: string | undefined;
  /** A page's list of contents. Other formats omit it, because the sections have the same numbers. */
  contents?: Table | undefined;
  body: readonly Node[];
  /** A terminal prints the folds too, because the command lacks an option for them. */
  isUnfolded?: true;
  /** The machine and the version. A terminal shows them with the details. */
  facts: readonly string[];
  /** Last line on a terminal without details: the option that prints them. */
  hint?: string;
}

export interface Table {
  type: 'table';
  title: string;
  columns: readonly Column[];
  by?: 1;
  /** Anchors of the sections that its rows are about. */
  anchors?: readonly string[];
}

export interface Column {
  head: string;
  cells: readonly Span[];
  align?: 'right';
  /** A narrow place first omits the column with the lowest rank. A column without a rank always stays. */
  rank?: number | undefined;
  /** True if the chart of the table draws it: a page omits it. */
  isDrawn?: true;
}

export type Node =
  | { type: 'heading'; level: 2 | 3; text: Sentence; facts: Sentence }
  /** A subject of the document. `anchor`: target of the page's links. */
  | { type: 'section'; anchor?: string | undefined; body: readonly Node[] }
  /** Nodes without a blank line between them. */
  | { type: 'block'; body: readonly Node[] }
  /** `by`: level of indentation. `isWhole`: readers copy it, so a terminal does not wrap it. */
  | { type: 'text'; text: Sentence; tone?: Tone; by?: 1; isWhole?: true }
  | { type: 'facts'; facts: Sentence }
  | { type: 'list'; items: readonly Sentence[] }
  /** Reports a loss or a fault, which every format highlights. */
  | { type: 'alert'; text: Sentence; tone: Tone }
  | { type: 'item'; label: string; tone?: Tone; sentences: readonly Sentence[] }
  | Table
  /** Readers copy it, so no format indents or wraps it. `isWhole`: a terminal prints it even if it is wider. */
  | { type: 'code'; text: string; language: 'js' | 'ts'; isWhole?: true }
  /** Formats that do not draw print the table behind it, unless they show the same elsewhere. */
  | { type: 'chart'; chart: Chart }
  /** A detail. `of`: its subject, if titles must differ. `isAsked` with an option: open, printed without --details too. */
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

/** The findings show the largest parts of a payload already. */
export const undrawn = ({ kind, title, columns }: Chart): Node[] =>
  kind === 'icicle' || columns.length === 0 ? [] : [{ type: 'table', title, columns }];

// Charts as data, with the table behind them. A format that draws chooses scales, marks and colours.

interface ChartFrame {
  title: string;
  /** Payload or file of the chart, if a page has several charts with this title. */
  of?: string;
  /** Table behind the chart, with all numbers that are drawn. */
  columns: readonly Column[];
}

interface Kinds {
  times: { rows: readonly TimesRow[] };
  /** Ratios with their intervals: new time over old time. Effects within `band` count as no effect. */
  forest: { rows: readonly ForestRow[]; band: Interval };
  icicle: { root: IcicleCell };
  curves: Curves;
}

export type ChartOf<Kind extends keyof Kinds> = ChartFrame & { kind: Kind } & Kinds[Kind];
export type Chart = { [Kind in keyof Kinds]: ChartOf<Kind> }[keyof Kinds];

type Distributed = Estimate & { histogram: Histogram | null };

export interface TimesRow {
  name: string;
  now: Distributed;
  /** With the advised rewrite; null if none is advised, or if the size of its gain is not known. */
  best: Distributed | null;
  floor: number;
  p95: number | null;
}

export interface ForestRow {
  name: string;
  /** Null if the estimate cannot be drawn. */
  point: (RatioEstimate & { tone: Tone }) | null;
  outcome: StyledText;
}

/** A part of a payload: all values at one path pattern, with all that they contain. */
export interface IcicleCell {
  /** The last step of its path; "and 12 more" for small parts. */
  name: string;
  /** Null for a group of small parts, which have several paths. */
  path: string | null;
  kinds: readonly string[];
  count: number;
  /** Estimated bytes in the message, including all nested values. */
  bytes: number;
  /** Share of the send time that is saved by leaving the part out, if that was measured. */
  send: number | null;
  class: CostClass;
  /** Titles of the rules that block a better path here. */
  blockers: readonly string[];
  children: readonly IcicleCell[];
}

export interface Curve {
  name: string;
  /** Number of the mark, dash and colour: equal names share a style in all charts of a page. */
  style: number;
  /** x from 0 up, ascending; y and its interval in ns. */
  points: readonly { x: number; y: number; ci: Interval }[];
}

export interface CurveCrossing {
  style: number;
  x: number;
  about: string;
}

export interface PublishedMark {
  style: number;
  x: number;
  /** ns */
  y: number;
  label: string;
  source: string;
}

interface Curves {
  unit: string;
  quantity: string;
  /** Ends of the axes, equal in charts that are compared. */
  x: Interval;
  y: Interval;
  curves: readonly Curve[];
  /** Crossings with the first curve. */
  crossings: readonly CurveCrossing[];
  published: readonly PublishedMark[];
}
