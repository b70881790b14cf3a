import type { CheckReport } from '../../src/model/documents/check.ts';
import type { Report } from '../../src/model/documents/report.ts';
import type { FormatOf, RenderOptions } from '../../src/model/report/formats.ts';
import { draw } from '../../src/report/registry.ts';
import { FROZEN } from './frozen/reports.ts';

/** An ordinary terminal. */
export const PLAIN: RenderOptions = { color: false, columns: 80, unicode: true };

export const render = (
  format: FormatOf<'report'>,
  report: Report,
  options: Partial<RenderOptions> = {},
): string => draw(report, format, { ...PLAIN, ...options });

export const renderCheck = (format: FormatOf<'check'>, report: CheckReport): string =>
  draw(report, format, PLAIN);

export function frozen(name: string): Report {
  const report = FROZEN[name];
  if (report === undefined) throw new Error(`no frozen report ${name}`);
  return report;
}
