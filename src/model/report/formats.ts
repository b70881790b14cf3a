/** Kinds of documents that are drawn in several formats. A comparison has the formats of a report that it can fill. */
export type Drawn = 'report' | 'sweep' | 'check';

interface FormatRow {
  of: readonly Drawn[];
  /** Extensions of files that it is written to without `-f`, the usual one first. */
  endings: readonly string[];
  /** It consists of lines, so that it can share stdout. Others are a whole document each. */
  isLines?: true;
}

/** All formats, in the order of help texts. `report/registry.ts` says what draws them. */
export const FORMATS = {
  terminal: { of: ['report', 'sweep', 'check'], endings: ['.txt'], isLines: true },
  json: { of: ['report', 'sweep', 'check'], endings: ['.json'] },
  markdown: { of: ['report', 'sweep', 'check'], endings: ['.md', '.markdown'] },
  html: { of: ['report', 'sweep'], endings: ['.html', '.htm'] },
  // For the log of a CI runner alone.
  github: { of: ['check'], endings: [], isLines: true },
  junit: { of: ['check'], endings: ['.xml'] },
  sarif: { of: ['report', 'check'], endings: ['.sarif.json', '.sarif'] },
  benchmark: { of: ['report', 'check'], endings: ['.bench.json'] },
} as const satisfies Record<string, FormatRow>;
export type FormatName = keyof typeof FORMATS;

export type FormatOf<Kind extends Drawn> = {
  [Name in FormatName]: Kind extends (typeof FORMATS)[Name]['of'][number] ? Name : never;
}[FormatName];

const formatsOf = <Kind extends Drawn>(kind: Kind): readonly FormatOf<Kind>[] =>
  (Object.entries(FORMATS) as [FormatName, FormatRow][]).flatMap(([name, { of }]) =>
    of.includes(kind) ? [name as FormatOf<Kind>] : [],
  );

export const REPORT_FORMATS = formatsOf('report');
export const SWEEP_FORMATS = formatsOf('sweep');
export const CHECK_FORMATS = formatsOf('check');

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
