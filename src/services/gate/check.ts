import { checkPayloads } from '../../app/gate/check-payloads.ts';
import type { CheckReport } from '../../model/documents/check.ts';
import { ToolError } from '../../model/errors.ts';
import type { Work } from '../work.ts';
import { type CodecWriter, checkRequest } from './check-request.ts';
import { type CheckQuery, gateTools } from './gate-request.ts';

/**
 * `check`, for the command and for the library.
 *
 * @throws ToolError 'interrupted'; of the config, the baseline, the other commit
 */
export async function checkIn(
  work: Work,
  query: CheckQuery,
  writer: CodecWriter | null = null,
): Promise<{ report: CheckReport; folder: string }> {
  const request = await checkRequest(work, query, writer);
  const report = await checkPayloads(request, gateTools(work));
  if (work.signal.aborted) throw new ToolError('interrupted');
  return { report, folder: request.cwd };
}
