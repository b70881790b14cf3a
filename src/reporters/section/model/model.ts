/**
 * A Report as sections, statements and figures. This folder decides the content once for all formats; a format decides
 * layout, colours, escaping and width.
 */
import type { Chart, GainChart, IcicleChart } from './charts.ts';
import type { Column, Distribution } from './columns.ts';
import { muted, type Sentence, type Span, type StyledText, type Tone } from './sentence.ts';

export type PathText = Record<'path' | 'text', string>;

/** A labelled part of a run's section: "because", "do". */
export interface Statement {
  label: string;
  tone?: Tone;
  places?: readonly PathText[];
  sentences?: readonly Sentence[];
  explanations?: readonly Record<'rule' | 'text' | 'source', string>[];
  /** What a format with little room may show later: after the code (detail), or last of all (noise). */
  later?: 'detail' | 'noise';
  /** A chart says it: formats that draw leave it out. */
  isDrawn?: true;
}

export type FigurePart =
  | { type: 'table'; columns: readonly Column[] }
  | { type: 'distribution'; distribution: Distribution }
  | { type: 'chart'; chart: Chart }
  | { type: 'facts'; facts: readonly Span[] }
  | { type: 'list'; items: readonly Sentence[] };

export interface Figure {
  title: string;
  /** In a few words, after the name of the payload: "rewrites tried". */
  short: string;
  /** The runtime it is about, where the section has several. */
  runtime: string | null;
  /** Details: a format may fold them away. */
  folded: boolean;
  /** An option asked for it. */
  isAsked?: true;
  parts: readonly FigurePart[];
}

/** Runs that share verdict, causes and advice. */
export interface RunSection {
  status: StyledText;
  runtimes: string;
  facts: readonly string[];
  error: string | null;
  /** Comes before everything else: the engine contradicts the rule book. */
  alarm: Sentence | null;
  statements: readonly Statement[];
  code: string | null;
  /** The codec as a TypeScript module: longer than what is shown at once. */
  module: string | null;
  figures: readonly Figure[];
}

export interface PayloadSection {
  id: string;
  source: Sentence;
  facts: readonly string[];
  error: string | null;
  /** How recorded messages were posted. */
  traffic?: readonly Statement[];
  /** The same as a chart; null where no runtime ran it. */
  gain: GainChart | null;
  /** Chart of the bytes, of the run with most causes; null without parts. */
  icicle: IcicleChart | null;
  answers: readonly Column[];
  notes: readonly Sentence[];
  runs: readonly RunSection[];
}

export interface RecordingSection {
  file: string;
  program: Sentence;
  facts: readonly string[];
  lead: readonly Sentence[];
  /** For formats that draw. */
  charts: readonly Chart[];
  sites: readonly Column[];
  /** Of the payload of each site, in the report. */
  places: readonly number[];
  notes: readonly Sentence[];
}

/** For formats that do not draw: the table behind a chart, which is empty where they say the same elsewhere. */
export const undrawn = (part: FigurePart): Exclude<FigurePart, { type: 'chart' }> =>
  part.type === 'chart' ? { type: 'table', columns: part.chart.isDrawnOnly ? [] : part.chart.columns } : part;

export const figureTitle = ({ title, runtime }: Figure): string =>
  runtime === null ? title : `${title} on ${runtime}`;

/** Longer lists end in "and 3 more": --format json has all of them. */
const MAX_SHOWN = 8;

/** The first items, and the sentence about those that are left out. */
export function shortened<Item>(items: readonly Item[], what: string) {
  const rest = items.length - MAX_SHOWN;
  const more: Sentence = [muted(`and ${rest} more ${what}: --format json lists all`)];
  return { shown: items.slice(0, MAX_SHOWN), more: rest > 0 ? [more] : [] };
}

export const moduleTitle = (module: string): string =>
  `${module.trimEnd().split('\n').length} lines of TypeScript; --emit FILE writes them`;
