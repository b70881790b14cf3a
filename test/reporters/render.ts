import type { CheckReport } from '../../src/model/documents/check.ts';
import type { Report } from '../../src/model/documents/report.ts';
import type { CheckFormat } from '../../src/model/gate/limits.ts';
import type { RenderOptions, Reporter, ReportFormat } from '../../src/model/report/render-options.ts';
import { CHECK_REPORTERS, REPORTERS } from '../../src/reporters/registry.ts';
import { wordsOf } from '../../src/rule-book/wording.ts';
import { FROZEN } from './frozen/reports.ts';
import { FROZEN_WORDS } from './frozen/words.ts';

/** Every reporter of a registry, loaded. */
async function loaded<Document, Name extends string>(
  registry: Readonly<Record<Name, () => Promise<Reporter<Document>>>>,
): Promise<Record<Name, Reporter<Document>>> {
  const entries = Object.entries(registry) as [Name, () => Promise<Reporter<Document>>][];
  const reporters = await Promise.all(entries.map(async ([name, load]) => [name, await load()]));
  return Object.fromEntries(reporters);
}

const reporters = await loaded<Report, ReportFormat>(REPORTERS);
const checkReporters = await loaded<CheckReport, CheckFormat>(CHECK_REPORTERS);

/** An ordinary terminal. */
export const PLAIN: RenderOptions = { color: false, columns: 80, unicode: true };

export const render = (format: ReportFormat, report: Report, options: Partial<RenderOptions> = {}): string =>
  reporters[format](report, { ...PLAIN, ...options }, FROZEN_WORDS);

export const renderCheck = (format: CheckFormat, report: CheckReport): string =>
  checkReporters[format](report, PLAIN, wordsOf());

export function frozen(name: string): Report {
  const report = FROZEN[name];
  if (report === undefined) throw new Error(`no frozen report ${name}`);
  return report;
}
