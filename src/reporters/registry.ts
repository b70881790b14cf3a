/** All formats of each kind of document. */

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
import { checkGithub, checkJunit, checkSarif } from './check/ci-formats.ts';
import type { Printed } from './doc.ts';
import { htmlText } from './html/page.ts';
import { markdownText } from './markdown/nodes.ts';
import { comparisonDocument } from './print/comparison.ts';
import { checkDocument } from './print/gate/check.ts';
import { reportDocument } from './print/report.ts';
import { sweepDocument } from './print/sweep/sweep.ts';
import { sarifReport } from './sarif/report.ts';
import { terminalText } from './terminal/nodes.ts';
import { checkBenchmark, reportBenchmark } from './text/benchmark.ts';
import { compactJson, escapedJson, jsonReport, plainJson } from './text/json.ts';

/**
 * The formats for people: the same printed document in three ways.
 *
 * @param json text of the document to embed in its page, where `report` reads it again
 */
const drawn = <Document>(
  print: (document: Document, words: Wording) => Printed,
  json: (document: Document) => string = plainJson,
) =>
  ({
    terminal: (document, options, words) => terminalText(print(document, words), options),
    markdown: (document, _options, words) => markdownText(print(document, words)),
    html: (document, _options, words) => htmlText(print(document, words), json(document)),
  }) as const satisfies Record<string, Reporter<Document>>;

export const REPORTERS = {
  ...drawn(reportDocument),
  json: jsonReport,
  html: (report, _options, words) => htmlText(reportDocument(report, words, 'cost'), compactJson(report)),
  sarif: sarifReport,
  benchmark: reportBenchmark,
} as const satisfies Record<ReportFormat, Reporter<Report>>;

export const COMPARISON_REPORTERS = {
  ...drawn(comparisonDocument),
  json: escapedJson,
} as const satisfies Record<ComparisonFormat, Reporter<ReportComparison>>;

export const SWEEP_REPORTERS = {
  ...drawn(sweepDocument),
  json: escapedJson,
} as const satisfies Record<SweepFormat, Reporter<SweepReport>>;

const { terminal, markdown } = drawn(checkDocument);

export const CHECK_REPORTERS = {
  ...{ terminal, markdown },
  json: escapedJson,
  github: checkGithub,
  junit: checkJunit,
  sarif: checkSarif,
  benchmark: checkBenchmark,
} as const satisfies Record<CheckFormat, Reporter<CheckReport>>;

/** Documents that `render` and `clone-prof report` draw. */
export type Document = Report | ReportComparison | SweepReport | CheckReport;

type Reporters = Record<string, Reporter<Document> | undefined>;

const BY_DOCUMENT = {
  [REPORT_SCHEMA]: { a: 'a report', reporters: REPORTERS },
  [COMPARISON_SCHEMA]: { a: 'a comparison', reporters: COMPARISON_REPORTERS },
  [SWEEP_SCHEMA]: { a: 'a sweep', reporters: SWEEP_REPORTERS },
  [CHECK_SCHEMA]: { a: 'a check', reporters: CHECK_REPORTERS },
} as const satisfies Record<Document['schema'], { a: string; reporters: unknown }>;

/**
 * Returns the function that draws a document.
 *
 * @throws ToolError 'usage' if the document cannot be drawn in this format
 */
export function drawing(
  document: Document,
  format: string,
): (options: RenderOptions, words: Wording) => string {
  const { a, reporters } = BY_DOCUMENT[document.schema];
  const reporter = Object.hasOwn(reporters, format) ? (reporters as Reporters)[format] : undefined;
  if (reporter === undefined) {
    const known = Object.keys(reporters).join(', ');
    throw new ToolError('usage', { detail: `--format: ${a} cannot be drawn as ${format}. Known: ${known}` });
  }
  return (options, words) => reporter(document, options, words);
}
