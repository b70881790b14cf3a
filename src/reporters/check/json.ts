import type { CheckReport } from '../../model/check.ts';
import { visibleJson } from '../escape.ts';

/** The report itself, safe to print on a terminal and in a CI log. */
export function checkJson({ schema, passed, results, failures }: CheckReport): string {
  return `${visibleJson(JSON.stringify({ schema, passed, results, failures }, null, 2))}\n`;
}
