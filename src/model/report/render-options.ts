export const REPORT_FORMATS = ['terminal', 'json', 'markdown', 'html', 'sarif', 'benchmark'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface RenderOptions {
  color: boolean;
  /** Width in cells, 40 to 200. */
  columns: number;
  /** False: plain ASCII only, including texts of payloads. */
  unicode: boolean;
  details?: boolean;
  /** Folder, relative to the repository's root, that paths in the report start from. Default: the root. */
  folder?: string;
  /** With --emit: the run itself writes the code that is advised, so answers do not print the command for it. */
  isEmitted?: boolean;
}

export type Reporter<Document> = (document: Document, options: RenderOptions) => string;
