/**
 * Reports as versions of the tool stored them, with each kind of advice and of trouble. The files are all there is of them:
 * a field that becomes required is added there, as an old report has it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Report } from '../../../src/model/documents/report.ts';

const folder = new URL('../../../fixtures/reports/', import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Report;

/** By the name of its file in fixtures/reports. */
export const FROZEN: Record<string, Report> = Object.fromEntries(
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.slice(0, -'.json'.length), read(file)]),
);
