/** Errors of fetching a runtime as errors of the tool. */
import { ToolError } from '../../model/errors.ts';
import { NpmFailure } from './npm.ts';

const NETWORK_CODES = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENOTCACHED',
  'ERR_SOCKET_TIMEOUT',
  'EIDLETIMEOUT',
]);

export function isNetworkFailure(error: unknown): boolean {
  return error instanceof NpmFailure && NETWORK_CODES.has(error.code);
}

/** The ToolError for an error of npm, the file system or tar; a ToolError is returned unchanged. */
export function provisionError(error: unknown, spec: string): ToolError {
  if (error instanceof ToolError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const facts = { value: spec, detail: message };
  const because = { cause: error };
  if (isNetworkFailure(error)) return new ToolError('offline', facts, because);
  if (code === 'ETARGET' || code === 'E404') return new ToolError('version-unknown', facts, because);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ToolError('disk-full', facts, because);
  return new ToolError('provision-failed', facts, because);
}
