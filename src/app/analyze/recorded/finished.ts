import type { Report } from '../../../model/documents/report.ts';
import type { Source } from '../../../model/report/recipe.ts';

/** The report with the recordings among its sources; without any it is complete. */
export async function finished(report: Report, sources: readonly Source[]): Promise<Report> {
  if (!sources.some(({ recorded }) => recorded)) return report;
  const { withRecordings } = await import('./recorded.ts');
  return withRecordings(report, sources);
}
