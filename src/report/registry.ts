/** All formats of each kind of document. */

import type { CheckReport } from '../model/documents/check.ts';
import type { ReportComparison } from '../model/documents/comparison.ts';
import type { Report } from '../model/documents/report.ts';
import type { SweepReport } from '../model/documents/sweep.ts';
import { usage } from '../model/errors.ts';
import type { CheckFormat } from '../model/gate/limits.ts';
import { CHECK_SCHEMA, COMPARISON_SCHEMA, REPORT_SCHEMA, SWEEP_SCHEMA } from '../model/names.ts';
import type {
  ComparisonFormat,
  RenderOptions,
  Reporter,
  ReportFormat,
} from '../model/report/render-options.ts';
import type { SweepFormat } from '../model/vocabulary/words.ts';
import { checkBenchmark, checkGithub, checkJunit, checkSarif, reportBenchmark } from './ci-formats.ts';
import type { Printed } from './doc.ts';
import { htmlText } from './html/page.ts';
import { markdownText } from './markdown/nodes.ts';
import { checkDocument } from './print/check.ts';
import { comparisonDocument } from './print/comparison.ts';
import { reportDocument } from './print/report.ts';
import { sweepDocument } from './print/sweep.ts';
import { sarifReport } from './sarif.ts';
import { terminalText } from './terminal/nodes.ts';
import { escapedJson, plainJson } from './text/json.ts';

/** The formats for people: the same printed document in three ways. A page embeds its JSON, which `report` reads again. */
const drawn = <Document>(print: (document: Document, options: RenderOptions) => Printed) =>
  ({
    terminal: (document, options) => terminalText(print(document, options), options),
    markdown: (document, options) => markdownText(print(document, options)),
    html: (document, options) => htmlText(print(document, options), plainJson(document)),
  }) as const satisfies Record<string, Reporter<Document>>;

const { terminal, markdown } = drawn(checkDocument);

const FORMATS = {
  [REPORT_SCHEMA]: {
    ...drawn(reportDocument),
    json: escapedJson,
    html: (report, options) => htmlText(reportDocument(report, options, 'cost'), plainJson(report)),
    sarif: sarifReport,
    benchmark: reportBenchmark,
  } satisfies Record<ReportFormat, Reporter<Report>>,
  [COMPARISON_SCHEMA]: {
    ...drawn(comparisonDocument),
    json: escapedJson,
  } satisfies Record<ComparisonFormat, Reporter<ReportComparison>>,
  [SWEEP_SCHEMA]: {
    ...drawn(sweepDocument),
    json: escapedJson,
  } satisfies Record<SweepFormat, Reporter<SweepReport>>,
  [CHECK_SCHEMA]: {
    ...{ terminal, markdown },
    json: escapedJson,
    github: checkGithub,
    junit: checkJunit,
    sarif: checkSarif,
    benchmark: checkBenchmark,
  } satisfies Record<CheckFormat, Reporter<CheckReport>>,
} as const;

export type Document = Report | ReportComparison | SweepReport | CheckReport;

/** @throws ToolError 'usage' if the document cannot be drawn in this format */
export function draw(document: Document, format: string, options: RenderOptions): string {
  const reporters: Readonly<Record<string, unknown>> = FORMATS[document.schema];
  if (!Object.hasOwn(reporters, format)) {
    const known = Object.keys(reporters).join(', ');
    const kind = document.schema.split(/[/@]/)[1];
    throw usage(`--format: a ${kind} cannot be drawn as ${format}. Known: ${known}`);
  }
  return (reporters[format] as Reporter<Document>)(document, options);
}
