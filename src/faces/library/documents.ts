import { resolve } from 'node:path';
import type { CheckReport } from '../../model/documents/check.ts';
import type { ReportComparison } from '../../model/documents/comparison.ts';
import type { Recording } from '../../model/documents/recorded/recording.ts';
import type { Report } from '../../model/documents/report.ts';
import type { SweepReport } from '../../model/documents/sweep.ts';
import { ToolError } from '../../model/errors.ts';
import type { CHECK_SCHEMA, COMPARISON_SCHEMA, REPORT_SCHEMA, SWEEP_SCHEMA } from '../../model/names.ts';
import type { FormatOf, RenderOptions } from '../../model/report/formats.ts';
import type { Meaning } from '../../model/rules/rule.ts';
import { readRecording as readRecordingFile } from '../../record/files/recording-file.ts';
import { meaningsOf } from '../../report/meanings/meanings.ts';
import { draw } from '../../report/registry.ts';
import { storedReports } from '../../report/stored/stored-reports.ts';
import type { RunOptions } from './runs.ts';

/** `cwd` is the folder that relative paths start from, `timeoutMs` the time to wait for a pipe. */
export type ReadOptions = Pick<RunOptions, 'cwd' | 'timeoutMs' | 'signal'>;

export async function readRecording(
  file: string,
  { cwd = process.cwd(), ...waiting }: ReadOptions = {},
): Promise<Recording> {
  return readRecordingFile(resolve(cwd, file), file, waiting);
}

export async function readReport(
  files: string | readonly string[],
  { cwd = process.cwd(), join = false }: Pick<ReadOptions, 'cwd'> & { join?: boolean | undefined } = {},
): Promise<Report | SweepReport | ReportComparison> {
  const [first, ...others] = [files].flat();
  if (first === undefined) throw new ToolError('no-input');
  return storedReports([first, ...others], join, { cwd, stdin: () => process.stdin });
}

export type Rendered = Report | ReportComparison | SweepReport | CheckReport;

/** The formats of each document. */
export interface FormatsOf {
  [REPORT_SCHEMA]: FormatOf<'report'>;
  [COMPARISON_SCHEMA]: FormatOf<'report'>;
  [SWEEP_SCHEMA]: FormatOf<'sweep'>;
  [CHECK_SCHEMA]: FormatOf<'check'>;
}

/** @param options default: no colours, 100 columns, as for a file */
export async function render<T extends Rendered>(
  document: T,
  format: FormatsOf[T['schema']],
  { color = false, columns = 100, unicode = true }: Partial<RenderOptions> = {},
): Promise<string> {
  return draw(document, format, { color, columns, unicode });
}

/** @throws ToolError 'usage' for a word that the tool does not print */
export const explain = async (word: string): Promise<Meaning[]> => meaningsOf(word);
