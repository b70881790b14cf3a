import type { Wording } from './wording.ts';

/** Formats of a Report. */
export const REPORT_FORMATS = ['terminal', 'json', 'markdown', 'html', 'sarif', 'benchmark'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
/** A comparison has neither findings at lines nor one figure of each payload. */
export type ComparisonFormat = Exclude<ReportFormat, 'sarif' | 'benchmark'>;

/** What the output can show. */
export interface RenderOptions {
  /** ANSI colours. */
  color: boolean;
  /** Width in cells, 40 to 200. */
  columns: number;
  /** False: plain ASCII only, texts of payloads included. */
  unicode: boolean;
  /** Terminal: print the details of each answer too. */
  details?: boolean;
  /** What files of the report are relative to, from the root of the repository. Default: that root. */
  folder?: string;
}

/** Draws a document; a pure function. */
export type Reporter<Document> = (document: Document, options: RenderOptions, words: Wording) => string;
