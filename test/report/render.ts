import type { Report } from '../../src/model/documents/report.ts';
import type { RenderOptions } from '../../src/model/report/formats.ts';
import { type Document, draw } from '../../src/report/registry.ts';
import { FROZEN } from './frozen/reports.ts';

/** An ordinary terminal. */
export const PLAIN: RenderOptions = { color: false, columns: 80, unicode: true };

export const render = (format: string, document: Document, options: Partial<RenderOptions> = {}): string =>
  draw(document, format, { ...PLAIN, ...options });

export function frozen(name: string): Report {
  const report = FROZEN[name];
  if (report === undefined) throw new Error(`no frozen report ${name}`);
  return report;
}
