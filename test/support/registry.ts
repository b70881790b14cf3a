/** Tests that need the registry of npm: skipped by name where it cannot be reached, failed when CI=true. */
import { ToolError } from '../../src/model/errors.ts';

export const UNREACHABLE =
  'npm cannot reach its registry. This test needs it, and fails without it when CI=true';

const NPM_NETWORK_ERROR =
  /code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)/;

export function isUnreachable(error: unknown): boolean {
  if (process.env.CI === 'true') return false;
  if (error instanceof ToolError) return error.code === 'offline';
  return error instanceof Error && NPM_NETWORK_ERROR.test(error.message);
}
