import type { CHECK_SCHEMA, COMPARISON_SCHEMA, REPORT_SCHEMA, SWEEP_SCHEMA } from '../model/document-ids.ts';
import type { CheckReport } from '../model/documents/check.ts';
import type { ReportComparison } from '../model/documents/comparison.ts';
import type { Report } from '../model/documents/report.ts';
import type { SweepReport } from '../model/documents/sweep.ts';
import type { CheckFormat } from '../model/gate/limits.ts';
import type { RenderOptions, ReportFormat } from '../model/report/render-options.ts';
import type { SweepFormat } from '../model/vocabulary/sweep.ts';
import { drawing } from '../reporters/registry.ts';
import { reportWords } from '../rule-book/wording.ts';

export type Rendered = Report | ReportComparison | SweepReport | CheckReport;

/** The formats of each document. */
export interface FormatsOf {
  [REPORT_SCHEMA]: ReportFormat;
  [COMPARISON_SCHEMA]: ReportFormat;
  [SWEEP_SCHEMA]: SweepFormat;
  [CHECK_SCHEMA]: CheckFormat;
}

/** @param options default: as for a file, without colours and 100 columns wide */
export async function render<T extends Rendered>(
  document: T,
  format: FormatsOf[T['schema']],
  { color = false, columns = 100, unicode = true }: Partial<RenderOptions> = {},
): Promise<string> {
  const draw = drawing(document, format);
  return draw({ color, columns, unicode }, reportWords());
}
