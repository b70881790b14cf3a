/** The text that a reader sees of a rendered report, without anything that belongs to the format. */
import { marked } from 'marked';
import { REPORT_FORMATS, type ReportFormat } from '../../../src/model/report/render-options.ts';
import { withoutColors } from '../commands.ts';

/** Blanks, line ends and zero-width spaces are left out, because each format wraps in its own way. */
export const squeezed = (text: string): string => text.replace(/[\s\u200b]+/g, '');

const NAMED: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** Entities are read once, as a browser reads them. */
export const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (found, unit, name) =>
    unit === undefined ? (NAMED[name] ?? found) : String.fromCharCode(Number(unit)),
  );

const htmlText = (page: string): string =>
  squeezed(
    withoutEntities(page.replace(/<(style|script|title|desc)\b[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ')),
  );

/** Of each table of a page, how many cells its rows have. */
export const rowWidths = (page: string): number[][] =>
  (page.match(/<table>[\s\S]*?<\/table>/g) ?? []).map((table) =>
    table
      .split('<tr>')
      .slice(1)
      .map((row) => (row.match(/<t[hd]/g) ?? []).length),
  );

/** All but those that programs read. */
export type ReadFormat = Exclude<ReportFormat, 'json' | 'sarif' | 'benchmark'>;

/** A format that is not read here does not compile: its facts would not be looked for. */
export const RENDERED_TEXT: Readonly<Record<ReadFormat, (rendered: string) => string>> = {
  terminal: (printed: string) => squeezed(withoutColors(printed)),
  markdown: (document: string) => htmlText(marked.parse(document, { gfm: true, async: false })),
  html: htmlText,
};

const isRead = (format: ReportFormat): format is ReadFormat => Object.hasOwn(RENDERED_TEXT, format);
export const READ_FORMATS = REPORT_FORMATS.filter(isRead);
