import type { CheckReport } from '../../src/model/documents/check.ts';
import type { Report } from '../../src/model/documents/report.ts';
import type { CheckFormat } from '../../src/model/gate/limits.ts';
import type { RenderOptions, ReportFormat } from '../../src/model/report/render-options.ts';
import { draw } from '../../src/report/registry.ts';
import { FROZEN } from './frozen/reports.ts';

/** An ordinary terminal. */
export const PLAIN: RenderOptions = { color: false, columns: 80, unicode: true };

export const render = (format: ReportFormat, report: Report, options: Partial<RenderOptions> = {}): string =>
  draw(report, format, { ...PLAIN, ...options });

export const renderCheck = (format: CheckFormat, report: CheckReport): string => draw(report, format, PLAIN);

export function frozen(name: string): Report {
  const report = FROZEN[name];
  if (report === undefined) throw new Error(`no frozen report ${name}`);
  return report;
}
