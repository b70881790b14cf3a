import type { RenderOptions } from '../model/render-options.ts';
import type { Report } from '../model/report.ts';
import type { Wording } from '../model/wording.ts';

/** Pure: nothing is written, and nothing is read but the arguments. */
export type Reporter = (report: Report, options: RenderOptions, words: Wording) => string;

/** All formats. Only the one that is asked for is loaded: measuring text for a terminal alone takes 20 ms to load. */
export const REPORTERS = {
  terminal: async () => (await import('./terminal/report.ts')).terminalReport,
  json: async () => (await import('./json.ts')).jsonReport,
  markdown: async () => (await import('./markdown/report.ts')).markdownReport,
  html: async () => (await import('./html/page.ts')).htmlReport,
} as const satisfies Record<string, () => Promise<Reporter>>;

export type Format = keyof typeof REPORTERS;
