import { ToolError } from '../model/errors.ts';
import { describePayload } from './describe/describe-payload.ts';
import { branchBytes, dimensions, findLosses, sampleText } from './describe/facts.ts';
import { makeSchema } from './describe/make-schema.ts';
import type { HANDLERS as ALL } from './handlers.ts';
import { measure } from './measure/measure.ts';
import { open } from './payload/open.ts';
import { prove } from './prove/prove.ts';

async function refused(): Promise<never> {
  const detail = 'a worker of workerd has no profiler, and sees neither its process nor another thread';
  throw new ToolError('measure-failed', { detail });
}

/** Without what only a process with threads can do. */
export const HANDLERS: typeof ALL = {
  open: open,
  describe: describePayload,
  losses: findLosses,
  schema: makeSchema,
  prove: prove,
  measure: measure,
  dimensions: dimensions,
  sample: sampleText,
  'branch-bytes': branchBytes,
  profile: refused,
  memory: refused,
};
