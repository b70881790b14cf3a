/** All formats of each kind of document. */

import type { CheckReport } from '../model/documents/check.ts';
import type { ReportComparison } from '../model/documents/comparison.ts';
import type { PayloadReport, Report } from '../model/documents/report.ts';
import type { SweepReport } from '../model/documents/sweep.ts';
import { usage } from '../model/errors.ts';
import { CHECK_SCHEMA, COMPARISON_SCHEMA, REPORT_SCHEMA, SWEEP_SCHEMA } from '../model/names.ts';
import type { FormatOf, RenderOptions, Reporter } from '../model/report/formats.ts';
import { checkBenchmark, checkGithub, checkJunit, checkSarif, reportBenchmark } from './ci-formats.ts';
import type { Printed } from './doc.ts';
import { htmlText } from './html/page.ts';
import { markdownText } from './markdown/nodes.ts';
import { checkDocument } from './print/check.ts';
import { comparisonDocument } from './print/comparison.ts';
import { answersOnly, payloadNodes, reportDocument, reportFrame } from './print/report.ts';
import { sweepDocument } from './print/sweep.ts';
import { sarifReport } from './sarif.ts';
import { terminalNodes, terminalText } from './terminal/nodes.ts';
import { escapedJson, visibleJson } from './text/escape.ts';

/**
 * Formats of each document: the printed document in three ways, and its JSON, which a page embeds and `report` reads.
 * @param inPage if a page is printed in a different order
 */
const drawn = <Document>(
  print: (document: Document, options: RenderOptions) => Printed,
  inPage: typeof print = print,
) =>
  ({
    terminal: (document, options) => terminalText(print(document, options), options),
    markdown: (document, options) => markdownText(print(document, options)),
    html: (document, options) => htmlText(inPage(document, options), visibleJson(JSON.stringify(document))),
    json: escapedJson,
  }) as const satisfies Record<string, Reporter<Document>>;

const inOrderOfCost = (report: Report, options: RenderOptions) => reportDocument(report, options, 'cost');

const { html: _, ...checkDrawn } = drawn(checkDocument);

const FORMATS = {
  [REPORT_SCHEMA]: {
    ...drawn(reportDocument, inOrderOfCost),
    ...{ sarif: sarifReport, benchmark: reportBenchmark },
  } satisfies Record<FormatOf<'report'>, Reporter<Report>>,
  [COMPARISON_SCHEMA]: drawn(comparisonDocument),
  [SWEEP_SCHEMA]: drawn(sweepDocument) satisfies Record<FormatOf<'sweep'>, Reporter<SweepReport>>,
  [CHECK_SCHEMA]: {
    ...checkDrawn,
    ...{ github: checkGithub, junit: checkJunit, sarif: checkSarif, benchmark: checkBenchmark },
  } satisfies Record<FormatOf<'check'>, Reporter<CheckReport>>,
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

/** On a terminal, a payload as soon as it is done. */
export const drawPayload = (payload: PayloadReport, options: RenderOptions): string =>
  terminalNodes(payloadNodes(payload, options.isEmitted), options);

/** On a terminal, the rest of a report after all its payloads; empty if there is none. */
export const drawRest = (report: Report, options: RenderOptions): string =>
  terminalText(
    report.payloads.length === 0 ? reportDocument(report) : reportFrame(report),
    options,
  ).trimStart();

/** On a terminal, the answers of a report alone. */
export const drawAnswers = (report: Report, options: RenderOptions): string =>
  terminalNodes(answersOnly(report), options);
