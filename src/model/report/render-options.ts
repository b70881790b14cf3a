import type { Wording } from './wording.ts';

/** Formats of a Report. */
export const REPORT_FORMATS = ['terminal', 'json', 'markdown', 'html'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** What the output can show. */
export interface RenderOptions {
  /** ANSI colours. */
  color: boolean;
  /** Width in cells, 40 to 200. */
  columns: number;
  /** False: plain ASCII only, texts of payloads included. */
  unicode: boolean;
}

/** Draws a document; a pure function. */
export type Reporter<Document> = (document: Document, options: RenderOptions, words: Wording) => string;
