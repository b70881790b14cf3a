/** Frozen reports, and what the formats make of them and of other documents. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Report } from '../../src/model/documents/report.ts';
import type { RenderOptions } from '../../src/model/report/formats.ts';
import { type Document, draw } from '../../src/report/registry.ts';

const folder = new URL('../../fixtures/reports/', import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Report;

/**
 * Reports as versions of the tool stored them, by the names of their files, with each kind of advice and of trouble. The
 * files are all there is of them: a field that becomes required is added there, as an old report has it.
 */
export const FROZEN: Record<string, Report> = Object.fromEntries(
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.slice(0, -'.json'.length), read(file)]),
);

export function frozen(name: string): Report {
  const report = FROZEN[name];
  if (report === undefined) throw new Error(`no frozen report ${name}`);
  return report;
}

/** An ordinary terminal. */
export const PLAIN: RenderOptions = { color: false, columns: 80, unicode: true };

export const render = (format: string, document: Document, options: Partial<RenderOptions> = {}): string =>
  draw(document, format, { ...PLAIN, ...options });
