import { ToolError } from '../model/errors.ts';
import type { HANDLERS as ALL } from './handlers.ts';

async function refused(): Promise<never> {
  const detail = 'a worker of workerd has no profiler, and sees neither its process nor another thread';
  throw new ToolError('measure-failed', { detail });
}

/** Without what only a process with threads can do. */
export const HANDLERS: typeof ALL = {
  open: async () => (await import('./payload/open.ts')).open,
  describe: async () => (await import('./describe/describe-payload.ts')).describePayload,
  losses: async () => (await import('./describe/facts.ts')).findLosses,
  schema: async () => (await import('./describe/make-schema.ts')).makeSchema,
  prove: async () => (await import('./prove/prove.ts')).prove,
  measure: async () => (await import('./measure/measure.ts')).measure,
  dimensions: async () => (await import('./describe/facts.ts')).dimensions,
  sample: async () => (await import('./describe/facts.ts')).sampleText,
  'branch-bytes': async () => (await import('./describe/facts.ts')).branchBytes,
  profile: refused,
  memory: refused,
};
