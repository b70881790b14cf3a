import { resolve } from 'node:path';
import type { ReportComparison } from '../model/documents/comparison.ts';
import type { Recording } from '../model/documents/recorded/recording.ts';
import type { Report } from '../model/documents/report.ts';
import type { SweepReport } from '../model/documents/sweep.ts';
import { ToolError } from '../model/errors.ts';
import { storedReports } from '../services/stored-reports.ts';
import { readRecording as readRecordingFile } from '../store/recording-file.ts';
import type { RunOptions } from './run-options.ts';

/** Where relative paths start; how long a pipe is waited for. */
export type ReadOptions = Pick<RunOptions, 'cwd' | 'timeoutMs' | 'signal'>;

export async function readRecording(
  file: string,
  { cwd = process.cwd(), timeoutMs, signal }: ReadOptions = {},
): Promise<Recording> {
  const waiting = { ...(timeoutMs !== undefined && { timeoutMs }), ...(signal && { signal }) };
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
