import { ToolError, USAGE_CODES } from './errors.ts';

/** 0 ok · 1 the gate failed · 2 usage · 3 a payload could not be measured or tried · 130 interrupted (128 + SIGINT). */
export const EXIT = { ok: 0, gate: 1, usage: 2, failure: 3, interrupted: 130 } as const;

export const isUsageCode = (code: string): boolean => USAGE_CODES.has(code);

export function exitCodeOfError(error: unknown): number {
  if (!(error instanceof ToolError)) return EXIT.failure;
  if (error.code === 'interrupted') return EXIT.interrupted;
  return isUsageCode(error.code) ? EXIT.usage : EXIT.failure;
}
