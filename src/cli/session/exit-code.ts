import type { PayloadReport, Report, Run, RunError } from '../../model/documents/report.ts';
import { type ErrorCode, ToolError, USAGE_CODES } from '../../model/errors.ts';

/** 0 ok · 1 the gate failed · 2 usage · 3 something could not be measured or tried · 130 interrupted (128 + SIGINT). */
export const EXIT = { ok: 0, gate: 1, usage: 2, failure: 3, interrupted: 130 } as const;

export const isUsageCode = (code: string): boolean => USAGE_CODES.has(code as ErrorCode);

export function exitCodeOfError(error: unknown): number {
  if (!(error instanceof ToolError)) return EXIT.failure;
  if (error.code === 'interrupted') return EXIT.interrupted;
  return isUsageCode(error.code) ? EXIT.usage : EXIT.failure;
}

/** Input that could not be read exits 2: the user can fix it. A run that failed, or a rewrite that could not be tried, exits 3. */
export function exitCodeOfReport({ payloads }: Report): number {
  const isUsage = (error: RunError | null) => error !== null && isUsageCode(error.code);
  const unreadable = ({ error, runs }: PayloadReport) =>
    isUsage(error) || (runs.length > 0 && runs.every((run) => isUsage(run.error)));
  if (payloads.some(unreadable)) return EXIT.usage;
  const isIncomplete = ({ error, advice }: Run) => error !== null || advice?.untried !== undefined;
  const failed = payloads.some((p) => p.error !== null || p.runs.some(isIncomplete));
  return failed ? EXIT.failure : EXIT.ok;
}
