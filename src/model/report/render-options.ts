export const REPORT_FORMATS = ['terminal', 'json', 'markdown', 'html', 'sarif', 'benchmark'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
/** A comparison has neither findings at lines nor a single figure per payload. */
export type ComparisonFormat = Exclude<ReportFormat, 'sarif' | 'benchmark'>;

/** Capabilities of the output. */
export interface RenderOptions {
  /** ANSI colours. */
  color: boolean;
  /** Width in cells, 40 to 200. */
  columns: number;
  /** False: plain ASCII only, including texts of payloads. */
  unicode: boolean;
  /** Terminal: print the details of each answer too. */
  details?: boolean;
  /** Folder, relative to the repository's root, that paths in the report start from. Default: the root. */
  folder?: string;
  /** With --emit: the run itself writes the code that is advised, so answers do not print the command for it. */
  isEmitted?: boolean;
}

/** Renders a document; it must be a pure function. */
export type Reporter<Document> = (document: Document, options: RenderOptions) => string;
