/** All formats. Only the one asked for is loaded: the packages that measure text for a terminal take 20 ms. */

import { CHECK_SCHEMA, COMPARISON_SCHEMA, REPORT_SCHEMA, SWEEP_SCHEMA } from '../model/document-ids.ts';
import type { CheckReport } from '../model/documents/check.ts';
import type { ReportComparison } from '../model/documents/comparison.ts';
import type { Report } from '../model/documents/report.ts';
import type { SweepReport } from '../model/documents/sweep.ts';
import { ToolError } from '../model/errors.ts';
import type { CheckFormat } from '../model/gate/limits.ts';
import type {
  ComparisonFormat,
  RenderOptions,
  Reporter,
  ReportFormat,
} from '../model/report/render-options.ts';
import type { Wording } from '../model/report/wording.ts';
import type { SweepFormat } from '../model/vocabulary/sweep.ts';

export const REPORTERS = {
  terminal: async () => (await import('./terminal/report.ts')).terminalReport,
  json: async () => (await import('./text/json.ts')).jsonReport,
  markdown: async () => (await import('./markdown/report.ts')).markdownReport,
  html: async () => (await import('./html/page.ts')).htmlReport,
  sarif: async () => (await import('./sarif/report.ts')).sarifReport,
  benchmark: async () => (await import('./text/benchmark.ts')).reportBenchmark,
} as const satisfies Record<ReportFormat, () => Promise<Reporter<Report>>>;

export const COMPARISON_REPORTERS = {
  terminal: async () => (await import('./terminal/report.ts')).terminalComparison,
  json: async () => (await import('./text/json.ts')).escapedJson,
  markdown: async () => (await import('./markdown/report.ts')).markdownComparison,
  html: async () => (await import('./html/page.ts')).htmlComparison,
} as const satisfies Record<ComparisonFormat, () => Promise<Reporter<ReportComparison>>>;

/** The format terminal, shortened to the answers. */
export const ANSWERS_REPORTER = async (): Promise<Reporter<Report>> =>
  (await import('./terminal/report.ts')).terminalAnswers;

export const SWEEP_REPORTERS = {
  terminal: async () => (await import('./sweep/terminal.ts')).terminalSweep,
  json: async () => (await import('./text/json.ts')).escapedJson,
  html: async () => (await import('./sweep/html.ts')).htmlSweep,
} as const satisfies Record<SweepFormat, () => Promise<Reporter<SweepReport>>>;

export const CHECK_REPORTERS = {
  terminal: async () => (await import('./check/terminal.ts')).checkTerminal,
  json: async () => (await import('./text/json.ts')).escapedJson,
  markdown: async () => (await import('./check/markdown.ts')).checkMarkdown,
  github: async () => (await import('./check/ci-formats.ts')).checkGithub,
  junit: async () => (await import('./check/ci-formats.ts')).checkJunit,
  sarif: async () => (await import('./check/sarif.ts')).checkSarif,
  benchmark: async () => (await import('./text/benchmark.ts')).checkBenchmark,
} as const satisfies Record<CheckFormat, () => Promise<Reporter<CheckReport>>>;

/** What `render` and `clone-prof report` draw. */
export type Document = Report | ReportComparison | SweepReport | CheckReport;

type Loaders = Record<string, (() => Promise<Reporter<Document>>) | undefined>;

const BY_DOCUMENT = {
  [REPORT_SCHEMA]: { a: 'a report', reporters: REPORTERS },
  [COMPARISON_SCHEMA]: { a: 'a comparison', reporters: COMPARISON_REPORTERS },
  [SWEEP_SCHEMA]: { a: 'a sweep', reporters: SWEEP_REPORTERS },
  [CHECK_SCHEMA]: { a: 'a check', reporters: CHECK_REPORTERS },
} as const satisfies Record<Document['schema'], { a: string; reporters: unknown }>;

/**
 * What draws a document.
 *
 * @throws ToolError 'usage' for a format that it has not
 */
export async function drawing(
  document: Document,
  format: string,
): Promise<(options: RenderOptions, words: Wording) => string> {
  const { a, reporters } = BY_DOCUMENT[document.schema];
  const load = Object.hasOwn(reporters, format) ? (reporters as Loaders)[format] : undefined;
  if (load === undefined) {
    const known = Object.keys(reporters).join(', ');
    throw new ToolError('usage', { detail: `--format: ${a} cannot be drawn as ${format}. Known: ${known}` });
  }
  const reporter = await load();
  return (options, words) => reporter(document, options, words);
}
