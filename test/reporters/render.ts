import type { RenderOptions } from '../../src/model/render-options.ts';
import type { Report } from '../../src/model/report.ts';
import { type Format, REPORTERS, type Reporter } from '../../src/reporters/registry.ts';
import { FROZEN } from './frozen/reports.ts';
import { FROZEN_WORDS } from './frozen/words.ts';

const loaded = await Promise.all(
  Object.entries(REPORTERS).map(
    async ([format, load]): Promise<[string, Reporter]> => [format, await load()],
  ),
);
const reporters = Object.fromEntries(loaded) as Record<Format, Reporter>;

/** An ordinary terminal. */
export const PLAIN: RenderOptions = { color: false, columns: 80, unicode: true };

export const render = (format: Format, report: Report, options: Partial<RenderOptions> = {}): string =>
  reporters[format](report, { ...PLAIN, ...options }, FROZEN_WORDS);

export function frozen(name: string): Report {
  const report = FROZEN[name];
  if (report === undefined) throw new Error(`no frozen report ${name}`);
  return report;
}

/** Code is printed as it is, so it is the only part that may be wider than the terminal. */
export function withoutCode(report: Report): Report {
  const copy = structuredClone(report);
  for (const { advice } of copy.payloads.flatMap(({ runs }) => runs)) if (advice) advice.code = null;
  return copy;
}
